/**
 * Checks that erasing a user leaves nothing: `npx node proof/erase.ts`.
 *
 * On each engine it fills a server with `--items` items of all kinds of one user, in the middle of what another wrote,
 * with a webhook whose receiver repeats every body. It counts them in the store, erases the user, and kills the server
 * `--kills` times meanwhile. Then it compares the receipt with its own counts, cleans the files of the store as an
 * operator would, and searches the bytes of the store, the uploads and a fresh backup for every word of the user. At last
 * it makes the erasure forget a part of its work, and fails unless the search finds it. `--engine` and `--seed` change
 * the run; the seed draws the items and the moments of the kills.
 */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { bytesIn, endsOf, expectedCounts, type Rows } from 'confab-testing/erase/counts.ts';
import { startSite } from 'confab-testing/erase/site.ts';
import { type Made, makeWorld, type World, type WorldClient } from 'confab-testing/erase/world.ts';
import { Client, uploadOf } from 'confab-testing/harness/client.ts';
import { mustConfab } from 'confab-testing/harness/confab-command.ts';
import { type ConfabProcess, freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { startReceiver } from 'confab-testing/harness/receiver.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { startOwnCluster } from 'confab-testing/stores/postgres.ts';
import pg from 'pg';

const { items, kills, seed, engine } = readFlags({
  items: 10_000,
  kills: 20,
  seed: anySeed,
  engine: 'sqlite,postgres',
});
const suite = new Suite('erase');
/** How many clients fill the server at the same time. */
const writers = 16;
/** The items of the run with a planted bug. */
const plantedItems = 200;
const triggers = ['comments', 'posts', 'messages', 'files', 'reactions', 'polls', 'notifications', 'members'];

/** A store that is read apart from its server. At the end of a scope with `await using` it is removed. */
type Store = AsyncDisposable & {
  readonly settings: { readonly [variable: string]: string };
  readonly rows: (sql: string) => Promise<Record<string, unknown>[]>;
  /** Cleans the files as an operator would, while no server runs; returns the folders and files to search. */
  readonly cleaned: () => Promise<string[]>;
  /** What a file has, where the engine names its files by numbers. */
  readonly nameOf: (file: string) => Promise<string>;
};

function sqliteStore(folder: string): Store {
  const data = join(folder, 'data');
  return {
    settings: {},
    async rows(sql) {
      using database = new DatabaseSync(join(data, 'confab.db'), { readOnly: true, timeout: 10_000 });
      return database.prepare(sql).all();
    },
    async cleaned() {
      await mustConfab(['vacuum'], { CONFAB_DATA_DIR: data });
      const backup = join(folder, 'backup.db');
      using database = new DatabaseSync(join(data, 'confab.db'));
      database.exec(`vacuum into '${backup}'`);
      return [data, backup];
    },
    nameOf: async (file) => file,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function postgresStore(folder: string): Promise<Store> {
  // Statistics, which keep samples of what is in the columns, are made again and again.
  const cluster = await startOwnCluster(['fsync=off', 'autovacuum_naptime=1s']);
  const address = await cluster.createDatabase('erase');
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  };
  return {
    settings: { CONFAB_DATABASE_URL: address },
    rows: run,
    async cleaned() {
      // As docs/keeping-a-community.md has it. The statistics of a table that has become empty would stay.
      for (const statement of ['delete from pg_statistic', 'analyze', 'vacuum full', 'checkpoint'])
        await run(statement);
      const [{ path } = { path: '' }] = await run(
        `select current_setting('data_directory') || '/base/' || oid as path from pg_database where datname = current_database()`,
      );
      return [join(folder, 'data'), String(path)];
    },
    async nameOf(file) {
      const node = /\/(\d+)[^/]*$/.exec(file)?.[1];
      const [found] =
        node === undefined
          ? []
          : await run(`select pg_filenode_relation(0, ${node})::regclass::text as name`);
      return `${file} (${found?.name ?? 'no relation'})`;
    },
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
}

function worldClient(client: Client): WorldClient {
  return {
    must: async (method, path, body, as, key) =>
      (await client.must(method, path, body, as, key)) as unknown as Made,
    upload: async (name, text, as) =>
      (await client.must('POST', '/api/blobs', uploadOf(name, text), as)) as unknown as Made,
  };
}

/** How long nothing may change until a server counts as settled, in milliseconds. */
const restMs = 3000;

/** Waits until nothing is left to deliver or to notify of. */
async function settled({ rows }: Store): Promise<void> {
  let last = '';
  for (;;) {
    const [state] = await rows(`select (select count(*) from deliveries where due_at is not null) as waiting,
      (select max(id) from events) as events, (select count(*) from notifications) as notifications`);
    const now = JSON.stringify(state);
    if (Number(state?.waiting) === 0 && now === last) return;
    last = now;
    await pause(restMs);
  }
}

/** The tables that `expectedCounts` reads, read ahead, because a cluster answers later. */
async function rowsOf(store: Store, statements: (rows: Rows) => unknown): Promise<Rows> {
  const known = new Map<string, Record<string, unknown>[]>();
  const asked: string[] = [];
  statements((sql) => {
    asked.push(sql);
    return [];
  });
  for (const sql of asked) known.set(sql, await store.rows(sql));
  return (sql) => known.get(sql) ?? [];
}

type Erased = { readonly receipt: Record<string, unknown>; readonly kills: number; readonly seconds: number };

/** Erases the user, and kills the server again and again until it has done so. */
async function erase(
  server: ConfabProcess,
  restart: () => Promise<ConfabProcess>,
  userId: number,
  killsMax: number,
): Promise<Erased & { readonly server: ConfabProcess }> {
  const random = seededRandom(seed + 1);
  let running = server;
  let done = 0;
  const { id } = await new Client(running).must('DELETE', `/api/users/${userId}`);
  const startedAt = performance.now();
  for (;;) {
    await using client = new Client(running);
    const receipt = await client.must('GET', `/api/erasures/${id}`);
    if (receipt.state === 'finished')
      return { receipt, kills: done, seconds: (performance.now() - startedAt) / 1000, server: running };
    await pause(random.integer(0, 60));
    if (done < killsMax) {
      await running.kill();
      done += 1;
      running = await restart();
    }
  }
}

/** Fills a server, erases the user and searches; returns what is left and where. */
async function tryErasing(
  name: string,
  { plant, items: itemCount, killsMax }: { plant?: readonly string[]; items: number; killsMax: number },
): Promise<string[]> {
  const folder = join(suite.folder, `${name}${plant === undefined ? '' : '-planted'}`);
  await using store = name === 'sqlite' ? sqliteStore(folder) : await postgresStore(folder);
  // Whatever a receiver answers is kept with the attempt, so it repeats every body.
  using echo = await startReceiver((response, { body }) => response.writeHead(200).end(body));
  using site = await startSite();
  const key = freshKey();
  const settings = {
    ...store.settings,
    CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
    CONFAB_LIMITS_KEY: 'off',
    CONFAB_LIMITS_PERSON: 'off',
  };
  const start = () => startConfab({ folder, key, plant, settings });
  const server = await start();
  const client = new Client(server);
  await client.create('/api/webhooks', { payload_url: `${echo.url}/`, triggers });
  const world = await makeWorld(worldClient(client), { seed, items: itemCount, site: site.url, writers });
  await settled(store);
  await client.close();
  const expected = expectedCounts(await rowsOf(store, (rows) => expectedCounts(rows, world)), world);
  const erased = await erase(server, start, world.userId, killsMax);
  await erased.server.stop();
  const left = await search(store, world);
  if (plant === undefined) report(name, { ...erased, world, expected });
  return left;
}

/** Cleans a store and searches it; returns each file in which a word of the user is, with how many. */
async function search(store: Store, world: World): Promise<string[]> {
  const ends = endsOf(world, { hasTexts: true });
  const found = (await Promise.all((await store.cleaned()).map((place) => bytesIn(place, ends)))).flat();
  return await Promise.all(
    found.map(
      async ({ file, words }) => `${words.length} words, such as ${words[0]}, in ${await store.nameOf(file)}`,
    ),
  );
}

type Figures = Erased & { readonly world: World; readonly expected: object };

function report(name: string, { world, expected, receipt, kills: killed, seconds }: Figures): void {
  console.log(`${name}: seed ${seed}, ${world.texts.length} words in texts and ${world.names.length} in names; \
erased in ${seconds.toFixed(1)} s with ${killed} kills
  ${JSON.stringify(receipt.counts)}`);
  const counts = receipt.counts as { [kind: string]: number };
  const wrong = Object.entries(expected).filter(([kind, number]) => counts[kind] !== number);
  if (wrong.length > 0)
    suite.fail(
      `${name}: the receipt differs from what was counted before`,
      wrong.map(([kind, number]) => `${kind}: ${number} counted, ${counts[kind]} in the receipt`),
    );
  if (killed < kills) suite.fail(`${name}: the erasure finished after ${killed} of ${kills} kills`);
}

async function tryEngine(name: string): Promise<void> {
  const left = await tryErasing(name, { items, killsMax: kills });
  console.log(`${name}: words found in ${left.length} files afterwards`);
  if (left.length > 0) suite.fail(`${name}: something is left of the user`, left);
  const found = await tryErasing(name, {
    plant: ['erase-forgets', 'events'],
    items: plantedItems,
    killsMax: 0,
  });
  suite.planted(`${name}: erase-forgets events`, found[0]);
}

console.log(`seed ${seed}: ${items} items, ${kills} kills`);
await suite.run(Object.fromEntries(engine.split(',').map((name) => [name, () => tryEngine(name)])));
