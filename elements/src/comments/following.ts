import type { Failure } from '../api.ts';
import { parts } from '../later.ts';
import { watchStream } from '../live.ts';
import type { CommentsHost } from './host.ts';

/**
 * Follows the changes of an app while its comments are on the screen: reads again what is shown, what was far from the screen
 * when it comes near, and has it said how many new comments wait. One read runs at a time; what changes meanwhile is read after it.
 */

/** How long caches may keep an answer. After a change, everything is read once more when they have given it up. */
const settleMs = 11_000;
/** How long what was read counts as new, in milliseconds: when the stream opens in this time, reading again can wait for caches. */
const youngMs = 3000;

/** Follows what a host shows. */
export type Following = {
  /** Notes whether a thread is near the screen. */
  look(root: number, isNear: boolean): void;
  /** Hears of changes from now on, or no more. */
  watch(isWatching: boolean): void;
  /** Ends, for another app or order. */
  end(): void;
};

/** Begins to follow the thread that a host shows now. `count` is given the number of all comments. */
export function follow(host: CommentsHost, count: (total: number | undefined) => void): Following {
  const { thread, reading, server, app } = host;
  const near = new Set<number>();
  /** What was not read again after a change, because it was far from the screen. */
  const stale = new Set<number>();
  let unwatch: (() => void) | undefined;
  /** Resolves to what ends what is shown of people; undefined until the server has said something of them. */
  let people: Promise<(() => void) | undefined> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  let isReading = false;
  let hasChanged = false;
  let isEnded = false;
  let readAt = Date.now();

  /**
   * A page is opened more often than its comments change: what came in the moment before the stream was open is read later.
   * Where there are many readers, a message names the time within which each of them reads.
   */
  function change(message: string): void {
    if (Date.now() - readAt < youngMs) settleAfter(settleMs);
    else if (!isWaiting) {
      isWaiting = true;
      setTimeout(
        () => {
          isWaiting = false;
          void read(false);
        },
        Math.random() * Number(/\d+/.exec(message)),
      );
    }
    readAt = Number.NaN;
  }

  async function read(isSettling: boolean): Promise<void> {
    hasChanged = true;
    if (isReading || isEnded) return;
    isReading = true;
    const part = await parts.seldom().catch(() => undefined);
    let failure: Failure | undefined;
    host.keepPlace ??= part?.keepPlace;
    while (part && hasChanged && failure === undefined && !isEnded) {
      hasChanged = false;
      for (const { ids } of thread.segments()) for (const id of ids) stale.add(id);
      for (const id of near) stale.delete(id);
      failure = await part.refresh(host, near);
      count(thread.total() ?? (isSettling ? await reading.count() : undefined));
    }
    isReading = false;
    part?.announceNew(host);
    if (!isSettling || hasChanged || failure !== undefined)
      settleAfter((failure?.retryAfter ?? 0) * 1000 || settleMs);
  }

  function hear(messages: readonly string[] = ['']): void {
    for (const message of messages)
      if (/^event: [tp]/.test(message))
        people = parts
          .seldom()
          .then((part) => part.hearPeople(host, message))
          .catch(() => undefined);
      else change(message);
    if (!messages.length) void people?.then((end) => end?.());
  }

  function settleAfter(delayMs: number): void {
    if (!isEnded && unwatch !== undefined)
      settling ??= setTimeout(() => {
        settling = undefined;
        void read(true);
      }, delayMs);
  }

  const following: Following = {
    look(root, isNear) {
      if (isNear) near.add(root);
      else near.delete(root);
      if (isNear && unwatch !== undefined && stale.has(root)) void read(false);
    },
    watch(isWatching) {
      if (isWatching === (unwatch !== undefined)) return;
      unwatch?.();
      // Whoever reads them counts as present.
      const path = `/api/apps/${encodeURIComponent(app)}/changes?page=true&present=true`;
      unwatch = isWatching ? watchStream(server.api, { path, news: /^event/ }, hear) : undefined;
      clearTimeout(settling);
      settling = undefined;
    },
    end() {
      isEnded = true;
      following.watch(false);
    },
  };
  return following;
}
