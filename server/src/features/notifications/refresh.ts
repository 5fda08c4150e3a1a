import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Tx } from '../../db/db.ts';
import type { NotificationTable } from '../../db/tables/notifications.ts';
import { appendAll } from '../../events/append-all.ts';
import type { Clock } from '../../kernel/clock.ts';
import { json } from '../../kernel/json.ts';
import { queueRedaction } from '../redactions/redactions.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import { systemUserId } from '../users/users.sql.ts';
import { findUsers } from '../users/users.ts';
import { required } from './notification-record.ts';
import { addToCounts } from './notifier.store.ts';
import {
  commentsBelow,
  copyNotices,
  deleteNotices,
  deleteRefresh,
  noticesIn,
  noticesOfUser,
  passOnHeld,
  pendingRefreshes,
  queueAll,
  queueApps,
  queueBelow,
  queueOwn,
  setRefreshed,
  takeFromCounts,
} from './refresh.store.ts';

/**
 * Notifications follow their subject. While it is shown, they are in `notifications`, for the list and the counts of their
 * user. While it is in the trash, held, or below such an item, they are in `hidden_notifications`, which no list and no
 * count reads; they return with their ids and marks. When the subject is deleted, they are deleted.
 *
 * The transaction that changes an item records it in `notification_refreshes` if there are notifications about it, and
 * moves the first of them; a loop moves the rest in bounded steps. A step reads the current state of the item, so steps
 * may be repeated, and an item that changes again meanwhile ends in the right state. Each step appends one event for each
 * user whose list it changes, which live clients and webhooks receive.
 */

/** The most notifications of each table that one step reads: some ten milliseconds of the one writer where all move. */
const rowsPerStep = 200;
/** The most things of one step, and of the transaction that changes them: seldom has more than one notifications. */
const thingsPerStep = 20;
/** How many comments below a thing one step looks at. */
const commentsPerStep = 200;

const tables = ['notifications', 'hidden_notifications'] as const satisfies readonly NotificationTable[];

type Refresh = {
  readonly id: number;
  readonly type: string;
  readonly entityId: number;
  readonly isBelow: number;
  readonly afterGroup: number;
  readonly afterId: number;
};

/** The transaction of a step. */
type Step = { readonly tx: Tx; readonly at: UnixMs };

/** A notification of either table, and who has it. */
type Notice = { readonly id: number; readonly userId: number; readonly readAt: number | null };

/** The change: some things, apps included; with `isBelow`, whether everything below them is shown has changed. */
export type ChangedItems = {
  readonly type: string;
  readonly ids: readonly number[];
  readonly isBelow?: boolean;
};

/**
 * Has the notifications about some things follow their present state. Must run in the transaction that changed the state,
 * after the change.
 */
export async function refreshNotifications(
  step: Step,
  { type, ids, isBelow = false }: ChangedItems,
): Promise<void> {
  if (ids.length === 0) return;
  const { tx } = step;
  const statement = isBelow ? queueBelow : type === 'app' ? queueApps : queueOwn;
  const pending = await tx.all(statement, { type, ids });
  if (pending.length > 0 && !(await refreshSome(step, pending))) tx.wake('removals');
}

/** Has all notifications follow what they are about, in the steps that follow; must run in a transaction. */
export async function refreshAllNotifications(tx: Tx): Promise<void> {
  await tx.run(queueAll, {});
  tx.wake('removals');
}

