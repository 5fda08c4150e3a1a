import {
  claimLanes,
  extendLeases,
  releaseLanes,
  updateDelivery,
} from 'confab-server/src/features/webhooks/sending/lanes.store.ts';
import type { NodeClock } from './node.ts';
import type { Watch } from './node-store.ts';
import type { Ended, Listener, Sent } from './receivers.ts';
import { deliveryMs } from './retention-check.ts';
import type { Actor, SimulatedTime } from './simulated-time.ts';
import type { StoreView } from './store-view.ts';
import type { Trace } from './trace.ts';

/**
 * What docs/webhooks.md promises of deliveries, checked as they are sent and recorded. The numbers are those of the page,
 * not of the code.
 */

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The pauses between attempts. */
const pausesMs = [
  5 * seconds,
  minutes,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
];
const attemptsMax = pausesMs.length + 1;
const scheduleMs = pausesMs.reduce((sum, each) => sum + each, 0);
/** What is added to a pause at most. */
const addedMs = (pauseMs: number): number => Math.max(pauseMs / 10, seconds);
const retryAfterMsMax = 24 * hours;
/** Times are stored in whole milliseconds, and a date in a header in whole seconds. */
const roundingMs = 1100;

type Fact = Sent & { readonly isProbe: boolean; readonly counted: number; ended?: Ended };

/** Checks the deliveries of a run. */
export class DeliveryCheck implements Listener {
  readonly #time: SimulatedTime;
  readonly #trace: Trace;
  readonly #view: StoreView;
  /** Attempts by webhook, event, number and node. */
  readonly #sent = new Map<string, Fact>();
  readonly #firstSentAt = new Map<string, number>();
  readonly #received = new Set<string>();
  readonly #opened = new Set<number>();
  /** The node that holds a lane, and until when by the time of the database. */
  readonly #holders = new Map<number, { readonly node: Actor; until: number; activeAt: number }>();
  /** How much all clocks were set, and how long nodes stalled: what may be late by that. */
  movedMs = 0;
  /** Whether clocks differ by more than leases allow for. */
  mayOverlap = false;
  readonly counts = { attempts: 0, delivered: 0, repeated: 0, givenUp: 0, probes: 0 };

  constructor({ time, trace, view }: { time: SimulatedTime; trace: Trace; view: StoreView }) {
    this.#time = time;
    this.#trace = trace;
    this.#view = view;
  }

  /** Whether a lane is held by a node that goes on. */
  hasLiveHolder(webhookId: number): boolean {
    return this.#holders.get(webhookId)?.node.isDead === false;
  }

