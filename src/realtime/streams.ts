import { Readable } from 'node:stream';
import type { Read } from '../db/db.ts';
import {
  blankPayload,
  type EventReader,
  isWholeFor,
  type Thing,
  type Things,
} from '../features/events/things.ts';
import type { ClientLimits } from '../http/limits/client-limits.ts';
import type { Prove } from '../http/request.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Principal } from '../kernel/principal.ts';
import { isForModerators, isShownTo, type VisibilityCache } from './app-visibility.ts';
import { type LiveCaller, proveAll } from './caller.ts';
import { checkPosition, feedEvent, publicPayload, readFeed } from './feed.ts';
import type { EventRow } from './log.store.ts';
import { waitingBytesMaxOf } from './wire.ts';

/**
 * Event streams: responses that carry the log as it grows. A stream opened with a position first reads the events it
 * missed, page by page and as fast as its client reads. At the end of the log it switches to the events of the tail in
 * the same turn of the event loop, so none is lost; `position` keeps any from being sent twice.
 */

/** The longest silence of a stream, so that no proxy closes it as idle. */
const heartbeatMs = 15_000;
/** How long a client may leave a page of missed events unread. */
const pageReadMsMax = 60_000;
/** How many missed events a page has at most. */
const pageMax = 100;

type Stream = {
  readonly body: Readable;
  readonly prove: Prove;
  /** As it was proved last; its user is always the one who opened the stream. */
  principal: Principal;
  position: number;
  isLive: boolean;
  isReading: boolean;
  sentAt: number;
  provedAt: number;
  /** Bytes that waited at the last heartbeat; the same number again means that the client does not read. */
  unreadBytes: number;
};

/** The dependencies of event streams. */
export type StreamsOptions = {
  readonly read: Read;
  readonly clock: Clock;
  readonly log: Log;
  readonly visibilities: VisibilityCache;
  /** How often an API key or a session is checked again: neither appends an event when it ends. */
  readonly limits: Pick<ClientLimits, 'provedEveryMs'>;
  /** The follower of the log. */
  readonly tail: () => { begin(): Promise<void>; position(): number | undefined };
};

