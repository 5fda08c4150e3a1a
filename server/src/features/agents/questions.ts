import { invalidField, Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { WritableApp } from '../../access/access.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { findOwnBlobs } from '../blobs/blobs.ts';
import { agentOfChat, insertQuestion, recentQuestions } from './questions.store.ts';

/**
 * A question is a message to an agent of a provider that has no complete answer yet. It is noted in the transaction of the
 * message, so that each gets one answer, whenever a process dies.
 */

/** The part of the server that asks agents: undefined where agents of a provider are off. */
export type QuestionParts = { readonly agents: object | undefined };

/** How many questions a user may ask in a window, over all agents, and how long that is. */
const questionsMax = 20;
const windowMs = 60_000;

type Asking = {
  readonly tx: Tx;
  readonly caller: Principal;
  readonly on: WritableApp;
  readonly at: UnixMs;
};

/**
 * Has the agent of a chat answer a message of a person. Throws `rate_limited` for one question too many and
 * `validation_failed` for a context that is not the caller's. A program gets no answer, so no two agents talk to each other.
 */
export async function askAgent(
  { tx, caller, on: app, at }: Asking,
  {
    agents,
    id,
    context = [],
  }: {
    readonly agents: object | undefined;
    readonly id: number;
    readonly context?: readonly number[] | undefined;
  },
): Promise<void> {
  await assertOwn(tx, caller, context);
  if (agents === undefined || caller.user.isBot) return;
  const agent = await tx.get(agentOfChat, { appId: app.id });
  if (agent === undefined) return;
  await assertRate(tx, caller, at);
  await tx.run(insertQuestion, {
    messageId: id,
    appId: app.id,
    agentId: agent.id,
    authorId: caller.user.id,
    context: JSON.stringify(context),
    isWhole: isWhole(caller, app) ? 1 : 0,
    createdAt: at,
  });
  tx.wake('questions');
}

/**
 * Whether the answer is written when it is complete: components of the second form do not show the edits of a message, and
 * a moderator approves a whole text.
 */
function isWhole(caller: Principal, app: WritableApp): boolean {
  return caller.form !== undefined || app.approval !== null;
}

async function assertRate(tx: Tx, caller: Principal, at: UnixMs): Promise<void> {
  const recent = await tx.get(recentQuestions, { authorId: caller.user.id, since: at - windowMs });
  if (recent === undefined || recent.count < questionsMax) return;
  const seconds = Math.max(1, Math.ceil(((recent.first ?? at) + windowMs - at) / 1000));
  throw new Problem('rate_limited', `Agents answer at most ${questionsMax} messages a minute of one user.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Throws `validation_failed` for the first blob that is not one of the caller's. */
async function assertOwn(tx: Tx, caller: Principal, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const own = await findOwnBlobs(tx, caller, ids);
  const wrong = ids.findIndex((id) => !own.has(id));
  if (wrong !== -1) throw invalidField(`/context/${wrong}`, 'not_found', 'is no blob of yours');
}