  onSent(sent: Sent): void {
    const { webhookId, eventId, node, at } = sent;
    const state = this.#view.delivery(sent.guid);
    this.counts.attempts += 1;
    this.#trace.note(
      `${node.name} sends event ${eventId} to ${webhookId}, attempt ${sent.number}, number ${sent.sequence}`,
    );
    if (state === undefined) {
      this.#trace.fail('retention', `delivery ${sent.guid} was deleted, and sent`);
      return;
    }
    const isProbe = state.probeAt !== null;
    if (isProbe) this.#opened.add(webhookId);
    const counted = state.attempts - state.scheduleFrom;
    this.#sent.set(keyOf(sent), { ...sent, isProbe, counted });
    const first = `${webhookId} ${eventId}`;
    if (!this.#firstSentAt.has(first)) this.#firstSentAt.set(first, at);
    if (this.#received.has(first)) this.counts.repeated += 1;
    if (isProbe) this.counts.probes += 1;
    // A node that stalled behind its lease may repeat what another has sent.
    const holder = this.#holders.get(webhookId);
    if (holder?.node !== node) return;
    holder.activeAt = at;
    const dueAt = state.probeAt ?? Math.max(state.dueAt ?? 0, state.waitUntil ?? 0);
    const early = dueAt - this.#clockOf(node).now();
    if (early > 0)
      this.#trace.fail('schedule', `event ${eventId} was sent to ${webhookId} ${early} ms before it was due`);
    if (state.status === 'delivered' || state.status === 'failed')
      this.#trace.fail('schedule', `event ${eventId} is ${state.status} and was sent to ${webhookId} again`);
    if (state.isOrdered === 0) return;
    // What has arrived may not be recorded yet.
    const earlier = this.#view
      .waitingBefore(webhookId, state.id)
      .find((each) => !this.#received.has(`${webhookId} ${each.eventId}`));
    if (earlier !== undefined)
      this.#trace.fail('order', `event ${eventId} was sent to ${webhookId} before event ${earlier.eventId}`);
  }

  /** Checks that nobody holds a lane and does nothing with it. */
  checkHolders(lateMs: number): void {
    for (const [id, { node, activeAt }] of this.#holders) {
      const idleMs = this.#time.now() - Math.max(activeAt, node.stalledUntil);
      if (!node.isDead && idleMs > lateMs)
        this.#trace.fail('starving', `${node.name} holds ${id} and has sent nothing for ${idleMs} ms`);
    }
  }

  onEnded(ended: Ended): void {
    const holder = this.#holders.get(ended.webhookId);
    if (holder !== undefined) holder.activeAt = ended.endedAt;
    const fact = this.#sent.get(keyOf(ended));
    if (fact !== undefined) fact.ended = ended;
    if (ended.statusCode === 200) this.#received.add(`${ended.webhookId} ${ended.eventId}`);
    this.#trace.note(
      `receiver ${ended.webhookId} ends attempt ${ended.number} of event ${ended.eventId}: ${ended.statusCode ?? 'no answer'}`,
    );
  }

  readonly #clocks = new Map<Actor, NodeClock>();

  #clockOf(node: Actor): NodeClock {
    const clock = this.#clocks.get(node);
    if (clock === undefined) throw new Error('a node has no clock');
    return clock;
  }

  /** What watches the statements of a node. */
  watchOf(node: Actor, clock: NodeClock): Watch {
    this.#clocks.set(node, clock);
    return (statement, parameters, result) => {
      if ((statement as unknown) === claimLanes)
        this.#claimed(node, parameters as never, result as readonly { readonly id: number }[]);
      else if ((statement as unknown) === releaseLanes) this.#released(parameters as never);
      else if ((statement as unknown) === extendLeases) this.#extended(parameters as never);
      else if ((statement as unknown) === updateDelivery) this.#recorded(node, parameters as never);
    };
  }

