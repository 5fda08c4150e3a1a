import { createHash } from 'node:crypto';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { forgetTaken, storeTaken, takenOf } from './shares.store.ts';

/**
 * How nodes share the quotas of busy subjects (decision 0067).
 *
 * A node counts by itself what takes little of a quota. Beyond that, the quota becomes *shared*: a row says how much of it
 * all nodes together have taken. A node adds to the row what it has counted so far, and then takes portions of what is
 * left ahead of the requests, an eighth at a time, so that portions shrink towards the end. Because transactions run one
 * after the other on all nodes, the portions never exceed the quota. The node that makes a quota shared, and one that finds
 * nothing left, notifies the others: they add what they have counted, and give back what they took and have not used.
 *
 * Each node has at most one exchange at a time, for all its subjects, so the statements do not grow with the requests.
 */

/** The part of a quota that a node counts by itself, so that ordinary callers cost the database nothing. */
const ownPart = 16;
/** The part of what is left that a node takes at a time. */
const portionPart = 8;
/** The most quotas that a node shares at a time; it counts further ones by itself. */
const sharesMax = 50_000;
/** The most quotas in one exchange. */
const exchangedMax = 500;
/** How long a node that found nothing left waits before it looks whether others gave something back; it doubles. */
const pauseMsFirst = 100;
const pauseMsMax = 4000;
/** How long rows are kept after their window, so that the clocks of nodes may differ. */
const keptMs = 120_000;

/** A quota in one window that nodes share. */
export type Share = {
  readonly subject: string;
  readonly endsAt: UnixMs;
  readonly quota: number;
  /** The requests that this node has let through. */
  used: number;
  /** The amount that this node has added to the row. */
  covered: number;
  /** The total that all nodes had taken when the row was last read. */
  taken: number;
  /** Until when nothing is asked for, because nothing was left; by the clock of the process. */
  pausedUntil: number;
  pauseMs: number;
};

/** The shared quotas of this node. */
export type Shares = {
  /** Whether this many requests are so few that a node counts them by itself. */
  isOwn(count: number, quota: number): boolean;
  /** Shares a quota of which this node has let `used` requests through; undefined where it shares too many. */
  open(share: Pick<Share, 'subject' | 'endsAt' | 'quota' | 'used'>): Share | undefined;
  /** Adds what this node has counted so far, and notifies the others that the quota is shared. */
  announce(share: Share): void;
  /** Lets one request through; false when nothing is left. It is a promise where the other nodes have to be asked. */
  take(share: Share): boolean | Promise<boolean>;
  /** The same at once; what was not there is added afterwards. */
  takeNow(share: Share): boolean;
  /** How much is left, as far as this node knows. */
  remainingOf(share: Share): number;
  /** Forgets the shares of a window. */
  close(count: number): void;
};

/** A message to the other nodes: a quota is shared, or used up. */
type Notice = Pick<Share, 'subject' | 'endsAt' | 'quota'>;

/** The demand for a share in one exchange. */
type Asking = { wants: boolean; answered: PromiseWithResolvers<void> };

/**
 * Creates the shares of a node; undefined where it has the store to itself. `onNotice` is called when another node reports
 * a quota, and returns this node's share of it, if it has the same window.
 */