/** Does one step for the things that were noted first; returns whether there may be more. */
export async function refreshPending({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<boolean> {
  const pending = { top: thingsPerStep };
  if ((await db.read.all(pendingRefreshes, { top: 1 })).length === 0) return false;
  return await db.write(async (tx) => {
    const rows = await tx.all(pendingRefreshes, pending);
    const isDone = await refreshSome({ tx, at: clock.now() }, rows);
    return !isDone || rows.length === thingsPerStep;
  });
}

/** Does one step for some things; returns whether all of them are done. */
async function refreshSome(step: Step, noted: readonly Refresh[]): Promise<boolean> {
  let budget = rowsPerStep;
  for (const refresh of noted.slice(0, thingsPerStep)) {
    if (budget <= 0) return false;
    const count = await refreshOne(step, refresh);
    if (count === 'unfinished') return false;
    budget -= count;
  }
  return noted.length <= thingsPerStep;
}

/** Does one step for a thing; returns how many notifications it has looked at, or that more are left. */
async function refreshOne(step: Step, refresh: Refresh): Promise<number | 'unfinished'> {
  const { tx } = step;
  const { id, type, entityId, isBelow, afterGroup, afterId } = refresh;
  const below =
    isBelow === 1
      ? await tx.all(commentsBelow, { type, id: entityId, after: afterGroup, top: commentsPerStep })
      : undefined;
  const scope =
    below !== undefined ? 'things' : type === 'app' ? 'app' : type === 'notification' ? 'all' : 'things';
  const part = {
    type: below === undefined ? type : 'comment',
    ids: below?.map((comment) => comment.id) ?? [entityId],
    afterGroup,
    afterId,
    top: rowsPerStep,
  };
  let examined = 0;
  let next: { afterGroup: number; afterId: number } | undefined;
  const notices = [];
  for (const table of tables) {
    const rows = await tx.all(noticesIn({ table, scope }), part);
    examined += rows.length;
    notices.push({ table, rows });
    const last = rows.at(-1);
    if (rows.length < rowsPerStep || last === undefined) continue;
    const isEarlier =
      next === undefined ||
      last.grouped < next.afterGroup ||
      (last.grouped === next.afterGroup && last.id < next.afterId);
    if (isEarlier) next = { afterGroup: last.grouped, afterId: last.id };
  }
  const lastBelow = below?.at(-1);
  if (next === undefined && lastBelow !== undefined && below?.length === commentsPerStep)
    next = { afterGroup: lastBelow.id, afterId: Number.MAX_SAFE_INTEGER };
  for (const { table, rows } of notices) await putInPlace(step, table, rows);
  if (next === undefined) await tx.run(deleteRefresh, { id });
  else await tx.run(setRefreshed, { id, ...next });
  return next === undefined ? examined : 'unfinished';
}

/** Moves or deletes those notifications of a table that do not belong there. */
async function putInPlace(
  step: Step,
  table: NotificationTable,
  rows: readonly (Notice & { readonly place: 'shown' | 'hidden' | 'gone' })[],
): Promise<void> {
  const leaving = rows.filter(({ place }) => place === 'gone');
  const passedOn = table === 'notifications' ? await passOn(step, leaving) : new Set();
  const gone = leaving.filter(({ id }) => !passedOn.has(id));
  const moved = rows.filter(({ place }) => place === (table === 'notifications' ? 'hidden' : 'shown'));
  if (moved.length > 0) await step.tx.run(copyNotices(table), { ids: moved.map(({ id }) => id) });
  if (table === 'notifications') await removeNotices(step, [...gone, ...moved]);
  else {
    await step.tx.run(deleteNotices(table), { ids: [...gone, ...moved].map(({ id }) => id) });
    await countShown(step, moved);
    await recordForUsers(step, 'notifications_restored', moved);
  }
  await queueRedaction(step.tx, { type: 'notification', ids: gone.map(({ id }) => id), at: step.at });
}

/**
 * Has those among some unread notifications that something is held be about what waits longest in their app now, because one
 * stands for all of it; returns their ids.
 */
async function passOn(step: Step, notices: readonly Notice[]): Promise<Set<number>> {
  if (notices.length === 0) return new Set();
  const rows = await step.tx.all(passOnHeld, { ids: notices.map(({ id }) => id) });
  const ids = new Set(rows.map(({ id }) => id));
  await recordForUsers(
    step,
    'notifications_restored',
    notices.filter(({ id }) => ids.has(id)),
  );
  return ids;
}

/** Deletes some notifications of both tables. */
export async function deleteNotifications(
  step: Step,
  notices: readonly (Notice & { readonly isHidden: number })[],
): Promise<void> {
  const hidden = notices.filter(({ isHidden }) => isHidden === 1);
  await step.tx.run(deleteNotices('hidden_notifications'), { ids: hidden.map(({ id }) => id) });
  await removeNotices(
    step,
    notices.filter(({ isHidden }) => isHidden === 0),
  );
}

/** Removes notifications from the lists and the counts of their users. */
async function removeNotices(step: Step, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await step.tx.run(deleteNotices('notifications'), { ids: notices.map(({ id }) => id) });
  await step.tx.run(takeFromCounts, { counts: JSON.stringify(countsOf(notices)) });
  await recordForUsers(step, 'notifications_removed', notices);
}

/**
 * Deletes the first notifications of a user, with their counts and without an event of their own; returns how many. For
 * the erasure of the user.
 */
export async function deleteNotificationsOf(
  tx: Tx,
  { userId, top }: { readonly userId: number; readonly top: number },
): Promise<number> {
  let deleted = 0;
  for (const table of tables) {
    const notices = await tx.all(noticesOfUser(table), { userId, top: top - deleted });
    await tx.run(deleteNotices(table), { ids: notices.map(({ id }) => id) });
    if (table === 'notifications' && notices.length > 0)
      await tx.run(takeFromCounts, { counts: JSON.stringify(countsOf(notices)) });
    deleted += notices.length;
  }
  return deleted;
}

async function countShown({ tx }: Step, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  const counts = countsOf(notices);
  const ofKind = (kind: 'all' | 'unread') =>
    JSON.stringify(counts.map((count) => ({ userId: count.userId, by: count[kind] })));
  await tx.run(addToCounts, { counts: ofKind('all'), kind: 'notification' });
  await tx.run(addToCounts, { counts: ofKind('unread'), kind: 'unread_notification' });
}

/** How many of some notifications each user has, and how many of them are unread. */
function countsOf(notices: readonly Notice[]): { userId: number; all: number; unread: number }[] {
  return [...Map.groupBy(notices, ({ userId }) => userId)].map(([userId, some]) => ({
    userId,
    all: some.length,
    unread: some.filter(({ readAt }) => readAt === null).length,
  }));
}

/** Appends an event for each user of some notifications. It is of no app, because the user may not see the app. */
async function recordForUsers(
  { tx, at }: Step,
  action: 'notifications_removed' | 'notifications_restored',
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return;
  const byUser = Map.groupBy(notices, ({ userId }) => userId);
  const users = await findUsers(tx, [systemUserId, ...byUser.keys()]);
  const actor = actorOf({ user: required(users.get(systemUserId)) });
  const events = [...byUser].map(([userId, some]) => ({
    actor,
    appId: null,
    userId,
    extra: {
      user: renderUser(required(users.get(userId))),
      notification_ids: json(JSON.stringify(some.map(({ id }) => id))),
    },
  }));
  await appendAll(tx, { action, at }, events);
}
