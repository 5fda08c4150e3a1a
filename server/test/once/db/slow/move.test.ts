import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { runCommand, startCommand, startServe } from 'confab-testing/command.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { fillStore, readingPaths, searches } from 'confab-testing/stores/full-store.ts';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import pg from 'pg';
import { keys } from '../../../../src/db/move/side.ts';
import { searchTables } from '../../../../src/db/sqlite/traces.ts';
import { applyMigrations } from '../../../../src/db/store-address.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-move-'));
let cluster: Cluster;
before(async () => {
  cluster = await startCluster();
});
after(async () => {
  await cluster.stop();
  rmSync(root, { recursive: true });
});

const folderOf = (name: string) => join(root, name);
const onSqlite = (folder: string) => ({ CONFAB_DATA_DIR: folder });
const move = (from: Record<string, string>, to: string) => runCommand(['move', '--to', to], from);

function withSqlite<T>(folder: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(folder, 'confab.db'), { timeout: 5000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

async function askPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table of a folder but the history of its own schema, and every word where it stands. */
function dump(folder: string): Record<string, unknown[]> {
  return withSqlite(folder, (database) => {
    const tables = database
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like '%\\_search%' escape '\\' and name <> 'migrations'",
      )
      .all()
      .map(({ name }) => String(name));
    const rows = (name: string) => {
      const all = database.prepare(`select * from "${name}"`).all();
      return all.map((row) => JSON.stringify(Object.values(row))).sort();
    };
    const words = Object.keys(keys).filter((name) => name.endsWith('_search'));
    for (const name of words)
      database.exec(`create virtual table temp.${name}_words using fts5vocab('main', ${name}, 'instance')`);
    return Object.fromEntries(
      [...tables, ...words.map((name) => `${name}_words`)].map((name) => [name, rows(name)]),
    );
  });
}

/** The answers that are not the same, each as it was and as it is. */
function changes(before: Record<string, string>, now: Record<string, string>) {
  assert.deepEqual(Object.keys(now).sort(), Object.keys(before).sort());
  return Object.entries(before)
    .filter(([request, answer]) => now[request] !== answer)
    .map(([request, answer]) => ({ request, was: answer, is: now[request] }));
}

/** How many addresses are asked for at once, by everyone. */
const pathsAtOnce = 8;

/** What a store answers to many requests by several callers, with the status of each. */
async function answersOf(server: TestServer, callers: readonly string[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  // The erasure of this store is planted in it afterwards.
  const paths = readingPaths().filter((path) => !path.startsWith('/api/erasures/'));
  const all = [...paths, ...searches];
  for (let first = 0; first < all.length; first += pathsAtOnce)
    await Promise.all(
      all.slice(first, first + pathsAtOnce).flatMap((path) =>
        callers.map(async (as, index) => {
          const { status, text } = await server.call('GET', path, undefined, { as });
          answers[`${index} ${path}`] = `${status} ${text.replace(/"request_id":"[^"]+"/, '')}`;
        }),
      ),
    );
  return answers;
}

/** Sends a request with a key, and answers whether it got what was kept, and the body. */
async function retry(server: TestServer, as: string): Promise<{ replayed: string | null; text: string }> {
  const headers = { 'idempotency-key': 'moved' };
  const { headers: answered, text } = await server.call(
    'POST',
    '/api/apps',
    { uid: 'kept', type: 'comments' },
    { as, headers },
  );
  return { replayed: answered.get('idempotent-replayed'), text };
}

/** Whatever the product has is there after a move, to whoever may see it and in the same words, on either engine. */
describe('a move of a store with some of everything', () => {
  const [first, back] = [folderOf('first'), folderOf('back')];
  // Addresses of files are the same for the same time and the same public address.
  const settings = { CONFAB_PUBLIC_URL: 'https://confab.example', CONFAB_DATABASE_URL: '' };
  const start = (folder: string, url = '') =>
    startTestServer(
      { ...settings, CONFAB_DATABASE_URL: url },
      { folder, clock: { now: () => Date.parse('2026-11-21T08:00:00Z') } },
    );
  let url: string;
  let callers: readonly string[];
  let unmoved: Record<string, string>;
  let kept: Awaited<ReturnType<typeof retry>>;
  let moved: Awaited<ReturnType<typeof runCommand>>;
  let returned: Awaited<ReturnType<typeof runCommand>>;
  let content: Record<string, unknown[]>;

  before(async () => {
    url = await cluster.createDatabase('moved');
    const server = await start(first);
    try {
      callers = [server.key, ...(await fillStore(server))];
      // More than the first transaction of a move takes.
      const app = await makeApp(server);
      for (let n = 0; n < 60; n += 1) await makeComment(server, app.id, { text: `word${n} of many` });
      const ban = { address: '192.0.2.1', seconds: 31_000_000 };
      assert.equal((await server.call('POST', '/api/bans', ban)).status, 201);
      kept = await retry(server, server.key);
      unmoved = await answersOf(server, callers);
    } finally {
      await server.close();
    }
    const store = new DatabaseSync(join(first, 'confab.db'));
    store.exec(`insert into parked_events values (1, 0, 'planted', 1)`);
    store.exec('insert into newest_ids values (1, 2, 3, 4, 5, 6, 7, 8)');
    store.exec('insert into approved_counts select min(apps.id), min(users.id), 1 from apps, users');
    store.exec(`insert into erasures (user_id, content, requested_at, requested_by_id, finished_at, names, part, counts)
      select max(id), 'remove', 1, 1, 2, '[]', 'traces', '{}' from users`);
    const hidden =
      'event_id, user_id, reason, action, actor_id, app_id, link_type, link_id, template, args, words, created_at, read_at, tags, metadata';
    store.exec(`insert into hidden_notifications (id, ${hidden})
      select 987654, ${hidden} from notifications order by id limit 1`);
    store.exec(
      `insert into visitor_secrets select x'01', 'renewal', x'02', max(id), null, 1, 9000000000000000, null from users`,
    );
    store.exec(`insert into sign_in_identities select 'email', 'a@example.com', max(id), 1 from users`);
    store.exec(`insert into sign_in_requests (hash, way, origin, challenge, created_at, expires_at)
      values (x'01', 'google', 'https://blog.example.com', 'c', 1, 9000000000000000)`);
    store.exec(`insert into visitor_addresses select max(id), '192.0.2.1', 9000000000000000 from users`);
    store.exec(`insert into refused_mailboxes values (x'01', 9000000000000000)`);
    store.exec(`insert into solved_puzzles values (x'01', 9000000000000000)`);
    store.exec(`insert into counted_guests values (x'01', 1, 9000000000000000)`);
    store.exec(`insert into sessions values (x'01', 'link', null, 1, 1, 9000000000000000)`);
    store.exec(`insert into agents (user_id, base_url, model, instructions, max_tokens)
      select max(id), 'https://models.example/v1', 'small', 'Be brief.', 100 from users`);
    store.exec(`insert into agent_questions (message_id, app_id, agent_id, author_id, context, is_whole, created_at)
      select 1, min(apps.id), max(users.id), min(users.id), '[]', 0, 1 from apps, users`);
    store.exec(
      `insert into redactions (entity_type, entity_id, deleted_at) values ('comment', 1, 9000000000000000)`,
    );
    store.close();
    content = dump(first);
    moved = await move(onSqlite(first), url);
    returned = await move({ ...onSqlite(first), CONFAB_DATABASE_URL: url }, back);
  });

  it('starts with rows in every persistent table', () => {
    const empty = Object.entries(content).filter(([, rows]) => rows.length === 0);
    assert.deepEqual(
      empty.map(([name]) => name),
      ['nodes', 'presence', 'rate_shares', 'notification_refreshes'],
    );
    assert.ok(Object.values(unmoved).filter((answer) => answer.startsWith('200')).length > 300);
    for (const word of ['peas', 'οδοσ', '日本'])
      assert.match(unmoved[`0 /api/comments?q=${encodeURIComponent(word)}`] ?? '', /"count":1\b/);
  });

  it('prints the rows and the checksum of every table, and the settings to change', () => {
    assert.equal(moved.code, 0, moved.stderr);
    const lines = moved.stdout.split('\n').filter((line) => /^\w+ +\d+ {2}[0-9a-f]{16}$/.test(line));
    assert.deepEqual(
      lines.map((line) => line.split(' ')[0]),
      Object.keys(keys),
    );
    assert.match(moved.stdout, new RegExp(`^entries +${content['entries']?.length} `, 'm'));
    assert.match(moved.stdout, /^Moved \d+ rows of \d+ tables from .*first to postgres:\/\/.*moved;/m);
    assert.match(
      moved.stdout,
      /^Set CONFAB_DATABASE_URL .* Uploads stay in .*first\/blobs.* the key in .*first\/secrets\.key/m,
    );
  });

  it('gives the same responses from PostgreSQL as from the folder', async () => {
    const server = await start(first, url);
    try {
      assert.deepEqual(changes(unmoved, await answersOf(server, callers)), []);
      assert.equal(kept.replayed, null);
      assert.deepEqual(await retry(server, callers[0] ?? ''), { replayed: 'true', text: kept.text });
    } finally {
      await server.close();
    }
  });

  it('assigns the next ids that the source would have assigned', async () => {
    const [row] = await askPostgres(url, 'select max(id) as id from entries');
    const deleted = content['sqlite_sequence']?.find((each) => String(each).startsWith('["entries"'));
    const [, highest] = JSON.parse(String(deleted));
    assert.ok(Number(row?.['id']) <= highest);
    const server = await start(first, url);
    try {
      const { body } = await server.call('POST', '/api/apps/1/comments', { text: 'next' });
      assert.equal(body.id, highest + 1);
    } finally {
      await server.close();
    }
  });

  it('comes back with each index of words in one part, so that requests have nothing to merge', () => {
    assert.equal(returned.code, 0, returned.stderr);
    const parts = (folder: string) =>
      withSqlite(folder, (database) =>
        searchTables.map((table) => {
          const row = database.prepare(`select count(distinct segid) as parts from ${table}_idx`).get();
          return { table, parts: Number(row?.parts) };
        }),
      );
    assert.ok(parts(first).some((each) => each.parts > 1));
    for (const each of parts(back)) assert.ok(each.parts <= 1, `${each.table} has ${each.parts} parts`);
  });

  it('comes back unchanged, row by row and word by word', async () => {
    assert.equal(returned.code, 0, returned.stderr);
    assert.deepEqual(dump(back), content);
    assert.match(
      returned.stdout,
      /^Set CONFAB_DATA_DIR .*copy the uploads: .*first\/blobs to .*back\/blobs\. .*copy it to .*back\/secrets\.key\.$/m,
    );
    await assert.rejects(start(back), /sealed with the key [0-9a-f]{8}, and this server has none/);
    copyFileSync(join(first, 'secrets.key'), join(back, 'secrets.key'));
    const server = await start(back);
    try {
      assert.deepEqual(changes(unmoved, await answersOf(server, callers)), []);
    } finally {
      await server.close();
    }
  });
});

const manyRows = 60_000;

/** A store that takes long enough to move that something can happen meanwhile, of which each test has a copy. */
async function makeLargeStore(): Promise<string> {
  const folder = folderOf('large');
  await applyMigrations({ folder }, systemClock);
  withSqlite(folder, (database) =>
    database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${manyRows})
      insert into imports (source, source_id, entity_type, entity_id) select 'x', n, 'comment', n from numbers`),
  );
  return folder;
}

type Look = () => Promise<string | undefined> | string | undefined;

/** Starts a move and ends it with kill -9 when the target has some, but not all, of the many rows. */
async function killInTheMiddle(from: Record<string, string>, to: string, look: Look): Promise<void> {
  const { child, ended } = await startCommand(['move', '--to', to], from);
  await poll('the middle of the move', async () => {
    const note = await look();
    return note?.includes('"table":"imports","after"') || undefined;
  });
  child.kill('SIGKILL');
  assert.equal(await ended, 'SIGKILL');
}

const noteIn = "select value from settings where name = 'move'";
const lookAtSqlite = (folder: string) => () => {
  try {
    // A file is not made by looking for it.
    const database = new DatabaseSync(join(folder, 'confab.db'), { readOnly: true });
    const value = database.prepare(noteIn).get()?.['value'];
    database.close();
    return String(value);
  } catch (error) {
    // There is no file yet, or no table in it.
    assert.match(String(error), /no such table|unable to open|database is locked/);
    return undefined;
  }
};
const lookAtPostgres = (url: string) => async () => {
  const [there] = await askPostgres(url, "select to_regclass('settings') is not null as there");
  return there?.['there'] === true ? String((await askPostgres(url, noteIn))[0]?.['value']) : undefined;
};

function copiedImports(stderr: string): number {
  return Number(/^Copied imports: (\d+) rows\.$/m.exec(stderr)?.[1]);
}

/** A move that was killed goes on behind what has come; until it is done nobody takes its target for a store. */
describe('a move that was killed', () => {
  let large: string;
  before(async () => {
    large = await makeLargeStore();
  });
  function largeStore(name: string): string {
    cpSync(large, folderOf(name), { recursive: true });
    return folderOf(name);
  }

  it('resumes into PostgreSQL, whose servers refuse to start before its end', async () => {
    const [folder, url] = [largeStore('killed'), await cluster.createDatabase('killed')];
    await killInTheMiddle(onSqlite(folder), url, lookAtPostgres(url));

    const server = await runCommand(['serve', '--port', '0'], {
      CONFAB_DATABASE_URL: url,
      ...onSqlite(folder),
    });
    assert.equal(server.code, 1);
    assert.match(
      server.stderr,
      /^confab: the store is the target of a move from .*killed that is not finished/m,
    );
    const otherFolder = folderOf('other');
    await applyMigrations({ folder: otherFolder }, systemClock);
    const other = await move(onSqlite(otherFolder), url);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /unfinished move from .*killed, not from .*other$/m);

    // A source that was changed in between is detected, and one that is as before goes on.
    const changeTo = (comment: string) =>
      withSqlite(folder, (database) => database.exec(`update users set comment = ${comment} where id = 1`));
    changeTo("'changed'");
    const changed = await move(onSqlite(folder), url);
    assert.equal(changed.code, 1);
    assert.ok(copiedImports(changed.stderr) < manyRows, changed.stderr);
    assert.match(changed.stderr, /^confab: the table users differs at id 1: /m);
    assert.ok((await askPostgres(url, noteIn)).length === 1);
    changeTo('null');

    const { code, stderr, stdout } = await move(onSqlite(folder), url);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /^Copied users/m);
    assert.match(stdout, new RegExp(`^imports +${manyRows} `, 'm'));
    assert.equal(Number((await askPostgres(url, 'select count(*) as n from imports'))[0]?.['n']), manyRows);
    assert.deepEqual(await askPostgres(url, noteIn), []);
  });

  it('resumes into a folder', async () => {
    const [folder, url] = [largeStore('there'), await cluster.createDatabase('there')];
    assert.equal((await move(onSqlite(folder), url)).code, 0);
    const [from, to] = [{ CONFAB_DATABASE_URL: url }, folderOf('again')];
    await killInTheMiddle(from, to, lookAtSqlite(to));
    const server = await runCommand(['serve', '--port', '0', '--data-dir', to]);
    assert.match(server.stderr, /^confab: the store is the target of a move from postgres:.* not finished/m);
    const { code, stderr } = await move(from, to);
    assert.equal(code, 0, stderr);
    assert.ok(copiedImports(stderr) < manyRows, stderr);
    assert.deepEqual(dump(to), dump(folder));
  });
});

/** A move begins only where nobody writes the source and the target holds nothing that could be lost. */
describe('a move is refused', () => {
  it('into a store that has rows', async () => {
    const [full, source] = [folderOf('full'), folderOf('source')];
    for (const folder of [full, source]) {
      await applyMigrations({ folder }, systemClock);
      withSqlite(folder, (database) =>
        database.exec(`insert into api_keys (hash, name, hint, created_at) values (x'01', 'key', 'hint', 1)`),
      );
    }
    const content = dump(full);
    const { code, stderr } = await move(onSqlite(source), full);
    assert.equal(code, 1);
    assert.match(stderr, /^confab: .*full is not empty: its table api_keys has rows$/m);
    assert.deepEqual(dump(full), content);
  });

  it('while a server runs on the folder', async () => {
    const folder = folderOf('running');
    const running = await startServe(folder);
    const { code, stderr } = await move(onSqlite(folder), folderOf('unused'));
    running.child.kill('SIGTERM');
    await running.ended;
    assert.equal(code, 1);
    assert.match(stderr, /^confab: another Confab server is running on the data folder/m);
  });

  it('while a server runs on the database', async () => {
    const url = await cluster.createDatabase('running');
    const running = await startServe(folderOf('node'), ['--database-url', url]);
    const { code, stderr } = await move({ CONFAB_DATABASE_URL: url }, folderOf('unused'));
    running.child.kill('SIGTERM');
    await running.ended;
    assert.equal(code, 1);
    assert.match(stderr, /^confab: Confab runs on the database that is to be moved: stop every node of it$/m);
  });

  it('to its own place, from a place without a store, and to an address of neither engine', async () => {
    const folder = folderOf('alone');
    await applyMigrations({ folder }, systemClock);
    assert.match((await move(onSqlite(folder), folder)).stderr, /alone is where the store is$/m);
    assert.match(
      (await move(onSqlite(folderOf('nothing')), folder)).stderr,
      /there is no store in .*nothing$/m,
    );
    const other = await move(onSqlite(folder), 'mysql://x/y');
    assert.equal(other.code, 2);
    assert.match(other.stderr, /--to must be a folder or an address that begins with postgres:\/\/$/m);
  });
});