  #claimed(
    node: Actor,
    { until }: { readonly until: number },
    rows: readonly { readonly id: number }[],
  ): void {
    for (const { id } of rows) {
      const holder = this.#holders.get(id);
      this.#trace.note(`${node.name} claims ${id}`);
      const leftMs = (holder?.until ?? 0) - this.#time.trueTime();
      const isFree = holder === undefined || holder.node.isDead || leftMs <= 0 || this.mayOverlap;
      if (!isFree && holder.node !== node)
        this.#trace.fail(
          'leases',
          `${node.name} claimed ${id}, which ${holder.node.name} holds for another ${leftMs} ms`,
        );
      this.#holders.set(id, { node, until, activeAt: this.#time.now() });
    }
  }

  #released({ webhookIds }: { readonly webhookIds: readonly number[] }): void {
    for (const id of webhookIds) this.#holders.delete(id);
  }

  #extended({ webhookIds, until }: { readonly webhookIds: readonly number[]; readonly until: number }): void {
    for (const id of webhookIds) {
      const holder = this.#holders.get(id);
      if (holder !== undefined) holder.until = until;
    }
  }

  #recorded(
    node: Actor,
    row: {
      readonly deliveryId: number;
      readonly number: number;
      readonly startedAt: number;
      readonly durationUs: number;
      readonly status: string;
      readonly dueAt: number | null;
    },
  ): void {
    const known = this.#view.deliveryById(row.deliveryId);
    const fact = known && this.#sent.get(keyOf({ ...known, number: row.number, node }));
    if (known === undefined || fact === undefined) {
      this.#trace.fail('schedule', `delivery ${row.deliveryId} was recorded and never sent`);
      return;
    }
    const name = `event ${known.eventId} to ${known.webhookId}`;
    this.#trace.note(`${node.name} records ${name}, attempt ${row.number}: ${row.status}`);
    const hasArrived = fact.ended?.statusCode === 200;
    if (row.status === 'delivered') this.counts.delivered += 1;
    if (hasArrived !== (row.status === 'delivered'))
      this.#trace.fail(
        'delivered',
        `${name} counts as ${row.status} after ${fact.ended?.statusCode ?? 'no answer'}`,
      );
    else if (row.status === 'failed') this.#gaveUp(name, fact);
    else if (row.status === 'retrying' && !fact.isProbe) {
      const wasSet = this.#clockOf(node).setAt >= fact.at;
      const endedAt = row.startedAt + row.durationUs / 1000;
      this.#checkPause(name, fact, { endedAt, waitMs: wasSet ? undefined : (row.dueAt ?? 0) - endedAt });
    }
  }

  /** Checks the pause after an attempt; `waitMs` is undefined where the clock was set in the attempt. */
  #checkPause(
    name: string,
    { counted, ended }: Fact,
    { endedAt, waitMs }: { readonly endedAt: number; readonly waitMs: number | undefined },
  ): void {
    const pauseMs = pausesMs[counted];
    if (ended?.statusCode === 410) this.#trace.fail('given up', `${name} goes on after 410`);
    else if (pauseMs === undefined)
      this.#trace.fail('given up', `${name} is tried again after ${counted + 1} attempts`);
    else if (waitMs !== undefined) {
      const asked = Math.min(askedMs(ended, endedAt), retryAfterMsMax);
      const least = Math.max(pauseMs, asked);
      const most = Math.max(pauseMs + addedMs(pauseMs), asked);
      if (waitMs < least - roundingMs || waitMs > most + roundingMs)
        this.#trace.fail(
          'schedule',
          `${name} waits ${waitMs} ms after attempt ${counted + 1} and not ${least} to ${most} ms`,
        );
    }
  }

  #gaveUp(name: string, fact: Fact): void {
    this.counts.givenUp += 1;
    const firstAt = this.#firstSentAt.get(`${fact.webhookId} ${fact.eventId}`) ?? fact.at;
    const triedMs = this.#time.now() - firstAt;
    const isGone = fact.ended?.statusCode === 410 && !fact.isProbe;
    if (isGone) return;
    if (triedMs < scheduleMs - this.movedMs - roundingMs)
      this.#trace.fail('given up', `${name} was given up after ${(triedMs / hours).toFixed(2)} hours`);
    const mostMs = 1.1 * scheduleMs + this.movedMs + hours;
    if (!this.#opened.has(fact.webhookId) && triedMs > mostMs)
      this.#trace.fail(
        'given up',
        `${name} was given up as late as after ${(triedMs / hours).toFixed(2)} hours`,
      );
    if (!fact.isProbe && fact.counted + 1 !== attemptsMax)
      this.#trace.fail('given up', `${name} was given up at attempt ${fact.counted + 1}`);
  }

  /** Checks at the end that everything has arrived that should have, and nothing waits. */
  finish(webhookIds: readonly number[]): void {
    for (const { webhookId, eventId, at, status } of this.#view.expectedDeliveries()) {
      if (!webhookIds.includes(webhookId)) continue;
      if (this.#received.has(`${webhookId} ${eventId}`)) continue;
      // One that has waited for so long is given up with the queue that it is in.
      if (status === null && this.#time.trueTime() - at > deliveryMs - this.movedMs) continue;
      if (status === 'failed' && this.#firstSentAt.has(`${webhookId} ${eventId}`)) continue;
      this.#trace.fail(
        'delivered',
        `event ${eventId} never reached ${webhookId}; it is ${status ?? 'not there'}`,
      );
    }
  }
}

/** How long a receiver asked to be left alone from `at` on, by the clock of the node. */
function askedMs(ended: Ended | undefined, at: number): number {
  const asked = ended?.retryAfter;
  return asked === undefined ? 0 : 'ms' in asked ? asked.ms : asked.until - at;
}

function keyOf({
  webhookId,
  eventId,
  number,
  node,
}: Pick<Sent, 'webhookId' | 'eventId' | 'number' | 'node'>): string {
  return `${webhookId} ${eventId} ${number} ${node.name}`;
}
