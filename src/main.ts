import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { type Config, version } from './config.ts';
import type { Db } from './db/db.ts';
import { schemaState } from './db/migrations/schema-state.ts';
import { openPostgres } from './db/postgres.ts';
import { lockFolder, openSqlite } from './db/sqlite.ts';
import { createAppDeletion } from './features/apps/app-deletion.ts';
import { createAppInit } from './features/apps/app-init.ts';
import { bindAppLife, bindApps } from './features/apps/apps.routes.ts';
import { createApps } from './features/apps/apps.ts';
import { type BlobBucket, openBlobBucket } from './features/blobs/blob-bucket.ts';
import { openBlobFolder } from './features/blobs/blob-folder.ts';
import { createBlobLinks } from './features/blobs/blob-links.ts';
import { bindBlobs } from './features/blobs/blobs.routes.ts';
import { createBlobs, linkSecret } from './features/blobs/blobs.ts';
import { bindComments } from './features/comments/comments.routes.ts';
import { createComments } from './features/comments/comments.ts';
import { bindConversations } from './features/conversations/conversations.routes.ts';
import { createConversations } from './features/conversations/conversations.ts';
import { bindCredentials } from './features/credentials/credentials.routes.ts';
import { type Credentials, createCredentials } from './features/credentials/credentials.ts';
import { createDemo } from './features/demo/demo.ts';
import { bindDirectories } from './features/directories/directories.routes.ts';
import { createDirectories } from './features/directories/directories.ts';
import { createEmbedFetch } from './features/embeds/embed-fetch.ts';
import { bindEmbeds } from './features/embeds/embeds.routes.ts';
import { createEmbeds } from './features/embeds/embeds.ts';
import { removeOrphans } from './features/entries/entry-removal.ts';
import { bindFiles } from './features/files/files.routes.ts';
import { createFiles } from './features/files/files.ts';
import { createJitsiProvider } from './features/meetings/meeting-provider.ts';
import { bindMeetings } from './features/meetings/meetings.routes.ts';
import { createMeetings } from './features/meetings/meetings.ts';
import { bindMembers } from './features/members/members.routes.ts';
import { createMembers } from './features/members/members.ts';
import { bindMessages } from './features/messages/messages.routes.ts';
import { createMessages } from './features/messages/messages.ts';
import { bindNotifications } from './features/notifications/notifications.routes.ts';
import { createNotifications } from './features/notifications/notifications.ts';
import { createNotifying } from './features/notifications/notifying.ts';
import { bindPolls } from './features/polls/polls.routes.ts';
import { createPolls } from './features/polls/polls.ts';
import { bindPosts } from './features/posts/posts.routes.ts';
import { createPosts } from './features/posts/posts.ts';
import { bindPreviews } from './features/previews/previews.routes.ts';
import { createPreviews } from './features/previews/previews.ts';
import { bindReactions } from './features/reactions/reactions.routes.ts';
import { createReactions } from './features/reactions/reactions.ts';
import { bindStars } from './features/stars/stars.routes.ts';
import { createStars } from './features/stars/stars.ts';
import { bindAutocomplete } from './features/users/autocomplete.routes.ts';
import { createAutocomplete } from './features/users/autocomplete.ts';
import { createPictures } from './features/users/pictures.ts';
import { actorOf } from './features/users/user-json.ts';
import { bindUsers } from './features/users/users.routes.ts';
import { createUsers } from './features/users/users.ts';
import { createLanes, deliveryLagMs } from './features/webhooks/lanes.ts';
import { systemRandom } from './features/webhooks/retry.ts';
import { bindWebhooks } from './features/webhooks/webhooks.routes.ts';
import { createWebhooks } from './features/webhooks/webhooks.ts';
import { bindDemo } from './http/demo/demo.ts';
import { bindHealth, diskCheck } from './http/health.ts';
import { bindPages } from './http/public-pages.ts';
import { createAnswerOrder } from './http/reference-client.ts';
import { createServer, type Server } from './http/server.ts';
import { type Clock, systemClock, type UnixMs } from './kernel/clock.ts';
import type { Log } from './kernel/log.ts';
import { parseAllowList } from './net/address.ts';
import { createEgress } from './net/egress.ts';
import { createResolver } from './net/resolver.ts';
import { createWebReader } from './net/web-reader.ts';
import { bindRealtime } from './realtime/realtime.routes.ts';
import { startRealtime } from './realtime/realtime.ts';
import { startBlobSweep } from './workers/blob-sweep.ts';
import { startNotifier } from './workers/notifier.ts';
import { createPictureMaker } from './workers/picture-maker.ts';
import { startRemoval, startWebhookPurge } from './workers/removal.ts';
import { startLoop } from './workers/runner.ts';
import { slotsMax, startWebhookSender, type WebhookSender } from './workers/webhook-sender.ts';

