import type { DestinationStream } from 'pino';
import { bindAll } from '../binding/handler.ts';
import { type Config, shownSettings, version } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { removeKeptAnswers } from '../db/kept-answers.ts';
import { createAppChanges } from '../events/app-changes.ts';
import { removeDeleted } from '../features/apps/app-purge.ts';
import { createBlobLinks } from '../features/blobs/blob-links.ts';
import { sweepBlobs } from '../features/blobs/sweep.ts';
import { createUploadQuota } from '../features/blobs/upload-quota.ts';
import { createUploads } from '../features/blobs/uploads.ts';
import type { Keys } from '../features/credentials/keys.ts';
import { bindDownloads } from '../features/downloads/downloads.routes.ts';
import { createDownloads } from '../features/downloads/downloads.ts';
import { linkSecret } from '../features/downloads/link-secret.ts';
import { createErasing, isCounting } from '../features/erasures/erasing.ts';
import { requestErasure } from '../features/erasures/erasures.ts';
import { createImporting } from '../features/imports/importing.ts';
import { createJitsiProvider } from '../features/meetings/meeting-provider.ts';
import { forgetTexts, type Moderation } from '../features/moderation/moderation.ts';
import { createNotifier } from '../features/notifications/notifier.ts';
import { bindPreviews } from '../features/previews/previews.routes.ts';
import { createPreviews } from '../features/previews/previews.ts';
import { redactDeleted } from '../features/redactions/redactions.ts';
import { renewals } from '../features/renewal/renewal.ts';
import type { Site } from '../features/site/site-book.ts';
import { createPictures } from '../features/users/pictures.ts';
import { actorOf } from '../features/users/user-json.ts';
import type { GithubAddresses } from '../features/visitors/github-client.ts';
import { purgeDeletedWebhooks } from '../features/webhooks/registration/delete.ts';
import { createAnswerOrder, onceConfirmed } from '../http/answers/answer-order.ts';
import { bindConsole } from '../http/console/console.ts';
import { consoleAddress } from '../http/console/link.ts';
import { bindHealth } from '../http/health.ts';
import { createAddressOf } from '../http/limits/client-address.ts';
import { type ClientLimits, clientLimits } from '../http/limits/client-limits.ts';
import { visitorWatchesMaxOf, warnOfDescriptors } from '../http/limits/reader-room.ts';
import { bindMcp } from '../http/mcp/mcp.ts';
import { createEventCatalogue } from '../http/openapi/event-catalogue.ts';
import { bindPages } from '../http/pages/public-pages.ts';
import { createServer } from '../http/server.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Dial } from '../net/connector.ts';
import type { EgressTimeouts } from '../net/egress.ts';
import type { Resolver } from '../net/resolver.ts';
import { feedPage } from '../realtime/feed.ts';
import { startRealtime } from '../realtime/realtime.ts';
import { openBucket, openFolder } from '../setup/blobs.ts';
import { possibleWaysOf } from '../setup/site.ts';
import { createLog, logDestination, logsRequests, type StoreParts } from '../setup/store.ts';
import { startBlobSweep } from '../workers/blob-sweep.ts';
import { startErasing } from '../workers/erasing.ts';
import { startImporting } from '../workers/importing.ts';
import { startNotifier } from '../workers/notifier.ts';
import { createPictureMaker } from '../workers/picture-maker.ts';
import { startRemoval, startRetention, startWebhookPurge } from '../workers/removal.ts';
import { startRenewal } from '../workers/renewal.ts';
import { startAccess } from './access.ts';
import { startAgents } from './agents.ts';
import { startOwnBackups } from './backup.ts';
import { createStatus, readinessChecks, watchRoom } from './checks.ts';
import { bindComponents } from './components.ts';
import { handlers } from './handlers.ts';
import { closeHttp, listen } from './http.ts';
import { startMail } from './mail.ts';
import { measureReader, metricsOf, type ServerMetrics, serveMetrics } from './metrics.ts';
import { startModeration } from './moderation.ts';
import { startOutgoing } from './outgoing.ts';
import { retentionOf, retentionSweeps } from './retention.ts';
import { secondFormHandlers } from './second-form.ts';
import { bindGuestPages, startSignIn, visitorPartsOf } from './sign-in.ts';
import { startStore } from './store.ts';
import { type ServerTraces, startTraces } from './traces.ts';
import { type RequestedUpkeep, startRequestedUpkeep } from './upkeep.ts';

