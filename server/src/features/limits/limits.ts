import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import {
  type RateCaller,
  type RateKind,
  type RateLimits,
  type RateOutcome,
  type Rates,
  windowSecondsOf,
} from '../../kernel/rate-limits.ts';
import { createShares, type Share } from './shares.ts';
import { Sketch } from './sketch.ts';

/**
 * Limits on how much each person, API key and address asks for, by kind of operation (decision 0067).
 *
 * Requests are counted in fixed windows, which begin at the same moments on all nodes. A sketch counts every subject in a
 * fixed amount of memory. On a store with several nodes, the quotas of busy subjects are shared as well (`shares.ts`).
 */

/** The counts of one length of window. */
type Window = {
  readonly ms: number;
  readonly counts: Sketch;
  readonly shares: Map<string, Share>;
  endsAt: UnixMs;
};

/** One request of a subject. */
type RateRequest = {
  readonly role: RateCaller;
  readonly kind: RateKind;
  readonly quota: number;
  readonly subject: string;
  readonly window: Window;
};

/** Creates the limits of a server from the rates of each role. */
export function createRateLimits(
  parts: {
    readonly db: Db;
    readonly clock: Clock;
    readonly log: Log;
    readonly metrics?: Metrics | undefined;
  },
  ratesOf: { readonly [R in RateCaller]: Rates },
): RateLimits {
  const { clock, metrics } = parts;
  const windows = new Map<number, Window>();
  const shares = createShares(parts, ({ subject, endsAt, quota }) => {
    const kind = subject.slice(subject.lastIndexOf(' ') + 1) as RateKind;
    const window = windowOf(kind);
    if (window.endsAt !== endsAt) return undefined;
    return window.shares.get(subject) ?? shared({ subject, quota, window }, window.counts.count(subject));
  });

  /** The window of a kind that is open now, empty if it has just begun. */
  function windowOf(kind: RateKind): Window {
    const ms = windowSecondsOf[kind] * 1000;
    let window = windows.get(ms);
    if (window === undefined) {
      window = { ms, counts: new Sketch(), shares: new Map(), endsAt: 0 };
      windows.set(ms, window);
    }
    const endsAt = (Math.floor(clock.now() / ms) + 1) * ms;
    if (window.endsAt !== endsAt) {
      window.endsAt = endsAt;
      window.counts.clear();
      shares?.close(window.shares.size);
      window.shares.clear();
    }
    return window;
  }

  function askedOf(role: RateCaller, id: string, kind: RateKind): RateRequest | undefined {
    const quota = ratesOf[role][kind];
    if (quota === undefined) return undefined;
    return { role, kind, quota, subject: `${id} ${kind}`, window: windowOf(kind) };
  }

  function shared(
    { subject, quota, window }: Pick<RateRequest, 'subject' | 'quota' | 'window'>,
    used: number,
  ) {
    const share = shares?.open({ subject, quota, used, endsAt: window.endsAt });
    if (share !== undefined) window.shares.set(subject, share);
    return share;
  }

  /** Counts a request by this node alone. */
  function count(request: RateRequest): RateOutcome {
    const { quota, subject, window } = request;
    const { counts } = window;
    const before = counts.count(subject);
    if (before >= quota) return usageOf(request, { remaining: 0, isRefused: true });
    const used = counts.add(subject);
    if (shares?.isOwn(used, quota) === false) {
      const share = shared(request, used);
      if (share !== undefined) shares.announce(share);
    }
    return usageOf(request, { remaining: quota - used, isRefused: false });
  }

  function usageOf(request: RateRequest, rest: Pick<RateOutcome, 'remaining' | 'isRefused'>): RateOutcome {
    const { role: caller, kind } = request;
    if (rest.isRefused) metrics?.count('confab_rate_limited_total', { caller, kind });
    return stateOf(request, rest);
  }

  function stateOf(
    { role, kind, quota, window }: RateRequest,
    rest: Pick<RateOutcome, 'remaining' | 'isRefused'>,
  ): RateOutcome {
    const seconds = Math.max(1, Math.ceil((window.endsAt - clock.now()) / 1000));
    return { role, kind, quota, seconds, ...rest };
  }

  return {
    take(role, id, kind) {
      const request = askedOf(role, id, kind);
      if (request === undefined) return undefined;
      const share = request.window.shares.get(request.subject);
      if (share === undefined || shares === undefined) return count(request);
      const answer = (isTaken: boolean) =>
        usageOf(request, { remaining: isTaken ? shares.remainingOf(share) : 0, isRefused: !isTaken });
      const isTaken = shares.take(share);
      return typeof isTaken === 'boolean' ? answer(isTaken) : isTaken.then(answer);
    },

    takeNow(role, id, kind) {
      const request = askedOf(role, id, kind);
      if (request === undefined) return undefined;
      const share = request.window.shares.get(request.subject);
      if (share === undefined || shares === undefined) return count(request);
      const isTaken = shares.takeNow(share);
      return usageOf(request, { remaining: shares.remainingOf(share), isRefused: !isTaken });
    },

    peek(role, id, kind) {
      const request = askedOf(role, id, kind);
      if (request === undefined) return undefined;
      const { quota, subject, window } = request;
      const share = window.shares.get(subject);
      const remaining =
        share === undefined || shares === undefined
          ? Math.max(quota - window.counts.count(subject), 0)
          : shares.remainingOf(share);
      return stateOf(request, { remaining, isRefused: remaining === 0 });
    },
  };
}