/** The parts that tests replace: time, where the log goes, and a wrapper around the store. */
export type Parts = {
  readonly clock?: Clock;
  readonly logTo?: DestinationStream;
  readonly wrapDb?: (db: Db) => Db;
  readonly onStatement?: (sql: string) => void;
  /** Whether notifications are left unmade, so that only requests write: for tests that watch what a request writes. */
  readonly isQuiet?: boolean;
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
  /** Looks once whether pictures can be made smaller here; the log says so when they cannot. */
  checkPictures(): Promise<void>;
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
export async function openStore(config: Config, parts: Parts & { log: Log; clock: Clock }): Promise<Db> {
  const { log, clock, onStatement } = parts;
  const { databaseUrl: url } = config;
  mkdirSync(config.dataDir, { recursive: true });
  const db =
    url === undefined
      ? openSqlite({
          folder: config.dataDir,
          log,
          clock,
          ...(onStatement === undefined ? {} : { onStatement }),
        })
      : await openPostgres({
          url,
          log,
          clock,
          onStatement,
          isPrepared: config.databasePrepare === 'yes',
          readersMax: config.databaseConnections,
        });
  return parts.wrapDb?.(db) ?? db;
}

/** How often the way to the commits of other nodes is looked after, in milliseconds. */
const hearingMs = 5000;

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
  // The file of SQLite belongs to one server; nodes of PostgreSQL may have their blobs in one folder.
  if (config.databaseUrl === undefined) {
    const lock = lockFolder(config.dataDir);
    started.push({ name: 'the lock of the data folder', stop: () => lock.release() });
  }
  const db = await openStore(config, { ...parts, log, clock });
  started.push({ name: 'the store', stop: () => db.close() });
  const listener = startLoop({
    name: 'commits of other nodes',
    log,
    async step() {
      await db.hearOthers();
      return hearingMs;
    },
  });
  started.push({ name: 'commits of other nodes', stop: () => listener.stop() });
  let listening = '';
  const publicUrl = () => config.publicUrl ?? listening;
  const secret = await linkSecret(db);
  const links = createBlobLinks({ secret, publicUrl, clock });
  const bucket = await openBucket(config, { log, clock });
  if (bucket !== undefined) started.push({ name: 'the bucket', stop: () => bucket.close() });
  const store = bucket ?? (await openBlobFolder(blobFolder(config), unfinishedUntil(config, clock)));
  const blobs = createBlobs({ db, clock, links, store, actorOf });
  const pictures = createPictures({ db, blobs, links });
  const credentials = createCredentials({ db, clock, settlePicture: pictures.settle });
  if (config.apiKey !== undefined) await credentials.acceptKey(config.apiKey);
  const firstKey = await credentials.createFirstKey();

  const http = await createServer({
    authenticate: credentials.authenticate,
    log,
    publicUrl,
    corsOrigins: config.corsOrigins,
  });
  const apps = createApps({ db, clock });
  bindApps(http, apps);
  const members = createMembers({ db, clock });
  bindMembers(http, members);
  const deletion = createAppDeletion({ db, clock });
  const order = createAnswerOrder();
  bindAppLife(http, {
    initiation: createAppInit({ db, clock, apps, members, settlePicture: pictures.settle }),
    deletion,
    order,
  });
  bindStars(http, createStars({ db, clock }));
  const users = createUsers({ db, clock, pictures });
  bindUsers(http, users, order);
  bindAutocomplete(http, createAutocomplete({ db }));
  bindCredentials(http, credentials);
  bindDirectories(http, createDirectories({ db, clock, actorOf }));
  bindBlobs(http, blobs);
  const pictureMaker = createPictureMaker({ log });
  bindPreviews(http, createPreviews({ blobs, store, pictures: pictureMaker }));
  const sweep = startBlobSweep({ blobs, log });
  started.push({ name: 'the sweep of unused uploads', stop: () => sweep.stop() });
  const files = createFiles({ db, clock, links });
  bindFiles(http, files);
  const posts = createPosts({ db, clock, links });
  bindPosts(http, posts);
  const messages = createMessages({ db, clock, links });
  bindMessages(http, messages);
  bindConversations(http, createConversations({ db, clock, apps, members, messages }));
  bindComments(http, createComments({ db, clock, links, files, posts }));
  bindPolls(http, createPolls({ db, clock }));
  bindReactions(http, createReactions({ db, clock }));
  const removal = startRemoval({ removeOrphans: () => removeOrphans({ db, clock }), apps: deletion, log });
  db.onCommit('removals', removal.nudge);
  started.push({ name: 'the removal of what hung on deleted things', stop: () => removal.stop() });
  const allow = parseAllowList(config.egressAllow);
  const embedEgress = createEgress({ allow, resolver: createResolver() });
  started.push({ name: 'the sockets of embeds', stop: () => embedEgress.close() });
  const reader = createWebReader({ egress: embedEgress, userAgent: `Confab-Embed/${version}` });
  bindEmbeds(http, createEmbeds({ db, clock, allow, fetch: createEmbedFetch({ reader, allow }) }));
  const providers = { jitsi: createJitsiProvider(config.jitsiUrl) };
  bindMeetings(http, createMeetings({ db, clock, providers }));
  const webhooks = createWebhooks({ db, clock, allow, onDeleted: () => purge.nudge() });
  const purge = startWebhookPurge({ purge: webhooks.purge, log });
  started.push({ name: 'the purge of deleted webhooks', stop: () => purge.stop() });
  bindWebhooks(http, webhooks);
  bindNotifications(http, createNotifications({ db, clock }));
  if (parts.isQuiet !== true) {
    const notifier = startNotifier({ notifying: createNotifying({ db, clock }), log });
    started.push({ name: 'notifications', stop: () => notifier.stop() });
    db.onCommit('events', notifier.nudge);
  }
  let sender: WebhookSender | undefined;
  started.push({ name: 'webhook deliveries', stop: () => sender?.stop() });
  if (config.demo !== 'off') {
    const demo = createDemo({ db, users, apps, credentials });
    bindDemo(http, { isLocal: config.demo === 'here', publicUrl, token: demo.token });
    await demo.prepare();
  }
  bindPages(http, { version, clientVersion: config.clientVersion, publicUrl });
  bindHealth(http, { version, checks: checksOf(db, { config, clock, bucket }) });
  started.push({ name: 'running requests', stop: () => closeHttp(http, log) });
  const realtime = await startRealtime({
    db,
    clock,
    log,
    authenticate: credentials.authenticate,
    secret,
    files,
    posts,
  });
  // Ended before the server they are on, which waits for every connection.
  started.push({ name: 'live connections', stop: () => realtime.stop() });
  bindRealtime(http, realtime);
  await http.complete();
  // Ended first, because requests wait for it.
  started.push({ name: 'the process for pictures', stop: () => pictureMaker.stop() });
  await http.fastify.listen({ host: config.host, port: config.port });
  const { address, family, port } = http.fastify.server.address() as AddressInfo;
  listening = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  if (db.others !== undefined && config.publicUrl === undefined)
    log.warn(
      { address: publicUrl() },
      'CONFAB_PUBLIC_URL is not set: clients are given the address of this node, and pictures that of the last to start',
    );
  await pictures.readdress(publicUrl());
  sender = await startWebhookSender({
    lanes: createLanes({ db, clock }),
    egress: createEgress({ allow, resolver: createResolver(), socketsPerOriginMax: slotsMax }),
    clock,
    random: systemRandom,
    log,
    name: { headerPrefix: config.webhookHeaderPrefix, userAgent: `Confab-Hookshot/${version}` },
  });
  db.onCommit('deliveries', sender.nudge);
  return { url: listening, db, credentials, log, firstKey, checkPictures: pictureMaker.check };
}

