import { Problem } from 'confab-contract/problem.ts';
import { appAccess } from '../../access/app-access.ts';
import { entryAccess } from '../../access/entry/entry-access.ts';
import { findUser, userRefusal } from '../../access/user/user-access.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { renderText } from '../entries/entry-json.ts';
import { editEntry } from '../entries/update.ts';
import { addMessage } from '../messages/create.ts';
import { finishQuestion, holdQuestion, type QuestionRow, setAnswer } from './answers.store.ts';
import type { CompletionFault } from './completions.ts';
import { stateField } from './prompt.ts';

/**
 * The message that answers a question. It is created with the first part of the answer and edited as more of it comes.
 * Every write first makes sure, in its transaction, that the question is still held, so two nodes never write one answer.
 */

/** Why an agent has not answered. */
export type AnswerFault = CompletionFault | 'secret' | 'gave_up';

const reasons: { readonly [F in AnswerFault]: string } = {
  blocked: 'this server may not call the address that answers for me',
  unreachable: 'the address that answers for me cannot be reached',
  timeout: 'the address that answers for me took too long',
  redirect: 'the address that answers for me points to another one',
  refused: 'the address that answers for me refused',
  invalid: 'what came from the address that answers for me is no answer',
  broken: 'the connection to the address that answers for me ended too early',
  too_long: 'the answer is too long',
  secret: 'this server cannot read the key of the address that answers for me',
  gave_up: 'I was interrupted too often',
};

/** The text and the metadata of an answer that has failed after `text`. */
export function failedAnswer(text: string, fault: AnswerFault): Answer {
  const isBegun = text.trim() !== '';
  return {
    text: isBegun
      ? `${text.trimEnd()}\n\n*The answer ends here: ${reasons[fault]}.*`
      : `I cannot answer now: ${reasons[fault]}.`,
    metadata: { [stateField]: 'failed', agent_error: fault },
  };
}

/** What an answer is at the moment. */
export type Answer = {
  readonly text: string;
  /** `agent_state` is `writing` or `failed` in it; absent for a complete answer. */
  readonly metadata?: { readonly [name: string]: string };
};

/** A question that this node holds. */
export type HeldQuestion = QuestionRow & { readonly holder: string };

type Parts = { readonly db: Db; readonly clock: Clock; readonly links: BlobLinks; readonly holdMs: number };

const messages = entryAccess('message');

/** The agent of a question as a caller; undefined when it may not act any longer. */
export async function agentCaller(read: Read, agentId: number): Promise<Principal | undefined> {
  const user = await findUser(read, { id: agentId });
  if (user === undefined || userRefusal(user) !== undefined) return undefined;
  return { kind: 'token', user, via: 'agent' };
}

/** Writes the answer of one question. */
export function createAnswerWriter({ db, clock, links, holdMs }: Parts, question: HeldQuestion) {
  const { messageId, holder } = question;
  let answerId = question.answerId;

  /** Writes in a transaction in which the question is held; returns whether it is. */
  async function whileHeld(write: (tx: Tx) => Promise<void>): Promise<boolean> {
    return await db.write(async (tx) => {
      const until = clock.now() + holdMs;
      if ((await tx.changed(holdQuestion, { messageId, holder, until })) === 0) return false;
      await write(tx);
      return true;
    });
  }

  async function put(tx: Tx, { text, metadata }: Answer, fields: object): Promise<number | null> {
    const caller = await agentCaller(tx, question.agentId);
    if (caller === undefined) return null;
    const at = clock.now();
    const change = { tx, caller, at, links };
    if (answerId === null) {
      const ref = { id: question.appId };
      const app = await appAccess.write({
        read: tx,
        caller,
        ref,
        isTrashedIncluded: false,
        holding: 'message',
        at,
      });
      const content = { text, ...fields, tags: [], ...(metadata === undefined ? {} : { metadata }) };
      const { id } = await addMessage(change, app, { content, blobIds: [], options: [] });
      await tx.run(setAnswer, { messageId, answerId: id });
      return id;
    }
    const lookup = { read: tx, caller, ref: { id: answerId }, isTrashedIncluded: false, at };
    const on = await messages.edit(lookup);
    const edit = { change: { text, ...fields, metadata: metadata ?? null }, blobIds: [] };
    await editEntry({ tx, caller, at, on, body: edit, isContinued: true }, { links });
    return answerId;
  }

  return {
    /** Whether the answer has been begun, by this node or an earlier one. */
    isBegun: () => answerId !== null,

    /**
     * Writes the answer as it is now, and ends the question after the last part. Returns whether the question is still
     * this node's. An answer that cannot be written, because the chat or the answer is gone, ends the question.
     */
    async write(answer: Answer, { isLast }: { readonly isLast: boolean }): Promise<boolean> {
      const fields = await renderText({ kind: 'token' }, answer.text);
      let written: number | null = null;
      try {
        const isHeld = await whileHeld(async (tx) => {
          written = await put(tx, answer, fields);
          if (isLast || written === null)
            await tx.run(finishQuestion, { messageId, holder, at: clock.now() });
        });
        if (isHeld) answerId = written;
        return isHeld && written !== null;
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        await this.finish();
        return false;
      }
    },

    /** Ends the question without an answer. */
    async finish(): Promise<void> {
      await db.write((tx) => tx.run(finishQuestion, { messageId, holder, at: clock.now() }));
    },
  };
}
