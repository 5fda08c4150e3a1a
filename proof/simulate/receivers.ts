import type { Egress, EgressResult } from 'confab-server/src/net/egress.ts';
import type { Machine } from './machine.ts';
import type { Actor } from './simulated-time.ts';

/** How a receiver behaves for a while. */
export type Mood =
  | 'well'
  | 'failing'
  | 'unreachable'
  | 'late'
  | 'cutting'
  | 'gone'
  | 'throttling'
  | 'gateway';

/** The deadline of an attempt (docs/webhooks.md), in milliseconds. */
const deadlineMs = 15_000;

/** An attempt as it left a node. */
export type Sent = {
  readonly webhookId: number;
  readonly eventId: number;
  readonly action: string;
  readonly guid: string;
  readonly number: number;
  readonly sequence: number;
  readonly node: Actor;
  readonly at: number;
};

/** The end of an attempt: what the receiver did, whether or not the node learned it. */
export type Ended = Sent & {
  readonly endedAt: number;
  readonly statusCode: number | undefined;
  /** What the `Retry-After` of the answer says: milliseconds from then on, or a date. */
  readonly retryAfter: RetryAfter;
};

/** Called as attempts begin and end. */
export type Listener = {
  readonly onSent: (sent: Sent) => void;
  readonly onEnded: (ended: Ended) => void;
};

type RetryAfter = { readonly ms: number } | { readonly until: number } | undefined;

type Plan = {
  readonly afterMs: number;
  readonly result: EgressResult;
  readonly retryAfter: RetryAfter;
};

/** The receivers of a run. */
export class Receivers {
  readonly #machine: Machine;
  readonly #listener: Listener;
  readonly #moods = new Map<number, Mood>();
  /** The events that a receiver refuses whatever its mood. */
  readonly #refused = new Map<number, Set<number>>();
  readonly #refusesNext = new Set<number>();
  /** How many attempts are under way. */
  inFlight = 0;

  constructor(machine: Machine, listener: Listener) {
    this.#machine = machine;
    this.#listener = listener;
  }

  setMood(webhookId: number, mood: Mood): void {
    this.#moods.set(webhookId, mood);
  }

  /** Makes a receiver refuse the next event that is new to it, from then on. */
  refuseNext(webhookId: number): void {
    this.#refusesNext.add(webhookId);
  }

  /** Makes no receiver refuse an event any more. */
  takeEverything(): void {
    this.#refusesNext.clear();
    this.#refused.clear();
  }

  /** Whether a receiver refuses an event whatever its mood. */
  refuses(webhookId: number, eventId: number): boolean {
    return this.#refused.get(webhookId)?.has(eventId) === true;
  }

  /** The way from a node to all receivers. */
  egress(actor: Actor): Egress {
    const { time } = this.#machine;
    const post = (
      _url: string,
      { headers, body }: { headers: Readonly<Record<string, string>>; body: unknown },
    ) =>
      new Promise<EgressResult>((resolve) => {
        if (this.#machine.cutsAt(actor)) return;
        const sent = this.#sentOf(headers, String(body), actor);
        this.#listener.onSent(sent);
        this.inFlight += 1;
        const plan = this.#planFor(sent);
        const { statusCode } = { statusCode: undefined, ...plan.result };
        const answer = () => {
          if (!this.#machine.cutsAt(actor)) resolve(plan.result);
        };
        time.after(time.world, plan.afterMs, () => {
          this.inFlight -= 1;
          const { retryAfter } = plan;
          this.#listener.onEnded({ ...sent, endedAt: time.now(), statusCode, retryAfter });
          if (plan.afterMs < deadlineMs) time.after(actor, 1, answer);
        });
        if (plan.afterMs >= deadlineMs) time.after(actor, deadlineMs, answer);
      });
    return {
      post,
      get: () => Promise.reject(new Error('nothing is read')),
      stream: () => Promise.reject(new Error('nothing is asked')),
      close: async () => {},
    };
  }

  #sentOf(headers: Readonly<Record<string, string>>, body: string, node: Actor): Sent {
    const of = (name: string): string => headers[`X-Weavy-${name}`] ?? '';
    const { id } = JSON.parse(body) as { id: number };
    return {
      webhookId: Number(of('Hook-ID')),
      eventId: id,
      action: of('Action'),
      guid: of('Delivery'),
      number: Number(of('Attempt')),
      sequence: Number(of('Sequence')),
      node,
      at: this.#machine.time.now(),
    };
  }

  #planFor({ webhookId, eventId, number }: Sent): Plan {
    const { random, time } = this.#machine;
    const quickMs = random.integer(2, 300);
    if (number === 1 && this.#refusesNext.delete(webhookId)) {
      const some = this.#refused.get(webhookId) ?? new Set();
      this.#refused.set(webhookId, some.add(eventId));
    }
    if (this.refuses(webhookId, eventId)) return answered(500, quickMs);
    switch (this.#moods.get(webhookId) ?? 'well') {
      case 'well':
        return answered(200, random.oneIn(30) ? random.integer(1000, 14_000) : quickMs);
      case 'failing':
        return answered(random.draw([500, 404, 301, 400]), quickMs);
      case 'gateway':
        return answered(random.draw([502, 504]), random.integer(1000, 9000));
      case 'gone':
        return answered(410, quickMs);
      case 'unreachable':
        return failed('connect_refused', quickMs);
      case 'cutting':
        return failed('reset', quickMs);
      case 'late':
        // It does the work and answers after the deadline, so the node learns nothing of it.
        return failed('timeout', random.integer(deadlineMs, 40_000));
      case 'throttling': {
        const seconds = random.draw([1, 30, 600, 7200, 100_000]);
        const until = time.trueTime() + quickMs + seconds * 1000;
        const isDate = random.oneIn(2);
        const header = isDate ? new Date(until).toUTCString() : String(seconds);
        return {
          ...answered(random.draw([429, 503]), quickMs, { 'retry-after': header }),
          retryAfter: isDate ? { until } : { ms: seconds * 1000 },
        };
      }
    }
  }
}

function answered(statusCode: number, afterMs: number, headers: Record<string, string> = {}): Plan {
  const result = { answered: true, statusCode, headers, body: Buffer.from('ok'), truncated: false } as const;
  return { afterMs, result: { ...result, durationMs: afterMs }, retryAfter: undefined };
}

function failed(errorCode: 'connect_refused' | 'reset' | 'timeout', afterMs: number): Plan {
  const durationMs = Math.min(afterMs, deadlineMs);
  return {
    afterMs,
    result: { answered: false, errorCode, permanent: false, durationMs },
    retryAfter: undefined,
  };
}