/** The folder of blobs, and of what is not done when they are in a bucket. */
function blobFolder(config: Config): string {
  return join(config.dataDir, 'blobs');
}

/** How long what another node has begun is let be, in milliseconds; no request takes that long. */
const unfinishedMs = 3_600_000;

/** Since when a start lets be what is not done: nothing where no other node can be at it. */
function unfinishedUntil({ databaseUrl }: Config, clock: Clock): UnixMs {
  return databaseUrl === undefined ? Number.POSITIVE_INFINITY : clock.now() - unfinishedMs;
}

/** The bucket of a configuration; undefined where blobs are in the folder. */
async function openBucket(
  config: Config,
  { log, clock }: { log: Log; clock: Clock },
): Promise<BlobBucket | undefined> {
  const { s3Bucket: bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (bucket === undefined) return undefined;
  const isWithKey = accessKeyId !== undefined && secretAccessKey !== undefined;
  const settings = {
    bucket,
    endpoint: config.s3Endpoint,
    region: config.s3Region ?? 'us-east-1',
    credentials: isWithKey ? { accessKeyId, secretAccessKey } : undefined,
    isPathStyle: (config.s3PathStyle ?? (config.s3Endpoint === undefined ? 'no' : 'yes')) === 'yes',
    publicEndpoint: config.s3PublicEndpoint,
  };
  const folder = { path: blobFolder(config), unfinishedUntil: unfinishedUntil(config, clock) };
  return await openBlobBucket(folder, settings, { log, clock });
}

/** How often a stopping server looks for connections that have become idle, in milliseconds. */
const letGoMs = 100;

/** Ends when every request is answered, whoever would like to keep a connection for a later one. */
async function closeHttp(http: Server, log: Log): Promise<void> {
  const closing = http.fastify.close();
  const step = async () => {
    http.letGo();
    return letGoMs;
  };
  const loop = startLoop({ name: 'closing', step, log });
  await closing;
  await loop.stop();
}

/** What decides whether the server is ready. Late deliveries are told and decide nothing: waiting is what they are made for. */
function checksOf(
  db: Db,
  { config, clock, bucket }: { config: Config; clock: Clock; bucket: BlobBucket | undefined },
) {
  return {
    store: async () => db.health(),
    schema: () => schemaState(db.read),
    disk: diskCheck(config.dataDir, config.diskFreeMib * 1024 * 1024),
    ...(bucket === undefined ? {} : { bucket: bucket.check }),
    deliveries: async () => ({ ok: true, lag_ms: await deliveryLagMs(db.read, clock) }),
  };
}
