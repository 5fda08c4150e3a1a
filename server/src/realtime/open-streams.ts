import type { Readable } from 'node:stream';
import type { ClientLimits } from '../http/limits/client-limits.ts';
import type { Prove } from '../http/request.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Principal } from '../kernel/principal.ts';
import { proveAll } from './caller.ts';
import { waitingBytesMaxOf } from './wire.ts';

/** The longest silence of a stream, so that no proxy closes it as idle. */
const heartbeatMs = 15_000;
/** How long a client may leave a page of missed events unread. */
const pageReadMsMax = 60_000;

/** An open event stream, with the last position that it was sent. Times are those of `performance.now()`. */
export type Stream = {
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

/** The dependencies of the open streams. */
export type OpenStreamsOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** How often an API key or a session is checked again: neither appends an event when it ends. */
  readonly limits: Pick<ClientLimits, 'provedEveryMs'>;
};

/** The open event streams of this server, at first none. */
export function createOpenStreams({ clock, log, limits }: OpenStreamsOptions) {
  const all = new Set<Stream>();
  const ofUser = new Map<number, Set<Stream>>();

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

  return {
    all: all as ReadonlySet<Stream>,
    add,
    remove,
    end,
    push,
    isExpired,

    /** How many streams are open. */
    count: (): number => all.size,

    /** Whether a stream gets the next events. */
    hasLive: (): boolean => [...all].some(({ isLive }) => isLive),

    /** How many streams a user has. */
    countOf,

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