/** The parts that tests replace: time, where the log goes, and a wrapper around the store. */
export type Parts = StoreParts & {
  readonly clock?: Clock;
  readonly logTo?: DestinationStream;
  /** Resolves the names of outgoing requests and opens their sockets. */
  readonly resolver?: Resolver;
  readonly dial?: Dial;
  /** Where GitHub is, which tests change. */
  readonly github?: GithubAddresses;
  /** The deadlines of an attempt to deliver. */
  readonly deadlines?: Partial<EgressTimeouts>;
  /** The deadlines of an answer of an agent. */
  readonly agentDeadlines?: Partial<EgressTimeouts>;
  /** The limits on clients, where a test needs smaller ones. */
  readonly limits?: Partial<ClientLimits>;
  /** How often mails of signing in are looked for, where a test waits for many of them. */
  readonly signInMailsEveryMs?: number;
  /** Whether the notifier, the erasure of users, the renewal of words and the answers of agents are off, so that only requests write: for tests that check what a request writes. */
  readonly isQuiet?: boolean;
  /** Whether the log has a line for each request, where its level does not decide that. */
  readonly logsRequests?: boolean;
  /** Whether a new store gets a link to the console in place of its first key. */
  readonly isForTerminal?: boolean;
};

/** A running server. */
export type Running = {
  /** The address at which it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly db: Db;
  readonly keys: Keys;
  readonly log: Log;
  /** Which pages may show comments now, and who may write there. */
  readonly site: () => Site;
  /** The first key of a new store, to show once. */
  readonly firstKey: string | undefined;
  /** The first link to the console of a new store, instead of a key. */
  readonly firstLink: string | undefined;
  /** Writes the sample content of a new demo; does nothing in a demo that has some, and without a demo. */
  fillDemo(): Promise<void>;
  /** Tests once whether this machine can resize pictures, and logs a failure. */
  checkPictures(): Promise<void>;
  /** Stops in order: refuses further requests, finishes the running ones, stops the loops, closes the store. */
  close(): Promise<void>;
  /** The part that `close` is waiting for, for the log line of a stop that takes too long. */
  waitingFor(): string;
};

/** A running part, and how to stop it. The name completes the sentence "waiting for". */
type RunningPart = { readonly name: string; readonly stop: () => Promise<void> | void };

