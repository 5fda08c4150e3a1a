import { lockFolder } from '../db/sqlite/sqlite.ts';
import { startSecretBox } from '../features/webhooks/secrets/secret-keys.ts';
import { makeFolder } from '../kernel/folder.ts';
import { startLoop } from '../workers/runner.ts';
import { startSecretKeeper } from '../workers/secret-keeper.ts';
import { warnOfOpenFolder } from './checks.ts';
import { measureStore, type ServerMetrics } from './metrics.ts';
import { openShippedStore } from './shipping.ts';
import { startSite } from './site.ts';
import type { ServerTraces } from './traces.ts';

/** The interval between checks of the connection that listens to other nodes, in milliseconds. */
const hearingMs = 5000;
/** The interval between checks of the replica, in milliseconds. */
const lookMs = 5000;

type StoreOptions = Parameters<typeof openShippedStore>[0] & {
  readonly metrics: ServerMetrics;
  readonly traces: ServerTraces | undefined;
};

/** Opens the store, with what of it each node remembers and the connection that listens to its other nodes. */
export async function startStore(options: StoreOptions) {
  const { config, log, clock, traces, started } = options;
  if (traces !== undefined) started.push({ name: 'traces', stop: () => traces.close() });
  makeFolder(config.dataDir);
  warnOfOpenFolder(config.dataDir, log);
  // A SQLite file belongs to one server; PostgreSQL nodes may share a folder of blobs.
  if (config.databaseUrl === undefined) {
    const lock = lockFolder(config.dataDir);
    started.push({ name: 'the lock of the data folder', stop: () => lock.release() });
  }
  const { opened, shipping } = await openShippedStore(options);
  const db = traces?.traced(opened) ?? opened;
  measureStore({ ...options, db });
  const listener = startLoop({
    name: 'commits of other nodes',
    log,
    async step() {
      await db.listenToPeers();
      return hearingMs;
    },
  });
  started.push({ name: 'commits of other nodes', stop: () => listener.stop() });
  const { replica } = db;
  if (replica !== undefined) {
    const look = startLoop({
      name: 'the replica',
      log,
      async step() {
        await replica.look();
        return lookMs;
      },
    });
    started.push({ name: 'the replica', stop: () => look.stop() });
  }
  const { box, seals } = await startSecretBox(db, config, log);
  const siteBook = await startSite(options, { db });
  const keeper = startSecretKeeper({ db, clock, box, seals, log });
  started.push({ name: 'the keeper of secrets', stop: () => keeper.stop() });
  return { db, box, shipping, siteBook };
}
