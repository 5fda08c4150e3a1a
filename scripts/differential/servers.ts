import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Pool } from 'undici';
import { configFrom } from '../../src/config.ts';
import type { Db } from '../../src/db/db.ts';
import { deliveryLagMs } from '../../src/features/webhooks/lanes.ts';
import { type Parts, startServer } from '../../src/main.ts';
import { startCluster } from '../../test/support/postgres.ts';
import { freshKey } from '../harness/confab-process.ts';
import { HeldClock } from './clock.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { wrapStore } from './store-wrapper.ts';
import { type Pair, type Side, sides, type Text, textFor } from './twins.ts';

/** One request, made for each side with the names that things have there. */
export type Request = {
  readonly method: string;
  readonly path: Text;
  readonly headers: { readonly [name: string]: Text };
  readonly body?: (side: Side) => string | Buffer;
};

/** What a server answered. */
export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly bytes: Buffer;
};

/** How the server of one side differs from the other on purpose. */
export type Difference = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly wrapDb?: (db: Db) => Db;
};

/** The two servers of a run, with the same settings and the same clock. */
export type Servers = {
  readonly clock: HeldClock;
  readonly key: string;
  readonly receiver: Receiver;
  readonly urls: Pair<string>;
  /** Which PostgreSQL it is. */
  readonly kind: string;
  send(request: Request): Promise<Pair<Answer>>;
  /** Resolves when neither server has anything left to do on account of what was sent. */
  settle(): Promise<void>;
  /** What the servers have logged about failures. */
  readonly logged: readonly string[];
  stop(): Promise<void>;
};

/** The address that both servers are told they have, so that what they say of it is the same. */
export const publicUrl = 'http://confab.test';
/** Turns of the event loop without a word to the store after which nothing follows from the last one. */
const quietTurns = 4;
const settleMsMax = 30_000;

/** Counts what is under way at a store, so that the end of background work can be waited for. */
function watched(db: Db, activity: { pending: number }): Db {
  async function counted<T>(work: Promise<T>): Promise<T> {
    activity.pending += 1;
    try {
      return await work;
    } finally {
      activity.pending -= 1;
    }
  }
  return wrapStore(db, {
    read: (read) => ({
      get: (query, parameters) => counted(read.get(query, parameters)),
      all: (query, parameters) => counted(read.all(query, parameters)),
    }),
    write: counted,
  });
}

/** Starts both, each on a fresh store; `differences` make one of them another than it should be. */
export async function startServers(differences: Partial<Pair<Difference>> = {}): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'confab-differential-'));
  const clock = new HeldClock(Date.now());
  const key = freshKey();
  const logged: string[] = [];
  const [receiver, cluster] = await Promise.all([startReceiver(), startCluster()]);
  const databaseUrl = await cluster.createDatabase('differential');
  const activity = { sqlite: { pending: 0 }, postgres: { pending: 0 } };

  async function startOne(side: Side) {
    const { settings, wrapDb = (db: Db) => db } = differences[side] ?? {};
    mkdirSync(join(folder, side));
    const config = configFrom({
      CONFAB_DATA_DIR: join(folder, side),
      CONFAB_PORT: '0',
      CONFAB_LOG_LEVEL: 'error',
      CONFAB_API_KEY: key,
      CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
      CONFAB_PUBLIC_URL: publicUrl,
      ...(side === 'postgres' ? { CONFAB_DATABASE_URL: databaseUrl } : {}),
      ...settings,
    });
    const parts: Parts = {
      clock,
      logTo: { write: (line: string) => void logged.push(`${side}: ${line}`) },
      wrapDb: (db) => watched(wrapDb(db), activity[side]),
    };
    const running = await startServer(config, parts);
    return { running, pool: new Pool(running.url, { connections: 1, pipelining: 1 }) };
  }
  const both = { sqlite: await startOne('sqlite'), postgres: await startOne('postgres') };

  async function sendTo(side: Side, { method, path, headers, body }: Request): Promise<Answer> {
    const answer = await both[side].pool.request({
      method: method as 'GET',
      path: textFor(path, side),
      headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, textFor(text, side)])),
      ...(body === undefined ? {} : { body: body(side) }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    };
  }

  /** Whether a delivery is due that has not been sent. */
  async function hasDue(side: Side): Promise<boolean> {
    return (await deliveryLagMs(both[side].running.db.read, { now: () => clock.now() + 1 })) > 0;
  }

  async function quiet(): Promise<void> {
    for (let turns = 0; turns < quietTurns; turns += 1) {
      await turn();
      if (activity.sqlite.pending + activity.postgres.pending > 0) turns = -1;
    }
  }

  return {
    clock,
    key,
    receiver,
    urls: { sqlite: both.sqlite.running.url, postgres: both.postgres.running.url },
    kind: cluster.kind,
    logged,
    async send(request) {
      const [sqlite, postgres] = await Promise.all([sendTo('sqlite', request), sendTo('postgres', request)]);
      return { sqlite, postgres };
    },
    async settle() {
      for (const since = performance.now(); ; await pause(1)) {
        await quiet();
        const isDue = await Promise.all(sides.map(hasDue));
        if (!isDue.includes(true)) break;
        if (performance.now() - since > settleMsMax) throw new Error('the servers do not come to rest');
      }
      await quiet();
    },
    async stop() {
      for (const side of sides) {
        await both[side].pool.destroy();
        await both[side].running.close();
      }
      receiver.close();
      await cluster.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
