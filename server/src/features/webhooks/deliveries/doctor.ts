import { findFacts } from 'confab-contract/actions.ts';
import { dayMs, timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { Read } from '../../../db/db.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { leaseMs } from '../sending/lanes.ts';
import { deliveriesOfEvents, eventsAfter, newestEvent, queues, webhookLog } from './doctor.store.ts';

/**
 * Checks that every event has exactly the deliveries that it should have, and reports stuck queues.
 *
 * The webhooks that receive an event are decided when it commits, and the log still shows them: registering and changing
 * a webhook are events too, so replaying the log gives the enabled webhooks and their triggers at each event. Deliveries
 * of deleted webhooks, and of events older than the retention of deliveries, are gone and not checked.
 */

/** Events that are checked together. */
const eventsPerPage = 5000;

/** The most faults of one webhook that are listed; there may be as many as events. */
const faultsShownMax = 20;

/** How long a webhook may be overdue before that is a fault, in milliseconds: senders poll every second. */
const overdueMs = 60_000;

/** The findings of the doctor. */
export type Diagnosis = {
  /** How many events were checked. */
  readonly events: number;
  /** Problems, in sentences. */
  readonly faults: readonly string[];
  /** Queues that wait for something other than this server, in sentences. */
  readonly notes: readonly string[];
};

/** The triggers of a webhook from one event on; none while it is disabled. */
type Span = { readonly from: number; readonly triggers: ReadonlySet<string> };

function spansOf(
  log: readonly { id: number; action: string; webhookId: number; payload: string }[],
): Map<number, Span[]> {
  const spans = new Map<number, Span[]>();
  for (const { id, action, webhookId, payload } of log) {
    const { webhook } = JSON.parse(`{${payload}}`) as {
      webhook?: { triggers: string[]; is_enabled: boolean };
    };
    if (webhook === undefined) continue;
    const isActive = action !== 'webhook_deleted' && webhook.is_enabled;
    const spansOfWebhook = spans.get(webhookId) ?? [];
    spansOfWebhook.push({ from: id, triggers: new Set(isActive ? webhook.triggers : []) });
    spans.set(webhookId, spansOfWebhook);
  }
  return spans;
}

function isWanted(spans: readonly Span[], event: { id: number; action: string }): boolean {
  const triggers = spans.findLast(({ from }) => from < event.id)?.triggers;
  if (triggers === undefined) return false;
  const group = findFacts(event.action)?.group;
  return group !== undefined && (triggers.has(event.action) || triggers.has(group));
}

/** Examines the deliveries of a store; servers may be running on it. */
export async function examineDeliveries({
  read,
  clock,
  deliveryDays,
}: {
  read: Read;
  clock: Clock;
  deliveryDays: number;
}): Promise<Diagnosis> {
  const now = clock.now();
  const upTo = (await read.get(newestEvent, {}))?.id ?? 0;
  const spans = spansOf(await read.all(webhookLog, { upTo }));
  const lanes = await read.all(queues, {});
  const present = new Map(lanes.map(({ id }) => [id, spans.get(id) ?? []]));
  const broken = new Map<number, string[]>();
  const blame = (webhookId: number, sentence: string): void => {
    broken.set(webhookId, [...(broken.get(webhookId) ?? []), sentence]);
  };
  let events = 0;
  for (let after = 0; ; ) {
    const since = now - deliveryDays * dayMs;
    const page = await read.all(eventsAfter, { after, upTo, since, top: eventsPerPage });
    const [first, last] = [page[0], page.at(-1)];
    if (first === undefined || last === undefined) break;
    const rows = await read.all(deliveriesOfEvents, { from: first.id, to: last.id });
    const byEvent = Map.groupBy(rows, ({ eventId }) => eventId);
    for (const event of page) {
      const received = new Set(byEvent.get(event.id)?.map(({ webhookId }) => webhookId));
      for (const [id, some] of present) {
        const isPing = event.action === 'webhook_pinged' && event.entityId === id;
        const isExpected = event.isSilent === 0 && (isPing || isWanted(some, event));
        if (isExpected && !received.has(id)) blame(id, `event ${event.id} (${event.action}) has no delivery`);
        if (!isExpected && received.has(id))
          blame(id, `event ${event.id} (${event.action}) has a delivery that it should not have`);
      }
    }
    events += page.length;
    after = last.id;
  }
  // A webhook that was deleted meanwhile has lost its deliveries.
  const remaining = new Set((await read.all(queues, {})).map(({ id }) => id));
  const incomplete = [...broken]
    .filter(([id]) => remaining.has(id))
    .flatMap(([id, sentences]) => firstFaults(id, sentences));
  const states = lanes.map((lane) => describe(lane, now));
  return {
    events,
    faults: [...incomplete, ...states.flatMap(({ fault }) => fault ?? [])],
    notes: states.flatMap(({ note }) => note ?? []),
  };
}

function firstFaults(webhookId: number, sentences: readonly string[]): string[] {
  const more = sentences.length - faultsShownMax;
  return [
    ...sentences.slice(0, faultsShownMax).map((sentence) => `webhook ${webhookId}: ${sentence}`),
    ...(more > 0 ? [`webhook ${webhookId}: ${more} more like these`] : []),
  ];
}

type Lane = {
  readonly id: number;
  readonly payloadUrl: string;
  readonly isEnabled: number;
  readonly dueAt: UnixMs | null;
  readonly lease: string | null;
  readonly leasedUntil: UnixMs | null;
  readonly openedAt: UnixMs | null;
  readonly reason: string | null;
  readonly probeAt: UnixMs | null;
  readonly probes: number;
  readonly laneDueAt: UnixMs | null;
  readonly waiting: number;
  readonly waitingSince: UnixMs | null;
};

/** The fault or note about the queue of a webhook, if any. */
function describe(lane: Lane, now: UnixMs): { fault?: string; note?: string } {
  const { waiting, waitingSince, openedAt, probeAt, laneDueAt, leasedUntil } = lane;
  if (waiting === 0 || waitingSince === null) return {};
  const since = waitingSince > now ? '' : `, the oldest since ${timestamp(waitingSince)}`;
  const queue = `webhook ${lane.id} (${lane.payloadUrl}): ${waiting} deliveries wait${since}`;
  if (lane.isEnabled === 0) return { note: `${queue}; it is disabled` };
  if (lane.dueAt === null && lane.lease === null)
    return { fault: `${queue}, and it is not due: no server will send them` };
  if (leasedUntil !== null && leasedUntil < now - leaseMs)
    return {
      fault: `${queue}; the lease of the server that was sending them ended at ${timestamp(leasedUntil)}, and no other took it over: is a server running?`,
    };
  if (lane.lease === null && laneDueAt !== null && laneDueAt < now - overdueMs)
    return { fault: `${queue}; no server has begun since ${timestamp(laneDueAt)}: is one running?` };
  if (openedAt === null || probeAt === null) return {};
  return {
    note: `${queue}; it is paused since ${timestamp(openedAt)} because its receiver fails (${lane.reason}), after ${lane.probes} probes; the next is at ${timestamp(probeAt)}`,
  };
}
