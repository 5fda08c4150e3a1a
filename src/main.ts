import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { type DestinationStream, pino } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/db.ts';
import { lockFolder, openSqlite } from './db/sqlite.ts';
import { bindApps } from './features/apps/apps.routes.ts';
import { createApps } from './features/apps/apps.ts';
import { bindComments } from './features/comments/comments.routes.ts';
import { createComments } from './features/comments/comments.ts';
import { type Credentials, createCredentials } from './features/credentials/credentials.ts';
import { bindMembers } from './features/members/members.routes.ts';
import { createMembers } from './features/members/members.ts';
import { createServer } from './http/server.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { Log } from './kernel/log.ts';
import { notFound } from './kernel/problem.ts';

/** The parts that tests replace: time, where the log goes, and a wrapper around the store. */
export type Parts = {
  readonly clock?: Clock;
  readonly logTo?: DestinationStream;
  readonly wrapDb?: (db: Db) => Db;
  readonly onStatement?: (sql: string) => void;
};

/** A server that listens. */
export type Running = {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly db: Db;
  readonly credentials: Credentials;
  readonly log: Log;
  /** The first key of a new store, to be shown once. */
  readonly firstKey: string | undefined;
  /** Stops in order: no new requests, the running ones to their end, the loops, the store. */
  close(): Promise<void>;
};

/** Opens the store of a configuration: for the server and for commands that work on it. */
export function openStore(config: Config, parts: Parts & { log: Log; clock: Clock }): Db {
  mkdirSync(config.dataDir, { recursive: true });
  const db = openSqlite({
    folder: config.dataDir,
    log: parts.log,
    clock: parts.clock,
    ...(parts.onStatement === undefined ? {} : { onStatement: parts.onStatement }),
  });
  return parts.wrapDb?.(db) ?? db;
}

/** Builds the server from its configuration and starts it. Throws when the folder is taken or the port is. */
export async function startServer(config: Config, parts: Parts = {}): Promise<Running> {
  const clock = parts.clock ?? systemClock;
  const log = pino({ level: config.logLevel, base: null }, parts.logTo ?? pino.destination({ sync: false }));
  mkdirSync(config.dataDir, { recursive: true });
  const lock = lockFolder(config.dataDir);
  const db = openStore(config, { ...parts, log, clock });
  const credentials = createCredentials({ db, clock });
  if (config.apiKey !== undefined) await credentials.acceptKey(config.apiKey);
  const firstKey = await credentials.createFirstKey();

  let listening = '';
  const publicUrl = () => config.publicUrl ?? listening;
  const http = await createServer({
    authenticate: credentials.authenticate,
    log,
    publicUrl,
    corsOrigins: config.corsOrigins,
  });
  bindApps(http, createApps({ db, clock }));
  bindMembers(http, createMembers({ db, clock }));
  const none = {
    writable: async () => {
      throw notFound('file');
    },
    readable: async () => {
      throw notFound('file');
    },
  };
  bindComments(http, createComments({ db, clock, files: none, posts: none }));
  await http.complete();
  await http.fastify.listen({ host: config.host, port: config.port });
  const { address, family, port } = http.fastify.server.address() as AddressInfo;
  listening = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  return {
    url: listening,
    db,
    credentials,
    log,
    firstKey,
    async close() {
      await http.fastify.close();
      await db.close();
      lock.release();
    },
  };
}