export function createShares(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log },
  onNotice: (notice: Notice) => Share | undefined,
): Shares | undefined {
  const { peers } = db;
  if (peers === undefined) return undefined;
  /** The shares of the next exchange, and of the running one. */
  const requests = new Map<Share, Asking>();
  let running = new Map<Share, Asking>();
  let open = 0;
  let isFailing = false;
  let forgottenAt = 0;

  function notify({ subject, endsAt, quota }: Share): void {
    peers?.send('limits', JSON.stringify([subject, endsAt, quota]));
  }

  peers.onMessage('limits', (text) => {
    const [subject, endsAt, quota] = JSON.parse(text) as [string, number, number];
    const share = onNotice({ subject, endsAt, quota });
    // Portions that other nodes gave back are available to all nodes.
    if (share !== undefined && share.used !== share.covered) void ask(share, { wants: false });
  });

  /** Settles a share in the next exchange. */
  function ask(share: Share, { wants }: { wants: boolean }): Promise<void> {
    const current = running.get(share);
    if (wants && current?.wants === true) return current.answered.promise;
    const asking = requests.get(share) ?? { wants, answered: Promise.withResolvers<void>() };
    asking.wants ||= wants;
    requests.set(share, asking);
    if (running.size === 0) void run();
    return asking.answered.promise;
  }

  async function run(): Promise<void> {
    while (requests.size > 0) {
      running = new Map([...requests].slice(0, exchangedMax));
      for (const share of running.keys()) requests.delete(share);
      try {
        await exchange(running);
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.warn({ err: error }, 'each node counts rate limits alone until the store answers');
        isFailing = true;
      }
      const ended = running;
      running = new Map();
      for (const { answered } of ended.values()) answered.resolve();
    }
  }

  async function exchange(batch: ReadonlyMap<Share, Asking>): Promise<void> {
    const asking = [...batch].map(([share, { wants }]) => {
      return { share, wants, key: keyOf(share), more: share.used - share.covered };
    });
    const now = clock.now();
    const isForgetting = now - forgottenAt > keptMs;
    const settled = await db.write(async (tx) => {
      const rows = await tx.all(takenOf, { keys: asking.map(({ key }) => key) });
      const before = new Map(rows.map(({ key, taken }) => [key, taken]));
      const results = asking.map(({ share, wants, key, more }) => {
        const base = (before.get(key) ?? 0) + more;
        const remaining = Math.max(share.quota - base, 0);
        const portion = wants ? Math.min(remaining, Math.max(1, Math.floor(remaining / portionPart))) : 0;
        return { key, share, wants, portion, added: more + portion, taken: base + portion };
      });
      const shares = results.map(({ key, taken, share: { endsAt } }) => ({ key, taken, endsAt }));
      await tx.run(storeTaken, { shares: JSON.stringify(shares) });
      if (isForgetting) await tx.run(forgetTaken, { before: now - keptMs });
      return results;
    });
    if (isForgetting) forgottenAt = now;
    for (const { share, wants, portion, added, taken } of settled) {
      share.covered += added;
      share.taken = taken;
      if (portion > 0) share.pauseMs = pauseMsFirst;
      else if (wants) pause(share);
    }
  }

  /** Nothing is left: others may give back what they have not used. */
  function pause(share: Share): void {
    share.pausedUntil = performance.now() + share.pauseMs;
    share.pauseMs = Math.min(share.pauseMs * 2, pauseMsMax);
    notify(share);
  }

  function takeCovered(share: Share): boolean | undefined {
    if (share.used >= share.covered && performance.now() < share.pausedUntil) return false;
    if (share.used >= share.covered) return undefined;
    share.used += 1;
    return true;
  }

  async function takeAfterAsking(share: Share): Promise<boolean> {
    for (;;) {
      await ask(share, { wants: true });
      if (isFailing) return takeAlone(share);
      const isTaken = takeCovered(share);
      if (isTaken !== undefined) return isTaken;
    }
  }

  /** Lets a request through as far as this node knows. */
  function takeAlone(share: Share): boolean {
    if (share.used >= share.quota) return false;
    share.used += 1;
    return true;
  }

  return {
    isOwn: (count, quota) => count <= quota / ownPart,
    open(share) {
      if (open >= sharesMax) return undefined;
      open += 1;
      return { ...share, covered: 0, taken: 0, pausedUntil: 0, pauseMs: pauseMsFirst };
    },
    announce(share) {
      notify(share);
      void ask(share, { wants: true });
    },
    take: (share) => takeCovered(share) ?? takeAfterAsking(share),
    takeNow(share) {
      const isTaken = takeCovered(share);
      if (isTaken !== undefined) return isTaken;
      void ask(share, { wants: true });
      return takeAlone(share);
    },
    remainingOf: ({ quota, taken, covered, used }) =>
      Math.min(Math.max(quota - taken + covered - used, 0), quota),
    close(count) {
      open -= count;
    },
  };
}

/** The name of the row of a share, from which neither a person nor an address can be read. */
function keyOf({ subject, endsAt }: Share): string {
  return createHash('sha256').update(`${subject} ${endsAt}`).digest('base64url');
}