/** Manages the event streams of this server. */
export function createStreams({ read, clock, log, visibilities, limits, tail }: StreamsOptions) {
  const all = new Set<Stream>();
  const ofUser = new Map<number, Set<Stream>>();

  /** The text of an event in one of its forms. */
  function lineOf(
    event: EventRow,
    { thing, reader }: { thing: Thing | undefined; reader: EventReader },
  ): string {
    const { id } = event;
    const isWhole = thing === undefined || isWholeFor(thing, reader);
    const payload = isWhole ? event.payload : blankPayload(event);
    return `id: ${id}\ndata: ${feedEvent(id, reader.kind === 'key' ? payload : publicPayload(payload))}\n\n`;
  }

  function end(stream: Stream): void {
    remove(stream);
    if (!stream.body.destroyed) stream.body.push(null);
  }

  function countOf(userId: number): number {
    return ofUser.get(userId)?.size ?? 0;
  }

  function add(stream: Stream): void {
    const { id } = stream.principal.user;
    all.add(stream);
    ofUser.set(id, (ofUser.get(id) ?? new Set()).add(stream));
  }

  function remove(stream: Stream): void {
    const { id } = stream.principal.user;
    all.delete(stream);
    ofUser.get(id)?.delete(stream);
    if (ofUser.get(id)?.size === 0) ofUser.delete(id);
  }

  function push(stream: Stream, text: string): void {
    const { id } = stream.principal.user;
    if (stream.body.readableLength > waitingBytesMaxOf(countOf(id))) {
      log.warn({ user_id: id }, 'an event stream was cut because its reader cannot keep up');
      remove(stream);
      stream.body.destroy();
      return;
    }
    stream.sentAt = performance.now();
    stream.body.push(text);
  }

  /** Sends the next page of missed events; at the end of the log the stream goes live. */
  async function catchUp(stream: Stream): Promise<void> {
    const page = await readFeed(read, stream.principal, { after: stream.position, top: pageMax });
    if (stream.body.destroyed || !all.has(stream)) return;
    stream.position = page.next;
    stream.isLive = !page.hasMore && (tail().position() ?? 0) <= page.next;
    stream.sentAt = performance.now();
    stream.isReading = false;
    // A page without an event for this client gets a comment, so that the next page is read.
    const text = page.events.map((event) => `id: ${event.id}\ndata: ${event.json}\n\n`).join('');
    stream.body.push(text === '' ? ':\n\n' : text);
  }

  /** Checks the credentials of streams again; ends those whose credential has ended. */
  async function proveStreams(some: readonly Stream[]): Promise<void> {
    await proveAll(some, {
      hold: (stream, principal) => {
        stream.principal = principal;
        stream.provedAt = performance.now();
      },
      end,
    });
  }

  function isExpired({ principal }: Stream): boolean {
    return principal.expiresAt !== undefined && principal.expiresAt <= clock.now();
  }

  /** The client of a stream as a reader of an event, if it may see the event; no statement where the visibility is cached. */
  async function readerOf(event: EventRow, { principal }: Stream): Promise<EventReader | undefined> {
    if (principal.kind === 'key') return { kind: 'key' };
    const userId = principal.user.id;
    const user = { kind: 'token', userId, isModerator: false } as const;
    if (event.appId === null) return event.userId === userId ? user : undefined;
    if (event.userId !== null && event.userId !== userId && !isForModerators(event.action)) return undefined;
    const visibility = (await visibilities.of(read, event.appId, [userId])).get(userId);
    if (visibility === undefined || !isShownTo(event, userId, visibility)) return undefined;
    return { ...user, isModerator: visibility.isModerator };
  }

  return {
    /** How many streams are open. */
    count: (): number => all.size,

    /** Whether a stream gets the next events. */
    hasLive: (): boolean => [...all].some(({ isLive }) => isLive),

    /** How many streams a user has. */
    countOf,

    /** Opens a stream that begins after a position, or with the next event. Returns its body. Throws `position_gone`. */
    async open({ principal, prove }: LiveCaller, after: number | undefined): Promise<Readable> {
      const body = new Readable({
        read() {
          if (stream.isLive || stream.isReading) return;
          stream.isReading = true;
          catchUp(stream).catch((error: unknown) => {
            log.error({ err: error }, 'an event stream could not read the log');
            body.destroy();
          });
        },
      });
      const stream: Stream = {
        body,
        prove,
        principal,
        position: after ?? 0,
        isLive: false,
        isReading: false,
        sentAt: performance.now(),
        provedAt: performance.now(),
        unreadBytes: 0,
      };
      add(stream);
      body.once('close', () => {
        remove(stream);
        visibilities.forgetUser(principal.user.id);
      });
      try {
        await tail().begin();
        if (after !== undefined) await checkPosition(read, after);
      } catch (error) {
        body.destroy();
        throw error;
      }
      if (after === undefined) {
        stream.position = tail().position() ?? 0;
        stream.isLive = true;
      }
      // The first bytes send the headers. An id without data is no event, but a client that returns before the first
      // event sends it as `Last-Event-ID`, so it misses nothing.
      body.push(`id: ${stream.position}\n\n`);
      return body;
    },

    /**
     * Selects the streams that get each event, given what the events are about; the function it returns sends the events.
     */
    async address(events: readonly EventRow[], things: Things): Promise<() => void> {
      const sends: (() => void)[] = [];
      const live = [...all].filter(({ isLive }) => isLive);
      for (const event of events) {
        const thing = things.get(event.id);
        const lines = new Map<string, string>();
        for (const stream of live) {
          if (event.id <= stream.position) continue;
          const reader = await readerOf(event, stream);
          if (reader === undefined) continue;
          const form = `${reader.kind} ${isWholeFor(thing, reader)}`;
          const text = lines.get(form) ?? lineOf(event, { thing, reader });
          lines.set(form, text);
          sends.push(() => {
            if (isExpired(stream)) end(stream);
            else if (all.has(stream)) push(stream, text);
          });
        }
      }
      const last = events.at(-1)?.id ?? 0;
      return () => {
        for (const send of sends) send();
        for (const stream of live) stream.position = Math.max(stream.position, last);
      };
    },

    /** Checks the credentials of the streams of users again; ends those whose credential has ended. */
    proveAgain: (userIds: readonly number[]): Promise<void> =>
      proveStreams(userIds.flatMap((id) => [...(ofUser.get(id) ?? [])])),

    /** Sends heartbeats, and ends streams whose credential has expired or whose client does not read. */
    async sweep(): Promise<void> {
      const now = performance.now();
      for (const stream of [...all]) {
        const silentMs = now - stream.sentAt;
        if (isExpired(stream)) end(stream);
        else if (!stream.isLive && silentMs > pageReadMsMax) stream.body.destroy();
        else if (stream.isLive && silentMs >= heartbeatMs) {
          const waiting = stream.body.readableLength;
          if (waiting > 0 && waiting === stream.unreadBytes) stream.body.destroy();
          else push(stream, ':\n\n');
          stream.unreadBytes = stream.body.readableLength;
        }
      }
      const endsUnseen = ({ principal: { kind, isSession } }: Stream) => kind === 'key' || isSession === true;
      await proveStreams(
        [...all].filter((stream) => endsUnseen(stream) && now - stream.provedAt >= limits.provedEveryMs),
      );
    },

    endAll(): void {
      for (const stream of [...all]) end(stream);
    },
  };
}
