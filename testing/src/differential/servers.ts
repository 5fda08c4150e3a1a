import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Db } from 'confab-server/src/db/db.ts';
import { query } from 'confab-server/src/db/statement.ts';
import { firstRunning } from 'confab-server/src/features/erasures/erasures.store.ts';
import { redactDeleted } from 'confab-server/src/features/redactions/redactions.ts';
import { deliveryLagMs } from 'confab-server/src/features/webhooks/sending/lanes.ts';
import { type Parts, startServer } from 'confab-server/src/main/main.ts';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { sourcesIn } from '../harness/checkout.ts';
import { freshKey } from '../harness/confab-process.ts';
import { HeldClock } from '../harness/held-clock.ts';
import { startLocal } from '../harness/local-server.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { wrapStore } from '../harness/store-wrapper.ts';
import { temporaryFolder } from '../harness/suite.ts';
import { startCluster } from '../stores/postgres.ts';
import { answerFrom } from './receiver.ts';
import { type Pair, type Side, sides, type Text, textFor } from './twins.ts';

/** One request, created for each side with the names of that side. */
export type Request = {
  readonly method: string;
  readonly path: Text;
  readonly headers: { readonly [name: string]: Text };
  readonly body?: (side: Side) => string | Buffer;
};

/** The response of a server. */
export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly bytes: Buffer;
};

/** One of the servers of a run: the engine of its store, and the function that starts it. */
export type Contestant = {
  /** Its name in reports. */
  readonly name: string;
  readonly engine: 'sqlite' | 'postgres';
  readonly start: typeof startServer;
  /** Takes the texts of what was deleted out of the log. The statements of a checkout are for its own stores. */
  readonly redact: typeof redactDeleted;
};

/** The sources of this checkout on both engines. */
export const bothEngines: Pair<Contestant> = {
  left: { name: 'SQLite', engine: 'sqlite', start: startServer, redact: redactDeleted },
  right: { name: 'PostgreSQL', engine: 'postgres', start: startServer, redact: redactDeleted },
};

/** The sources of this checkout and those of another one in `folder`, both on one engine. */
export async function bothCheckouts(folder: string, engine: Contestant['engine']): Promise<Pair<Contestant>> {
  const sources = sourcesIn(folder);
  if (sources === undefined) throw new Error(`${folder} is no checkout of Confab`);
  // The releases up to 0.1.0 have the composition at the root of the sources.
  const main = existsSync(join(sources, 'main/main.ts')) ? 'main/main.ts' : 'main.ts';
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(join(sources, file)).href);
  const { startServer: start } = (await load(main)) as { startServer: typeof startServer };
  const { redactDeleted: redact } = (await load('features/redactions/redactions.ts')) as {
    redactDeleted: typeof redactDeleted;
  };
  return {
    left: { name: 'this checkout', engine, start: startServer, redact: redactDeleted },
    right: { name: 'the other one', engine, start, redact },
  };
}

/** The intended difference between the servers. */
export type Difference = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly wrapDb?: (db: Db) => Db;
};

/** The two servers of a run, with the same settings and the same clock. */
export type Servers = {
  readonly key: string;
  readonly receiver: Receiver;
  readonly urls: Pair<string>;
  /** The version of PostgreSQL. */
  readonly kind: string;
  send(request: Request): Promise<Pair<Answer>>;
  /** Resolves when both servers have finished the work that follows from the requests. */
  settle(): Promise<void>;
  /**
   * Moves the clock by some milliseconds. The texts of what was deleted a minute before then leave both logs at once,
   * which the servers do at times of their own.
   */
  passTime(ms: number): Promise<void>;
  /** The failures that the servers logged. */
  readonly logged: readonly string[];
  stop(): Promise<void>;
};

/** The public address of both servers, so that addresses in responses are the same. */
export const publicUrl = 'http://confab.test';
/** After this many turns of the event loop without a statement, the work of the last request has ended. */
const quietTurns = 4;
const settleMsMax = 30_000;

/** An import that goes on. Without parameters, because the store may be that of another checkout, which has its own. */
const importInWork = query()((q) =>
  q
    .selectFrom('import_runs')
    .select('id')
    .where('state', 'in', [sql.lit('reading'), sql.lit('running'), sql.lit('undoing')])
    .limit(sql.lit(1)),
);

/** Counts the running statements of a store, to wait for the end of background work. */
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

/** Starts both, each on a fresh store; `differences` plant mistakes in one of them. */
export async function startServers(
  contestants: Pair<Contestant>,
  differences: Partial<Pair<Difference>> = {},
): Promise<Servers> {
  const folder = temporaryFolder('differential');
  // It stands while a request and its follow-up work run, so the comparison includes all times.
  const clock = new HeldClock(Date.now());
  const key = freshKey();
  const logged: string[] = [];
  const [receiver, cluster] = await Promise.all([startReceiver(answerFrom), startCluster()]);
  const activity = { left: { pending: 0 }, right: { pending: 0 } };

  async function startOne(side: Side) {
    const { engine, start } = contestants[side];
    const { settings, wrapDb = (db: Db) => db } = differences[side] ?? {};
    const database =
      engine === 'postgres'
        ? { CONFAB_DATABASE_URL: await cluster.createDatabase(`differential_${side}`) }
        : {};
    const parts: Parts = {
      clock,
      logTo: { write: (line: string) => void logged.push(`${side}: ${line}`) },
      wrapDb: (db) => watched(wrapDb(db), activity[side]),
    };
    const running = await startLocal({
      folder: join(folder.path, side),
      key,
      settings: {
        CONFAB_LOG_LEVEL: 'error',
        CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
        CONFAB_PUBLIC_URL: publicUrl,
        ...database,
        ...settings,
      },
      parts,
      start,
    });
    return { running, pool: new Pool(running.url, { connections: 1, pipelining: 1 }) };
  }
  const both = { left: await startOne('left'), right: await startOne('right') };

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

  /** Whether an unsent delivery is due, a user is being erased, or an import goes on. */
  async function hasDue(side: Side): Promise<boolean> {
    const { read } = both[side].running.db;
    const lag = await deliveryLagMs(read, { now: () => clock.now() + 1 });
    if (lag > 0 || (await read.get(firstRunning, {})) !== undefined) return true;
    return (await read.get(importInWork, {})) !== undefined;
  }

  async function quiet(): Promise<void> {
    for (let turns = 0; turns < quietTurns; turns += 1) {
      await turn();
      if (activity.left.pending + activity.right.pending > 0) turns = -1;
    }
  }

  async function settle(): Promise<void> {
    for (const since = performance.now(); ; await pause(1)) {
      await quiet();
      const isDue = await Promise.all(sides.map(hasDue));
      if (!isDue.includes(true)) break;
      if (performance.now() - since > settleMsMax) throw new Error('the servers do not come to rest');
    }
    await quiet();
  }

  return {
    key,
    receiver,
    urls: { left: both.left.running.url, right: both.right.running.url },
    kind: cluster.kind,
    logged,
    async send(request) {
      const [left, right] = await Promise.all([sendTo('left', request), sendTo('right', request)]);
      return { left, right };
    },
    settle,
    async passTime(ms) {
      clock.move(ms);
      for (const side of sides) while (await contestants[side].redact({ db: both[side].running.db, clock }));
      await settle();
    },
    async stop() {
      for (const side of sides) {
        await both[side].pool.destroy();
        await both[side].running.close();
      }
      receiver.close();
      await cluster.stop();
      folder[Symbol.dispose]();
    },
  };
}
