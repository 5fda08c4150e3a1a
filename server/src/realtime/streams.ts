import { Readable } from 'node:stream';
import type { Read } from '../db/db.ts';
import {
  blankPayload,
  type EventReader,
  isWholeFor,
  type Thing,
  type Things,
} from '../features/events/things.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { isForModerators, isShownTo, type VisibilityCache } from './app-visibility.ts';
import type { LiveCaller } from './caller.ts';
import { checkPosition, feedEvent, publicPayload, readFeed } from './feed.ts';
import type { EventRow } from './log.store.ts';
import { createOpenStreams, type OpenStreamsOptions, type Stream } from './open-streams.ts';

/**
 * Event streams: responses that carry the log as it grows. A stream opened with a position first reads the events it
 * missed, page by page and as fast as its client reads. At the end of the log it switches to the events of the tail in
 * the same turn of the event loop, so none is lost; `position` keeps any from being sent twice. The open streams are the
 * only state (`open-streams.ts`).
 */

/** How many missed events a page has at most. */
const pageMax = 100;

/** The dependencies of event streams. */
export type StreamsOptions = {
  readonly read: Read;
  readonly clock: Clock;
  readonly log: Log;
  readonly visibilities: VisibilityCache;
  readonly limits: OpenStreamsOptions['limits'];
  /** The follower of the log. */
  readonly tail: () => { begin(): Promise<void>; position(): number | undefined };
};

/** Manages the event streams of this server. */
export function createStreams({ read, clock, log, visibilities, limits, tail }: StreamsOptions) {
  const clients = createOpenStreams({ clock, log, limits });

  /** Sends the next page of missed events; at the end of the log the stream goes live. */
  async function catchUp(stream: Stream): Promise<void> {
    const page = await readFeed(read, stream.principal, { after: stream.position, top: pageMax });
    if (stream.body.destroyed || !clients.all.has(stream)) return;
    stream.position = page.next;
    stream.isLive = !page.hasMore && (tail().position() ?? 0) <= page.next;
    stream.sentAt = performance.now();
    stream.isReading = false;
    // A page without an event for this client gets a comment, so that the next page is read.
    const text = page.events.map((event) => `id: ${event.id}\ndata: ${event.json}\n\n`).join('');
    stream.body.push(text === '' ? ':\n\n' : text);
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
    clients,

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
      clients.add(stream);
      body.once('close', () => {
        clients.remove(stream);
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
      const live = [...clients.all].filter(({ isLive }) => isLive);
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
            if (clients.isExpired(stream)) clients.end(stream);
            else if (clients.all.has(stream)) clients.push(stream, text);
          });
        }
      }
      const last = events.at(-1)?.id ?? 0;
      return () => {
        for (const send of sends) send();
        for (const stream of live) stream.position = Math.max(stream.position, last);
      };
    },
  };
}

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
