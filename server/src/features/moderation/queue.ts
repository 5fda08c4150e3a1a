import { excerpt } from 'confab-contract/values/excerpt.ts';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import { type HeldReason, isHeld, type State } from '../../access/held.ts';
import type { Tx } from '../../db/db.ts';
import { jsonString } from '../../kernel/json.ts';
import { closeForHeld, closeReports, deleteReportsOfApp, endCounting, openForHeld } from './queue.store.ts';

/**
 * The queue of moderators is the list of reports. An item that is held has a report as well, whether or not a user has
 * reported it, so that moderators find everything that waits for them in one place (decision 0073). Complaints, which are
 * what users say about the items that they report, count towards a limit of each user until their report is decided, or
 * until its item or app is deleted. Reports build on entries and files, which change the queue, so it knows nothing of them.
 */

/** The most characters of a text in the snapshot of an item. */
const snapshotCharactersMax = 500;

/** The kinds of items that can be in the queue. */
export type QueuedItem = {
  readonly type: 'comment' | 'post' | 'message' | 'file';
  readonly id: number;
  readonly appId: number;
  readonly authorId: number;
  /** The item in short form, as JSON. */
  readonly snapshot: string;
};

/** The excerpt of an item in the queue: the beginning of its text, or its name. */
type QueueText = Pick<QueuedItem, 'type'> & { readonly text?: string | undefined; readonly name?: string };

/** An item as the queue shows it. */
export function queuedItem(
  {
    id,
    appId,
    createdById,
    createdAt,
  }: {
    readonly id: number;
    readonly appId: number;
    readonly createdById: number;
    readonly createdAt: UnixMs;
  },
  { type, text, name }: QueueText,
): QueuedItem {
  const excerptFields =
    (text === undefined ? '' : `"text":${jsonString(excerpt(text, snapshotCharactersMax))},`) +
    (name === undefined ? '' : `"name":${jsonString(name)},`);
  const snapshot = `{${excerptFields}"created_at":"${timestamp(createdAt)}"}`;
  return { type, id, appId, authorId: createdById, snapshot };
}

/** Why an item is held: for `rule`, with the names of the rules. */
export type Holding = { readonly reason: HeldReason; readonly rules?: readonly string[] | undefined };

/** Opens the report of an item that is held from now on, in the transaction that holds it. */
export async function enterQueue(
  { tx, at }: { readonly tx: Tx; readonly at: UnixMs },
  item: QueuedItem,
  { reason, rules }: Holding,
): Promise<void> {
  await tx.run(openForHeld, { ...item, held: JSON.stringify({ reason, rules }), at });
}

/** A change of an item's state by a caller. */
type Change = {
  readonly tx: Tx;
  readonly at: UnixMs;
  readonly caller: { readonly user: { readonly id: number } };
};
type Held = Pick<State, 'heldAt' | 'trashedAt'>;

/**
 * Follows a change of an item's state: approving or trashing what is held resolves its report, unless users have reported
 * it as well, because whether they are right is a decision of its own. Must run in the transaction of the change.
 */
export async function leaveQueue(
  { tx, at, caller }: Change,
  { type, id }: Pick<QueuedItem, 'type' | 'id'>,
  { before, after }: { readonly before: Held; readonly after: Held },
): Promise<void> {
  if (!isHeld(before) || isHeld(after)) return;
  const action = after.trashedAt === null ? 'keep' : 'trash';
  await tx.run(closeForHeld, { type, id, action, byId: caller.user.id, at });
}

/** Ends the counting of the complaints of some reports towards the limits of users. */
export async function endComplaints(tx: Tx, reportIds: readonly number[]): Promise<void> {
  await tx.run(endCounting, { reportIds });
}

/**
 * Closes the reports of items of one kind that are deleted permanently, and removes what they show of the items. Must
 * run in the transaction that deletes them.
 */
export async function closeReportsOf(
  tx: Tx,
  { type, ids, at }: { readonly type: string; readonly ids: readonly number[]; readonly at: UnixMs },
): Promise<void> {
  const closed = await tx.all(closeReports, { type, ids, at });
  if (closed.length > 0)
    await endComplaints(
      tx,
      closed.map(({ id }) => id),
    );
}

/** Removes the first reports of an app permanently, with their complaints; returns how many there were. */
export async function removeFirstReports(
  tx: Tx,
  batch: { readonly id: number; readonly top: number },
): Promise<number> {
  return await tx.changed(deleteReportsOfApp, batch);
}