/** Builds the server from its configuration and starts it. Throws when the folder or the port is in use. */
export async function startServer(config: Config, parts: Parts = {}): Promise<Running> {
  const clock = parts.clock ?? systemClock;
  const logTo = parts.logTo ?? logDestination();
  const metrics = metricsOf(config, clock);
  const log = createLog(config, logTo, () => metrics.count('confab_log_errors_total', {}));
  // The parts to stop, in the order in which they were started; they are stopped in reverse.
  const started: RunningPart[] = [];
  let waitingFor = 'nothing';
  async function close(): Promise<void> {
    for (let last = started.pop(); last !== undefined; last = started.pop()) {
      waitingFor = last.name;
      // Stopping stores positions and gives leases back, which fails where the store is away. Nothing is lost, and the
      // other parts have to stop as well.
      try {
        await last.stop();
      } catch (error) {
        log.error({ err: error, part: last.name }, 'a part could not be stopped in order');
      }
    }
    waitingFor = 'nothing';
  }
  try {
    return {
      ...(await start({
        ...parts,
        logTo,
        config,
        clock,
        log,
        started,
        metrics,
        traces: await startTraces(log),
      })),
      close,
      waitingFor: () => waitingFor,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The options for starting a part. A part adds itself to `started` as soon as it runs. */
type Start = Parts & {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: ServerMetrics;
  readonly traces: ServerTraces | undefined;
  readonly started: RunningPart[];
  /** The public address of this server; without a setting, the one it listens on, known once it does. */
  readonly publicUrl: () => string;
};

/** Starts the parts one after the other. */
async function start(options: Omit<Start, 'publicUrl'>): Promise<Omit<Running, 'close' | 'waitingFor'>> {
  const { config, log } = options;
  let listening = '';
  const publicUrl = () => config.publicUrl ?? listening;
  const startOptions: Start = { ...options, publicUrl };
  const store = await startStore(startOptions);
  const content = await startContent(startOptions, store);
  const access = await startAccess(startOptions, store);
  const outgoing = startOutgoing(startOptions, store);
  const moderation = startModeration(startOptions, store);
  const requested = startRequestedUpkeep({ ...startOptions, ...store });
  startUpkeep(startOptions, { ...store, ...content, ...requested });
  const server = await startHttp(startOptions, { ...store, ...content, ...access });
  startMail(startOptions, { ...store, ...content, ...server });
  await startOperations(startOptions, {
    ...store,
    ...content,
    ...access,
    ...outgoing,
    ...server,
    ...requested,
    moderation,
  });
  listening = await listen(startOptions, { ...store, ...server });
  await content.pictures.readdress(publicUrl());
  await outgoing.startSending();
  return {
    url: listening,
    db: store.db,
    keys: access.keys,
    log,
    site: store.siteBook.current,
    firstKey: access.firstKey,
    firstLink: access.firstLink && consoleAddress(publicUrl(), access.firstLink),
    fillDemo: () => server.fillDemo(listening),
    checkPictures: content.pictureMaker.check,
  };
}

type Store = Awaited<ReturnType<typeof startStore>>;
type Content = Awaited<ReturnType<typeof startContent>>;
type Access = Awaited<ReturnType<typeof startAccess>>;
type Outgoing = ReturnType<typeof startOutgoing>;
type Http = Awaited<ReturnType<typeof startHttp>>;

/** Uploads and their thumbnails. */
async function startContent({ config, clock, log, metrics, started, publicUrl }: Start, { db }: Store) {
  const secret = await linkSecret(db);
  const links = createBlobLinks({ secret, publicUrl, clock, lifeMs: config.fileLinkMinutes * 60_000 });
  const bucket = await openBucket(config, { log, clock });
  if (bucket !== undefined) started.push({ name: 'the bucket', stop: () => bucket.close() });
  const storage = bucket ?? (await openFolder(config, clock));
  const quota = createUploadQuota({ read: db.read, clock, bytesMax: config.uploadQuotaMib * 1024 * 1024 });
  const uploads = createUploads({ db, clock, storage, quota, metrics });
  const pictures = createPictures({ db, uploads, links });
  const pictureMaker = createPictureMaker({ log });
  const sweep = startBlobSweep({ sweep: () => sweepBlobs({ db, clock, storage }), log });
  started.push({ name: 'the sweep of unused uploads', stop: () => sweep.stop() });
  return { secret, links, bucket, storage, quota, uploads, pictures, pictureMaker };
}

/** The loops for work that requests defer or that becomes due with time. */
function startUpkeep(
  { config, clock, log, metrics, started, isQuiet }: Start,
  { db, storage, links, shipping, backups, siteBook }: Store & Content & RequestedUpkeep,
): void {
  const remove = () => removeDeleted({ db, clock, isHeldBack: isCounting });
  const removal = startRemoval({ remove, log });
  db.onCommit('removals', removal.nudge);
  started.push({ name: 'the removal of what hung on deleted things', stop: () => removal.stop() });
  const purge = startWebhookPurge({ purge: () => purgeDeletedWebhooks(db), log });
  db.onCommit('removals', purge.nudge);
  started.push({ name: 'the purge of deleted webhooks', stop: () => purge.stop() });
  const deliveries = retentionOf(config, { db, clock, log });
  const retention = startRetention({
    sweeps: [
      deliveries.sweep,
      () => removeKeptAnswers({ db, clock }),
      () => forgetTexts({ db, clock }),
      () => redactDeleted({ db, clock }),
      ...retentionSweeps(config, { db, clock }),
    ],
    log,
  });
  started.push({ name: 'the retention of deliveries and kept answers', stop: () => retention.stop() });
  if (isQuiet === true) return;
  const renewal = startRenewal({ kinds: renewals({ db, clock }), log });
  started.push({ name: 'the renewal of names and words', stop: () => renewal.stop() });
  startOwnBackups(config, { db, clock, log, metrics, started, shipping, backups });
  const erasing = startErasing({ erasing: createErasing({ db, clock, storage, links }), log });
  db.onCommit('removals', erasing.nudge);
  started.push({ name: 'the erasure of users', stop: () => erasing.stop() });
  const imports = createImporting({ db, clock, storage, links, log, site: siteBook.current });
  const importing = startImporting({ importing: imports, log });
  db.onCommit('imports', importing.nudge);
  started.push({ name: 'imports', stop: () => importing.stop() });
  const notifying = createNotifier({ db, clock, people: config.people, log });
  const notifier = startNotifier({ notifier: notifying, log });
  const { position } = notifying;
  measureReader({ db, clock, metrics }, { reader: 'notifications', what: 'events', position });
  started.push({ name: 'notifications', stop: () => notifier.stop() });
  db.onCommit('events', notifier.nudge);
}

/** The HTTP server with its pages; operations and live connections are bound next. */
async function startHttp(
  { config, clock, log, metrics, traces, started, publicUrl, ...parts }: Start,
  {
    db,
    box,
    links,
    bucket,
    storage,
    pictureMaker,
    authenticate,
    rateLimits,
    bans,
    sessions,
    siteBook: { origins },
  }: Store & Content & Access,
) {
  const visitorWatchesMax = visitorWatchesMaxOf(config.visitorStreams);
  const limits = { ...clientLimits, visitorWatchesMax, ...parts.limits };
  warnOfDescriptors(log, limits.visitorWatchesMax);
  const { room, stop } = await watchRoom(config, log);
  started.push({ name: 'the room on the disk', stop });
  const changes = createAppChanges({ db });
  const http = createServer({
    authenticate,
    assuming: db.assuming,
    clock,
    requestLog: (parts.logsRequests ?? logsRequests(config)) ? parts.logTo : undefined,
    rateLimits,
    bans,
    changes,
    addressOf: createAddressOf(config.trustedProxies),
    log,
    metrics,
    traces,
    publicUrl,
    origins,
    limits,
    room,
  });
  const downloads = createDownloads({ db, clock, links, storage });
  bindDownloads(http, downloads);
  bindPreviews(http, createPreviews({ downloads, storage, pictures: pictureMaker }));
  const demo = await bindComponents(http, { config, db, clock, log, publicUrl });
  bindConsole(http, { publicUrl, now: clock.now, authenticate, sessions });
  bindPages(http, { ...config, version, clock, publicUrl });
  if (config.mcp === 'yes')
    bindMcp(http, { origins, version, publicUrl, log, authenticate, issuer: config.jwtIssuer });
  const checks = readinessChecks(db, { config, clock, bucket, box });
  bindHealth(http, { version, checks, authenticate });
  const readStatus = createStatus(checks, { config, clock, metrics, refusedOrigins: http.refusedOrigins });
  await serveMetrics(metrics.registry, { config, http, authenticate, log, started });
  started.push({ name: 'running requests', stop: () => closeHttp(http, log) });
  return {
    http,
    limits,
    changes,
    readStatus,
    fillDemo: async (url: string) => await demo?.fill(url),
  };
}

/** Brings live connections what HTTP has for them: their sockets, and the forms of access tokens. */
function carryLive(
  http: Http['http'],
  { acceptSocket, noteForm }: Awaited<ReturnType<typeof startRealtime>>,
): void {
  http.upgrade('/hubs/rtm', acceptSocket);
  http.onForm(noteForm);
}

/** Binds the operations, and the live connections that some of them open. */
async function startOperations(
  start: Start,
  {
    db,
    http,
    limits,
    changes,
    secret,
    authenticate,
    rateLimits,
    pictureMaker,
    ...parts
  }: Store & Content & Access & Outgoing & Http & RequestedUpkeep & { moderation: Moderation },
): Promise<void> {
  const { config, clock, log, metrics, started } = start;
  const realtime = await startRealtime({
    db,
    clock,
    log,
    metrics,
    people: config.people,
    shows: { typing: config.commentsTyping === 'yes', presence: config.commentsPresence === 'yes' },
    secret,
    limits,
    changes,
    rateLimits,
  });
  // They end before their server, which waits for every connection.
  started.push({ name: 'live connections', stop: () => realtime.stop() });
  measureReader({ db, clock, metrics }, { reader: 'live', what: 'events', position: realtime.position });
  carryLive(http, realtime);
  const operationParts = {
    ...parts,
    db,
    clock,
    actorOf,
    exporting: new Set<number>(),
    meetingProviders: { jitsi: createJitsiProvider(config.jitsiUrl) },
    order: onceConfirmed(createAnswerOrder(db.peers), db.confirmed),
    pages: config.pages,
    site: parts.siteBook.current,
    possibleWays: possibleWaysOf(config),
    people: config.people,
    shownSettings: shownSettings(config),
    eventCatalogue: createEventCatalogue(),
    realtime,
    typing: realtime.typing,
    eventStreams: realtime.eventStreams,
    appWatches: realtime.appWatches,
    readFeed: feedPage,
    requestErasure,
    rateLimits,
    ...visitorPartsOf(config, { ...parts, secret, pictureMaker, rateLimits }),
    signIn: await startSignIn(start, { ...parts, db, http, secret, rateLimits }),
  };
  bindAll(http, [...handlers, ...secondFormHandlers], operationParts);
  bindGuestPages(start, { ...operationParts, http });
  http.complete();
  startAgents(start, { ...parts, db, typing: realtime.typing });
  // It ends first, because requests wait for it.
  started.push({ name: 'the process for pictures', stop: () => pictureMaker.stop() });
}
