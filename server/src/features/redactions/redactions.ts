import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  changedPayload,
  isFields,
  type JsonFields,
  notificationWithoutWords,
  withBlankEntity,
} from './blank.ts';
import {
  clearAttempts,
  clearErrors,
  deleteItems,
  eventsOfItem,
  movePosition,
  pendingItems,
  queueItems,
  queueOptions,
  runningErasure,
  setPayload,
} from './redactions.store.ts';

/**
 * Redactions remove the texts of permanently deleted items from their copies: events, which are the bodies of deliveries,
 * the responses of receivers, and notifications. The transaction that deletes an item records it, and a loop does the rest
 * in bounded steps, so a stop in between loses nothing. No event is removed: an event keeps its place, its action and its
 * ids, so no reader of the log is affected.
 */

/** How long after the deletion the texts are left in the log, in milliseconds: webhooks get the deleted item whole. */
const graceMs = 60_000;
/** The most items that one step looks at. */
const itemsPerStep = 50;
/** The most events, and the most notifications, that one step rewrites. */
const rowsPerStep = 200;

/** The types of items that can have poll options. */
const typesWithOptions: readonly string[] = ['comment', 'post', 'message'];

/** The changes of one step. */
export type Redacted = {
  readonly events: number;
  readonly attempts: number;
  readonly notifications: number;
  readonly hasMore: boolean;
};

/** Changes the payload of an event further. */
export type PayloadChange = (payload: JsonFields) => JsonFields;

/** Notes deleted items; must run in the transaction that deletes them, before the poll options of entries are deleted. */
export async function queueRedaction(
  tx: Tx,
  { type, ids, at }: { readonly type: string; readonly ids: readonly number[]; readonly at: UnixMs },
): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(queueItems, { type, ids, at });
  if (typesWithOptions.includes(type)) await tx.run(queueOptions, { entryIds: ids, at });
}

/**
 * Redacts some of the items that were deleted a minute ago or earlier; returns whether there may be more. While a user is
 * erased it does nothing: the erasure does all of it, and counts what it has deleted itself.
 */
export async function redactDeleted({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> {
  const before = clock.now() - graceMs;
  if ((await db.read.get(pendingItems, { before, top: 1 })) === undefined) return false;
  return await db.write(async (tx) => {
    if ((await tx.get(runningErasure, {})) !== undefined) return false;
    return (await redactItems(tx, before, (payload) => payload)).hasMore;
  });
}

/** Redacts some of the items that were deleted before a time; must run in a transaction. */
export async function redactItems(tx: Tx, before: UnixMs, rewrite: PayloadChange): Promise<Redacted> {
  const items = await tx.all(pendingItems, { before, top: itemsPerStep });
  const done: number[] = [];
  const sum = { events: 0, attempts: 0, notifications: 0 };
  let budget = rowsPerStep;
  for (const item of items) {
    if (budget <= 0) break;
    const step = await redactItem(tx, item, { top: budget, rewrite });
    budget -= step.examined;
    sum.events += step.events;
    sum.attempts += step.attempts;
    sum.notifications += step.notifications;
    if (step.isDone) done.push(item.id);
  }
  await tx.run(deleteItems, { ids: done });
  return { ...sum, hasMore: done.length < items.length || items.length === itemsPerStep };
}

type Item = {
  readonly id: number;
  readonly entityType: string;
  readonly entityId: number;
  readonly position: number;
};

async function redactItem(
  tx: Tx,
  { id, entityType: type, entityId, position }: Item,
  { top, rewrite }: { readonly top: number; readonly rewrite: PayloadChange },
): Promise<Omit<Redacted, 'hasMore'> & { readonly examined: number; readonly isDone: boolean }> {
  const events = await tx.all(eventsOfItem, { type, id: entityId, after: position, top });
  const isNotification = type === 'notification';
  const changed = await changeEvents(tx, events, (payload) =>
    rewrite(isNotification ? withheldIn(payload) : withBlankEntity(payload, type)),
  );
  const isDone = events.length < top;
  if (!isDone) await tx.run(movePosition, { id, position: events.at(-1)?.id ?? position });
  return { examined: events.length, notifications: isNotification && isDone ? 1 : 0, ...changed, isDone };
}

function withheldIn(payload: JsonFields): JsonFields {
  const { notification } = payload;
  if (!isFields(notification)) return payload;
  return { ...payload, notification: notificationWithoutWords(notification) };
}

/**
 * Writes the events whose payload `change` changes, and removes what receivers answered to them; must run in a
 * transaction. Webhook senders then read the deliveries of these events again.
 */
export async function changeEvents(
  tx: Tx,
  events: readonly { readonly id: number; readonly payload: string }[],
  change: PayloadChange,
): Promise<{ readonly events: number; readonly attempts: number }> {
  const eventIds: number[] = [];
  for (const { id, payload } of events) {
    const changed = changedPayload(payload, change);
    // Numbers and spaces may be written differently in what was stored.
    if (changed === changedPayload(payload, (fields) => fields)) continue;
    await tx.run(setPayload, { id, payload: changed });
    eventIds.push(id);
  }
  if (eventIds.length === 0) return { events: 0, attempts: 0 };
  tx.wake('webhooks');
  await tx.run(clearErrors, { eventIds });
  return { events: eventIds.length, attempts: await tx.changed(clearAttempts, { eventIds }) };
}
