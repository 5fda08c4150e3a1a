import { Readable } from 'node:stream';
import type { Read } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Principal } from '../kernel/principal.ts';
import { Problem } from '../kernel/problem.ts';
import { feedEvent, publicPayload, readFeed } from './feed.ts';
import type { EventRow } from './log.store.ts';
import { isShownTo, type Standings } from './standing.ts';
import { waitingBytesMaxOf } from './wire.ts';

/**
 * Readers of the log who get it as it grows. One that comes with a position first reads what it missed, page by page
 * and as fast as it takes it; when it has come to the end it goes over to what the tail tells, in the same turn of the
 * event loop, so nothing lies between the two. `position` keeps what both bring from being sent twice.
 */

/** How often something is sent at least, in milliseconds, so that nobody on the way takes the line for dead. */
const heartbeatMs = 15_000;
/** How often an API key is proved again, in milliseconds: one that a command revokes leaves no event. */
const proveKeyMs = 15_000;
/** How long a reader may leave a page of missed events where it is. */
const stuckMs = 60_000;
/** How many missed events are read at a time. */
const pageMax = 100;

type Stream = {
  readonly body: Readable;
  readonly prove: () => Promise<Principal>;
  principal: Principal;
  position: number;
  isLive: boolean;
  isReading: boolean;
  saidAt: number;
  provedAt: number;
  /** Bytes that waited at the last heartbeat; the same again means that nobody reads. */
  stuckAt: number;
};

/** What streams are made with. */
export type StreamsOptions = {
  readonly read: Read;
  readonly clock: Clock;
  readonly log: Log;
  readonly standings: Standings;
  /** Begins to follow the log, and says how far it was told. */
  readonly tail: () => { begin(): Promise<void>; position(): number | undefined };
};

/** No streams yet. */
export function createStreams({ read, clock, log, standings, tail }: StreamsOptions) {
  const all = new Set<Stream>();
  const ofUser = new Map<number, Set<Stream>>();

  function line(id: number, payload: string): string {
    return `id: ${id}\ndata: ${feedEvent(id, payload)}\n\n`;
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
    stream.saidAt = performance.now();
    stream.body.push(text);
  }

  /** Sends the next page of what was missed; at the end of the log the stream goes live. */
  async function catchUp(stream: Stream): Promise<void> {
    const page = await readFeed(read, stream.principal, { after: stream.position, top: pageMax });
    if (stream.body.destroyed || !all.has(stream)) return;
    stream.position = page.next;
    stream.isLive = !page.hasMore && (tail().position() ?? 0) <= page.next;
    stream.saidAt = performance.now();
    stream.isReading = false;
    // A comment where no event is for the reader, so that it asks for the next page.
    const text = page.events.map((event) => `id: ${event.id}\ndata: ${event.json}\n\n`).join('');
    stream.body.push(text === '' ? ':\n\n' : text);
  }

  /** Proves the credential of a stream again, and ends the stream when the credential has ended. */
  async function prove(stream: Stream): Promise<void> {
    try {
      stream.principal = await stream.prove();
      stream.provedAt = performance.now();
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'storage_unavailable') throw error;
      end(stream);
    }
  }

  function isExpired({ principal }: Stream): boolean {
    return principal.expiresAt !== undefined && principal.expiresAt <= clock.now();
  }

  /** Whether an event is for the reader of a stream, which has all it needs remembered. */
  async function isFor(event: EventRow, { principal }: Stream): Promise<boolean> {
    if (principal.kind === 'key') return true;
    const { id } = principal.user;
    if (event.userId !== null && event.userId !== id) return false;
    if (event.appId === null) return event.userId === id;
    const standing = (await standings.of(read, event.appId, [id])).get(id);
    return standing !== undefined && isShownTo(event.entityType, standing);
  }

  return {
    isEmpty: (): boolean => all.size === 0,

    /** How many streams a user has. */
    countOf,

    /** Opens a stream that begins after a position, or with what comes next. Answers what carries it. */
    async open(
      principal: Principal,
      prove: () => Promise<Principal>,
      after: number | undefined,
    ): Promise<Readable> {
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
        saidAt: performance.now(),
        provedAt: performance.now(),
        stuckAt: 0,
      };
      add(stream);
      body.once('close', () => {
        remove(stream);
        standings.forgetUser(principal.user.id);
      });
      try {
        await tail().begin();
      } catch (error) {
        body.destroy();
        throw error;
      }
      if (after === undefined) {
        stream.position = tail().position() ?? 0;
        stream.isLive = true;
      }
      // The first bytes make the headers leave.
      body.push(':\n\n');
      return body;
    },

    /** Finds out who gets some events; the answer sends them. */
    async address(events: readonly EventRow[]): Promise<() => void> {
      const sends: (() => void)[] = [];
      const live = [...all].filter(({ isLive }) => isLive);
      for (const event of events) {
        const lines: { [kind in Principal['kind']]?: string } = {};
        for (const stream of live) {
          if (event.id <= stream.position || !(await isFor(event, stream))) continue;
          const { kind } = stream.principal;
          const text =
            lines[kind] ?? line(event.id, kind === 'key' ? event.payload : publicPayload(event.payload));
          lines[kind] = text;
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

    /** Proves the credentials of a user's streams again, and ends those whose credential has ended. */
    async proveAgain(userId: number): Promise<void> {
      for (const stream of [...(ofUser.get(userId) ?? [])]) await prove(stream);
    },

    /** Does what is due by the clock: heartbeats, and the end of streams that are out of rights or that nobody reads. */
    async sweep(): Promise<void> {
      const now = performance.now();
      for (const stream of [...all]) {
        const silentMs = now - stream.saidAt;
        if (stream.principal.kind === 'key' && now - stream.provedAt >= proveKeyMs) await prove(stream);
        if (!all.has(stream)) continue;
        if (isExpired(stream)) end(stream);
        else if (!stream.isLive && silentMs > stuckMs) stream.body.destroy();
        else if (stream.isLive && silentMs >= heartbeatMs) {
          const waiting = stream.body.readableLength;
          if (waiting > 0 && waiting === stream.stuckAt) stream.body.destroy();
          else push(stream, ':\n\n');
          stream.stuckAt = stream.body.readableLength;
        }
      }
    },

    endAll(): void {
      for (const stream of [...all]) end(stream);
    },
  };
}
