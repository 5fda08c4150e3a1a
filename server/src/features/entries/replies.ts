import { invalidField } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { countChange, countIn } from '../../access/held.ts';
import { type DeferredWork, deferred, type Tx } from '../../db/db.ts';
import { changeCount, countAdded, type Tally } from '../../db/tallies.ts';
import { systemUserId } from '../users/users.sql.ts';
import { countRemoved } from './removed-counts.ts';
import {
  addReplies,
  answerable,
  answerableByImports,
  deleteEmptyPlaces,
  insertPlaces,
  inThreads,
} from './replies.store.ts';

/**
 * Comments that answer others. The first comment of a thread is its *root*, and every answer knows it, however deep it is,
 * so a thread is read without walking from answer to answer. A root counts all shown comments below it, an answer those
 * that answer it. A comment that is deleted and has answers leaves its *place*, a row of its own kind without what it said
 * and who said it.
 */

/** What an answer answers: the comment itself and the root of the thread. */
export type Answered = { readonly replyToId: number; readonly rootId: number };

/** The place of a comment that answers none. */
export const noAnswer = { replyToId: null, rootId: null };

type Parent = Pick<EntryRow, 'parentType' | 'parentId'>;

/** What a comment in a parent answers. Throws `validation_failed` where there is no such comment. */
export async function answeredBy(tx: Tx, id: number, parent: Parent): Promise<Answered> {
  const answered = await findAnswered(tx, id, parent);
  if (answered === undefined)
    throw invalidField('/reply_to', 'not_found', 'names no comment here that can be answered');
  return answered;
}

/** The same, but undefined where there is no such comment. */
export async function findAnswered(tx: Tx, id: number, parent: Parent): Promise<Answered | undefined> {
  const row = await tx.get(answerable, { id });
  if (row?.parentType !== parent.parentType || row.parentId !== parent.parentId) return undefined;
  return { replyToId: id, rootId: row.rootId ?? id };
}

/**
 * What imported replies to some comments answer, by the id of the comment and the app that both are in. A comment in the
 * trash keeps its place, so it is answered as well; one that left no place is not in the result.
 */
export async function answeredByImport(tx: Tx, ids: readonly number[]): Promise<Map<number, AnsweredInApp>> {
  const rows = ids.length === 0 ? [] : await tx.all(answerableByImports, { ids });
  return new Map(
    rows
      .filter(({ parentType }) => parentType === 'app')
      .map(({ id, rootId, parentId }) => [
        id,
        { appId: parentId, answered: { replyToId: id, rootId: rootId ?? id } },
      ]),
  );
}
/** What an answer in an app answers. */
export type AnsweredInApp = { readonly appId: number; readonly answered: Answered };

type Reply = { readonly id: number; readonly by: number };

/** Counts more or fewer answers below comments, for `Tx.defer`: those of a busy thread are counted at once. */
const countReplies: DeferredWork<Reply> = (changes) => {
  const sums = new Map<number, number>();
  for (const { id, by } of changes) sums.set(id, (sums.get(id) ?? 0) + by);
  const rows = [...sums].filter(([, by]) => by !== 0).map(([id, by]) => ({ id, by }));
  return rows.length === 0 ? [] : [deferred(addReplies, { given: JSON.stringify(rows) })];
};

type Answer = Pick<EntryRow, 'appId' | 'parentType' | 'parentId' | 'replyToId' | 'rootId'>;
type State = Pick<EntryRow, 'trashedAt' | 'heldAt'>;

/** Counts one more or one fewer answer that is shown below what it answers and below the root. */
function countBelow(tx: Tx, { replyToId, rootId }: Pick<Answer, 'replyToId' | 'rootId'>, by: number): void {
  if (by === 0 || replyToId === null) return;
  tx.defer(countReplies, { id: replyToId, by });
  if (rootId !== null && rootId !== replyToId) tx.defer(countReplies, { id: rootId, by });
}

/** The count of the resolved threads of a parent. */
export function resolvedTally({ appId, parentType, parentId }: Omit<Tally, 'kind'>): Tally {
  return { kind: 'resolved', appId, parentType, parentId };
}

function tallyOf({ appId, parentType, parentId }: Answer): Tally {
  return { kind: 'answer', appId, parentType, parentId };
}

/** Counts a new answer. */
export function countAnswer(tx: Tx, answer: Answer & State): void {
  if (answer.replyToId === null || answer.trashedAt !== null) return;
  tx.defer(countAdded, tallyOf(answer));
  countBelow(tx, answer, 1);
}

/** Counts an answer that is put in the trash, held or shown again. */
export async function recountAnswer(tx: Tx, before: Answer & State, after: State): Promise<void> {
  if (before.replyToId === null) return;
  const change = countChange(before, after);
  await changeCount(tx, tallyOf(before), change);
  countBelow(tx, before, change.live);
}

/** Comments to remove that answer others or have answers. */
export type InThreads = Awaited<ReturnType<typeof findInThreads>>;

/** Finds them, before they are removed. */
export async function findInThreads(tx: Tx, ids: readonly number[]) {
  return await tx.all(inThreads, { ids });
}

/** Counts removed comments less in a count of each of their parents. */
async function countRemovedBy(tx: Tx, removed: InThreads, tally: (one: Answer) => Tally): Promise<void> {
  const byParent = Map.groupBy(removed, ({ parentType, parentId }) => `${parentType} ${parentId}`);
  for (const some of byParent.values())
    if (some[0] !== undefined) await countRemoved(tx, tally(some[0]), some);
}

/** How many places that have lost their answers one removal takes along; the others go with their parent. */
const emptiedMax = 100;

/** Leaves the places of removed comments that have answers, and counts the removed answers less. */
export async function leaveThreads(tx: Tx, removed: InThreads, at: UnixMs): Promise<void> {
  const answered = removed.filter(({ hasAnswers }) => hasAnswers);
  if (answered.length > 0)
    await tx.run(insertPlaces, { places: JSON.stringify(answered), createdById: systemUserId, at });
  const answers = removed.filter(({ replyToId }) => replyToId !== null);
  for (const answer of answers) countBelow(tx, answer, -countIn(answer).live);
  await countRemovedBy(tx, answers, tallyOf);
  await countRemovedBy(
    tx,
    removed.filter(({ resolvedAt }) => resolvedAt !== null),
    resolvedTally,
  );
  let emptied: readonly Pick<Answer, 'replyToId' | 'rootId'>[] = removed;
  for (let left = emptiedMax; left > 0 && emptied.length > 0; left -= 1) {
    const ids = emptied.flatMap(({ replyToId, rootId }) => [replyToId, rootId].filter((id) => id !== null));
    emptied = ids.length === 0 ? [] : await tx.all(deleteEmptyPlaces, { ids: [...new Set(ids)] });
  }
}
