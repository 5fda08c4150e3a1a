import type { Failure } from '../api.ts';
import type { Server } from '../connection.ts';
import { parts } from '../later.ts';
import { read as readKept } from '../session.ts';
import { createReading, type Reading } from '../thread/reading.ts';
import type { Order } from '../thread/roots.ts';
import { createThread, type Thread } from '../thread/thread.ts';
import { withExtras } from './content.ts';
import { type Following, follow } from './following.ts';
import type { CommentsHost } from './host.ts';
import { intend } from './intent.ts';

/** The first pause before comments that could not be read are asked for again, and the longest, in milliseconds. */
const firstRetryMs = 5000;
const longestRetryMs = 60_000;

/** A thread with what reads it. */
type Source = {
  readonly server: Server;
  readonly app: string;
  readonly thread: Thread;
  readonly reading: Reading;
};

/** The element, as far as it depends on what it shows. */
type ShowingHost = CommentsHost & {
  readonly root: ParentNode;
  failure: Failure | undefined;
  isReading: boolean | undefined;
  total: number | undefined;
  /** Resolves when what is drawn around the comments is loaded, so that nothing moves when it comes. */
  ready(): Promise<unknown>;
};

/**
 * Creates what the element shows: the comments of an app in an order, as one person sees them. What is shown stays until
 * the comments that are wanted in its place are read. While it is near the screen, changes are followed.
 */
export function createShowing(host: ShowingHost) {
  let shown: Source | undefined;
  let wanted: Source;
  let key = '';
  let following: Following | undefined;
  let isNear = false;
  let retryMs = firstRetryMs;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function read(): Promise<void> {
    clearTimeout(retry);
    const source = wanted;
    host.isReading = true;
    const failure = await source.reading.threads();
    await host.ready();
    if (source !== wanted) return;
    host.isReading = false;
    host.failure = failure;
    if (failure !== undefined) return readLater(failure);
    retryMs = firstRetryMs;
    following?.end();
    shown = source;
    following = follow(host, (total) => {
      host.total = total ?? host.total;
    });
    host.total = source.thread.total();
    await host.redraw();
    await followHash();
    following.watch(isNear);
    for (const each of host.extensions) each.read?.(host);
    // Something has been written on this site and not been sent.
    if (readKept('confab-write') !== undefined) void intend(host, 'more');
    if (host.total === undefined) host.total = await source.reading.count();
  }

  /** A server that restarts, or is asked too much, is asked again. */
  function readLater({ status, retryAfter }: Failure): void {
    if (status > 0 && status < 500 && status !== 429) return;
    const delayMs = (retryAfter ?? 0) * 1000 || retryMs;
    retryMs = Math.min(retryMs * 2, longestRetryMs);
    retry = setTimeout(() => void read(), delayMs);
  }

  /** Shows the comment that the address of the page names. */
  async function followHash(): Promise<void> {
    const id = /^#comment-(\d+)$/.exec(location.hash)?.[1];
    if (id !== undefined) await host.show(Number(id));
  }

  function near(now: boolean): void {
    isNear = now;
    if (shown?.thread.isRead()) following?.watch(now);
  }

  return {
    /** What is shown; before the first comments are read, what is going to be. */
    source: () => shown ?? wanted,

    /** Begins anew where another app, server, order or person is meant. */
    begin(server: Server, app: string, order: Order): void {
      const { session } = server;
      const next = [server.url, app, order, session.isKnown, session.user?.id].join(' ');
      if (next === key) return;
      key = next;
      const thread = createThread(order, (isLive) => {
        const drawn = host.redraw();
        if (isLive) void host.keepPlace?.(host.root, drawn);
      });
      const reader = { api: withExtras(server.api), opens: () => opensPage(host, server, app) };
      const reading = createReading(reader, app, thread);
      wanted = { server, app, thread, reading: host.reads?.(reading, thread) ?? reading };
      shown ??= wanted;
      if (session.isKnown) void read();
    },

    read,
    followHash,

    /** Shows a comment at its place. Resolves to whether it is there. */
    show: (id: number) =>
      parts.seldom().then(
        (part) => part.show(host, id),
        () => {
          host.explain();
          return false;
        },
      ),

    /** Notes whether the element is near the screen. */
    near,

    /** Notes whether a thread is near the screen. */
    look: (root: number, isLooked: boolean) => following?.look(root, isLooked),

    /** Hears of the changes of an app that was not there before. */
    followAgain(): void {
      following?.watch(false);
      near(isNear);
    },

    /** Asks for nothing more, until it is read again. */
    stop(): void {
      clearTimeout(retry);
      near(false);
    },
  };
}

/** Whether the first comment creates the app, which is not there. */
function opensPage(host: CommentsHost, server: Server, app: string): Promise<boolean> {
  return parts.seldom().then(
    (part) => part.opensPage(host, server, app),
    () => false,
  );
}
