import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { type Config, version } from './config.ts';
import type { Db } from './db/db.ts';
import { schemaState } from './db/migrations/schema-state.ts';
import { lockFolder, openSqlite } from './db/sqlite.ts';
import { bindApps } from './features/apps/apps.routes.ts';
import { createApps } from './features/apps/apps.ts';
import { openBlobFolder } from './features/blobs/blob-folder.ts';
import { createBlobLinks } from './features/blobs/blob-links.ts';
import { bindBlobs } from './features/blobs/blobs.routes.ts';
import { createBlobs, linkSecret } from './features/blobs/blobs.ts';
import { bindComments } from './features/comments/comments.routes.ts';
import { createComments } from './features/comments/comments.ts';
import { bindCredentials } from './features/credentials/credentials.routes.ts';
import { type Credentials, createCredentials } from './features/credentials/credentials.ts';
import { bindDirectories } from './features/directories/directories.routes.ts';
import { createDirectories } from './features/directories/directories.ts';
import { bindFiles } from './features/files/files.routes.ts';
import { createFiles } from './features/files/files.ts';
import { bindMembers } from './features/members/members.routes.ts';
import { createMembers } from './features/members/members.ts';
import { bindPosts } from './features/posts/posts.routes.ts';
import { createPosts } from './features/posts/posts.ts';
import { actorOf } from './features/users/user-json.ts';
import { bindUsers } from './features/users/users.routes.ts';
import { createUsers } from './features/users/users.ts';
import { createLanes, deliveryLagMs } from './features/webhooks/lanes.ts';
import { systemRandom } from './features/webhooks/retry.ts';
import { bindWebhooks } from './features/webhooks/webhooks.routes.ts';
import { createWebhooks } from './features/webhooks/webhooks.ts';
import { bindHealth, diskCheck } from './http/health.ts';
import { bindPages } from './http/public-pages.ts';
import { createServer } from './http/server.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { Log } from './kernel/log.ts';
import { parseAllowList } from './net/address.ts';
import { createEgress } from './net/egress.ts';
import { createResolver } from './net/resolver.ts';
import { startBlobSweep } from './workers/blob-sweep.ts';
import { startLoop } from './workers/runner.ts';
import { slotsMax, startWebhookSender, type WebhookSender } from './workers/webhook-sender.ts';

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
  /** What `close` waits for at the moment, for the log line of a stop that takes too long. */
  waitingFor(): string;
};

/** The log of a process. It goes to stderr, because stdout belongs to what a command answers: an address, a key. */
export function createLog(config: Config, logTo?: DestinationStream): Log {
  return pino({ level: config.logLevel, base: null }, logTo ?? pino.destination({ dest: 2, sync: false }));
}

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

/** A part that runs and how it is stopped. The name completes the sentence "waiting for". */
type Started = { readonly name: string; readonly stop: () => Promise<void> | void };

/** Builds the server from its configuration and starts it. Throws when the folder is taken or the port is. */
export async function startServer(config: Config, parts: Parts = {}): Promise<Running> {
  const clock = parts.clock ?? systemClock;
  const log = createLog(config, parts.logTo);
  // What is to be stopped, in the order it was started; stopping goes backwards.
  const started: Started[] = [];
  let waitingFor = 'nothing';
  async function close(): Promise<void> {
    for (let last = started.pop(); last !== undefined; last = started.pop()) {
      waitingFor = last.name;
      await last.stop();
    }
    waitingFor = 'nothing';
  }
  try {
    return {
      ...(await start(config, { ...parts, clock, log, started })),
      close,
      waitingFor: () => waitingFor,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts one part after the other, each entered in `started` as soon as it has to be stopped. */
async function start(
  config: Config,
  { clock, log, started, ...parts }: Parts & { clock: Clock; log: Log; started: Started[] },
): Promise<Omit<Running, 'close' | 'waitingFor'>> {
  mkdirSync(config.dataDir, { recursive: true });
  const lock = lockFolder(config.dataDir);
  started.push({ name: 'the lock of the data folder', stop: () => lock.release() });
  const db = openStore(config, { ...parts, log, clock });
  started.push({ name: 'the store', stop: () => db.close() });
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
  bindUsers(http, createUsers({ db, clock }));
  bindCredentials(http, credentials);
  bindDirectories(http, createDirectories({ db, clock, actorOf }));
  const links = createBlobLinks({ secret: await linkSecret(db), publicUrl, clock });
  const blobs = createBlobs({
    db,
    clock,
    links,
    folder: await openBlobFolder(join(config.dataDir, 'blobs')),
  });
  bindBlobs(http, blobs);
  const sweep = startBlobSweep({ blobs, log });
  started.push({ name: 'the sweep of unused uploads', stop: () => sweep.stop() });
  const files = createFiles({ db, clock, links });
  bindFiles(http, files);
  const posts = createPosts({ db, clock, links });
  bindPosts(http, posts);
  bindComments(http, createComments({ db, clock, links, files, posts }));
  const allow = parseAllowList(config.egressAllow);
  const webhooks = createWebhooks({ db, clock, allow, onDeleted: () => purge.nudge() });
  const purge = startLoop({
    name: 'webhook-purge',
    step: async () => ((await webhooks.purge()) ? 0 : undefined),
    log,
  });
  started.push({ name: 'the purge of deleted webhooks', stop: () => purge.stop() });
  bindWebhooks(http, webhooks);
  let sender: WebhookSender | undefined;
  started.push({ name: 'webhook deliveries', stop: () => sender?.stop() });
  bindPages(http, { version, clientVersion: config.clientVersion, publicUrl });
  bindHealth(http, { version, checks: checksOf(db, { config, clock }) });
  await http.complete();
  started.push({ name: 'running requests', stop: () => http.fastify.close() });
  await http.fastify.listen({ host: config.host, port: config.port });
  const { address, family, port } = http.fastify.server.address() as AddressInfo;
  listening = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  sender = await startWebhookSender({
    lanes: createLanes({ db, clock }),
    egress: createEgress({ allow, resolver: createResolver(), socketsPerOriginMax: slotsMax }),
    clock,
    random: systemRandom,
    log,
    name: { headerPrefix: config.webhookHeaderPrefix, userAgent: `Confab-Hookshot/${version}` },
  });
  db.onCommit('deliveries', sender.nudge);
  return { url: listening, db, credentials, log, firstKey };
}

/** What decides whether the server is ready. Late deliveries are told and decide nothing: waiting is what they are made for. */
function checksOf(db: Db, { config, clock }: { config: Config; clock: Clock }) {
  return {
    store: async () => db.health(),
    schema: async () => {
      const { stored, known } = await schemaState(db.read);
      return { ok: stored === known, stored, known };
    },
    disk: diskCheck(config.dataDir, config.diskFreeMib * 1024 * 1024),
    deliveries: async () => ({ ok: true, lag_ms: await deliveryLagMs(db.read, clock) }),
  };
}
