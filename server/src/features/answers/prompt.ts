import type { Readable } from 'node:stream';
import type { Read } from '../../db/db.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import type { AgentRow } from '../agents/agents.ts';
import { findTexts } from '../blobs/blobs.ts';
import { contentOf } from '../entries/entry-json.ts';
import { messagesUpTo, type QuestionRow } from './answers.store.ts';

/** A message of the protocol of OpenAI. */
export type PromptMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/** How much of a conversation is sent: its newest messages, and of them only the newest that fit. */
const messagesMax = 40;
const charactersMax = 48_000;
/** How many characters of `metadata.instructions` are sent. */
const instructionsMax = 16_384;
/** How many blobs of a context are sent, and how many bytes of each. */
const contextBlobsMax = 10;
const contextBytesMax = 32 * 1024;

/** The name in `metadata` of an answer that has failed or is not complete; see `answer.ts`. */
export const stateField = 'agent_state';

type PromptParts = { readonly read: Read; readonly storage: BlobStorage };

/**
 * What an agent is sent for a question: its instructions, those of the message, the texts of its context, and the
 * conversation up to it. Undefined when the message is gone.
 */
export async function readPrompt(
  { read, storage }: PromptParts,
  question: QuestionRow,
  agent: AgentRow,
): Promise<PromptMessage[] | undefined> {
  const { appId, messageId, agentId } = question;
  const rows = await read.all(messagesUpTo, { appId, id: messageId, agentId, top: messagesMax });
  const asked = rows.find(({ id }) => id === messageId);
  if (asked === undefined) return undefined;
  const earlier = rows.filter((row) => row !== asked);
  const turns = [asked, ...earlier].map(({ createdById, content }) => ({
    createdById,
    ...contentOf(content),
  }));
  const conversation = fitting(
    turns
      .filter(({ metadata }) => metadata?.[stateField] === undefined)
      .map(({ createdById, text = '' }) => ({
        role: createdById === agentId ? ('assistant' as const) : ('user' as const),
        content: text,
      })),
  );
  const own = turns[0]?.metadata?.['instructions'];
  const system = [agent.instructions ?? '', typeof own === 'string' ? own.slice(0, instructionsMax) : ''];
  return [
    ...system.filter((text) => text !== '').map((content) => ({ role: 'system' as const, content })),
    ...(await contextOf({ read, storage }, question)),
    ...conversation,
  ];
}

/** The newest turns that fit, the oldest first; the newest is always there. */
function fitting(newestFirst: readonly PromptMessage[]): PromptMessage[] {
  let characters = 0;
  const end = newestFirst.findIndex(({ content }, index) => {
    characters += content.length;
    return index > 0 && characters > charactersMax;
  });
  return newestFirst.slice(0, end === -1 ? newestFirst.length : end).toReversed();
}

async function contextOf({ read, storage }: PromptParts, question: QuestionRow): Promise<PromptMessage[]> {
  const ids = (JSON.parse(question.context) as number[]).slice(0, contextBlobsMax);
  if (ids.length === 0) return [];
  const blobs = await findTexts(read, ids);
  const texts: PromptMessage[] = [];
  for (const { key, name, size } of blobs) {
    const bytes = await storage.read({ key }, { start: 0, end: Math.min(size, contextBytesMax) - 1 });
    if (bytes !== undefined)
      texts.push({ role: 'user', content: `Context (${name}):\n\n${await textOf(bytes)}` });
  }
  return texts;
}

async function textOf(bytes: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk as Buffer);
  return new TextDecoder().decode(Buffer.concat(chunks));
}
