import { messageOperations } from 'confab-contract/messages.ts';
import type { WritableApp } from '../../access/access.ts';
import { resolverOf } from '../../access/targets.ts';
import { type Call, type Core, handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import { askAgent, type QuestionParts } from '../agents/questions.ts';
import { createEntry } from '../entries/create.ts';
import type { EntryChange } from '../entries/entries.ts';
import type { Draft } from '../entries/entry-body.ts';
import { type Screening, screenedDraft } from '../entries/screening.ts';
import { setLastMessage, setWrote } from './messages.store.ts';

/** Creates a message in an app; a silent one, which an import writes, notifies nobody. Throws `validation_failed`. */
export async function addMessage(
  change: EntryChange & { readonly isSilent?: boolean },
  app: WritableApp,
  draft: Draft,
): ReturnType<typeof createEntry> {
  const { tx, caller, isSilent = false } = change;
  const created = await createEntry(change, { kind: 'message', parent: { app }, isSilent }, draft);
  const { id, isHeld } = created;
  // The conversation is as it was, until a moderator approves the message.
  if (isHeld) return created;
  await tx.run(setLastMessage, { appId: app.id, id });
  // The app is as its caller sees it, who in an import is not the author.
  if (isSilent || app.memberAccess !== null)
    await tx.run(setWrote, { appId: app.id, userId: caller.user.id, id });
  return created;
}

type CreateParts = Screening & QuestionParts;

/** Creates a message, and has the agent of an agent chat answer it. */
export async function writeMessage(
  call: Call<typeof messageOperations.createMessage, Draft>,
  { links, agents }: CreateParts,
): Promise<Json> {
  const { tx, caller, on: app, body, at } = call;
  const { id, isHeld, detail } = await addMessage({ tx, caller, at, links }, app, body);
  if (app.type === 'agent_chat' && !isHeld) await askAgent(call, { agents, id, context: body.context });
  return detail;
}

const screen = screenedDraft('message', resolverOf(messageOperations.createMessage.on));
type Screened = Parameters<typeof screen>;

/** Prepares and screens the body of a message. */
export function prepareMessage(
  input: Screened[0],
  call: Screened[1],
  parts: CreateParts & Core,
): ReturnType<typeof screen> {
  return screen(input, call, parts);
}

/**
 * Creates a message in a chat, a chat room, a private chat or an agent chat. It stores what decides whether a conversation
 * is unread: the newest message of the app and the newest that each member wrote.
 */
export const createMessage = handler(messageOperations.createMessage, prepareMessage, writeMessage);
