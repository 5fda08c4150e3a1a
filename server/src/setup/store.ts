import { type DestinationStream, pino } from 'pino';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { LongReadLimits } from '../db/long-reads.ts';
import type { Memory } from '../db/memory.ts';
import { openSqlite } from '../db/sqlite/sqlite.ts';
import { setPublisher } from '../events/events.ts';
import { publishToWebhooks } from '../features/webhooks/deliveries/publication.ts';
import type { Clock } from '../kernel/clock.ts';
import { makeFolder } from '../kernel/folder.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';

/** Opens the store and the log of a process. Commands need no more, and start faster without the server. */

/** The parts of a store that tests replace. */
export type StoreParts = {
  readonly wrapDb?: (db: Db) => Db;
  readonly onStatement?: (sql: string) => void;
  /** Replaces the memory of a SQLite store. */
  readonly memory?: typeof Memory | undefined;
  /** The limits on long reads, where a test needs smaller ones. */
  readonly longReadLimits?: LongReadLimits;
};

/** The follower of the write-ahead log of a SQLite store; see `SqliteOptions.emptyLog`. */
export type LogFollower = { readonly empty: () => Promise<boolean> };

/** Where the log of a process goes: stderr, because stdout is for the output of a command, such as an address or a key. */
export function logDestination(): DestinationStream {
  return pino.destination({ dest: 2, sync: false });
}

/** The log of a process. `onError` is called for each line that says that something failed. */
export function createLog(config: Config, logTo = logDestination(), onError = () => {}): Log {
  const log = pino({ level: config.logLevel, base: null }, logTo);
  return {
    debug: log.debug.bind(log),
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error(fields, message) {
      onError();
      log.error(fields, message);
    },
  };
}

/** Whether the log of a configuration has a line for each request. */
export function logsRequests({ logLevel }: Config): boolean {
  return logLevel === 'info' || logLevel === 'debug';
}

/** Opens the store of a configuration, for the server and for commands. */
export async function openStore(
  config: Config,
  parts: StoreParts & {
    readonly log: Log;
    readonly clock: Clock;
    readonly metrics?: Metrics | undefined;
    readonly follower?: LogFollower | undefined;
  },
): Promise<Db> {
  const { log, clock, metrics, onStatement, longReadLimits, memory, follower } = parts;
  const { databaseUrl: url } = config;
  setPublisher(publishToWebhooks);
  makeFolder(config.dataDir);
  const db =
    url === undefined
      ? openSqlite({
          folder: config.dataDir,
          log,
          clock,
          metrics,
          memory,
          longReadLimits,
          emptyLog: follower?.empty,
          ...(onStatement === undefined ? {} : { onStatement }),
        })
      : await (await import('../db/postgres/postgres.ts')).openPostgres({
          url,
          replicaUrl: config.databaseReplicaUrl,
          log,
          clock,
          metrics,
          onStatement,
          longReadLimits,
          isPrepared: config.databasePrepare === 'yes',
          readersMax: config.databaseConnections,
        });
  return parts.wrapDb?.(db) ?? db;
}
