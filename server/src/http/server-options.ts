import type { Bans } from '../kernel/bans.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import type { Traces } from '../kernel/traces.ts';
import type { AddressOf } from './limits/client-address.ts';
import type { ClientLimits } from './limits/client-limits.ts';
import type { Room } from './limits/room.ts';
import type { Authenticate } from './request.ts';
import type { LogStream } from './request-log.ts';
import type { Changes } from './visitors.ts';

/** The parameters of the HTTP server. */
export type ServerOptions = {
  readonly authenticate: Authenticate;
  /** Answers a request that only reads, on an engine at a distance: see `Db.assuming`. */
  readonly assuming?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the lines of requests go; undefined where none are wanted. */
  readonly requestLog?: LogStream | undefined;
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
  /** The public address of this server, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
  /** The origins that may call the API from a browser (CORS) now. */
  readonly origins: () => readonly string[];
  readonly limits: ClientLimits;
  readonly rateLimits: RateLimits;
  /** Which addresses visitors may not come from. */
  readonly bans: Bans;
  /** Which apps have changed, for what is kept for visitors. */
  readonly changes: Changes;
  readonly addressOf: AddressOf;
  readonly room: Room;
};
