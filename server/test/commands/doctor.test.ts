import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makePost } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { engine, storeSettings } from 'confab-testing/stores/databases.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { type DoctorOptions, examineServer } from '../../src/commands/doctor/examine.ts';
import { configFrom } from '../../src/config/config.ts';

const hour = 3_600_000;
const year = 365 * 24 * hour;

let server: TestServer;
let settings: Record<string, string>;

async function examine(
  more: Record<string, string> = {},
  wanted: DoctorOptions & { warnings?: string[] } = {},
) {
  const config = configFrom({ ...settings, ...more });
  const { warnings = [], ...rest } = wanted;
  return await examineServer({ config, warnings, respell: (message) => message }, rest);
}

/** The checks that found something, except what the PostgreSQL of the tests is deliberately set to. */
async function found(more?: Record<string, string>, wanted?: Parameters<typeof examine>[1]) {
  const { findings } = await examine(more, wanted);
  return findings.map(({ check }) => check).filter((check) => check !== 'durability');
}

function write(sql: string): void {
  writeStore(server.folder, sql);
}

function one(sql: string): number {
  return Number(Object.values(readStore(server.folder, sql)[0] ?? {})[0]);
}

/** The path of the file of the oldest upload. */
function blobPath(order: 'asc' | 'desc'): string {
  const key = String(
    readStore(server.folder, `select "key" from blobs order by id ${order} limit 1`)[0]?.key,
  );
  return join(server.folder, 'blobs', key.slice(0, 2), key);
}

/** A store with some of everything, whose server has ended. */
async function fillStore(): Promise<void> {
  server = await startTestServer();
  settings = {
    CONFAB_DATA_DIR: server.folder,
    CONFAB_PORT: '0',
    CONFAB_LOG_LEVEL: 'silent',
    ...(await storeSettings(server.folder)),
  };
  const app = await makeApp(server, { type: 'files' });
  const chat = await makeApp(server, { access: 'write' });
  const receiver = createServer((_request, response) => response.end());
  await new Promise<void>((done) => {
    receiver.listen(0, '127.0.0.1', done);
  });
  const { port } = receiver.address() as AddressInfo;
  await server.create('/api/webhooks', { payload_url: `http://127.0.0.1:${port}/`, triggers: ['apps'] });
  const ann = await server.token('ann');
  await makeFile(server, app.id);
  await makeFile(server, app.id);
  const comment = await makeComment(server, chat.id, { text: 'found by words' }, { as: ann });
  await makeComment(server, chat.id);
  await server.call('POST', `/api/comments/${comment.id}/reactions`, { content: '👍' }, { as: ann });
  const posts = await makeApp(server, { type: 'posts' });
  await makePost(server, posts.id);
  await makeApp(server);
  await poll('the notifier', () =>
    one("select event_id - (select max(id) from events) from event_cursors where reader = 'notifier'") >= 0
      ? true
      : undefined,
  );
  await poll('the deliveries', () =>
    one("select count(*) from deliveries where status <> 'delivered'") === 0 ? true : undefined,
  );
  receiver.close();
}

before(fillStore);
after(async () => {
  await server.close();
});

/** Each fault that is planted in the store, by the check that finds it, with how. */
const planted: { [check: string]: () => void } = {
  indexes: () => write('drop index entries_kind'),
  counts: () => write("update tallies set live = live + 7 where kind = 'comment'"),
  sums: () => write('update users set stored_bytes = stored_bytes + 9'),
  'search-missing': () => write('delete from entry_search where rowid = (select min(id) from entries)'),
  'search-left': () => write(`insert into app_search (rowid, words) values (987654, 'left')`),
  clock: () =>
    write(`update events set created_at = ${Date.now() + hour} where id = (select max(id) from events)`),
  readers: () =>
    write(
      `update events set created_at = ${Date.now() - hour} where id < (select max(id) from events);
       update event_cursors set event_id = 0 where reader = 'notifier'`,
    ),
  leases: () =>
    write(`update leases set holder = 'gone', until = ${Date.now() + year} where name = 'notifier'`),
  parked: () =>
    write(
      `insert into parked_events (event_id, user_id, error, parked_at)
       select min(id), 0, 'planted', 1 from events where action = 'comment_created'`,
    ),
  deliveries: () => write('delete from deliveries where id = (select min(id) from deliveries)'),
  uids: () => write(`update apps set uid = 'init' where id = (select max(id) from apps)`),
  visitors: () =>
    write(
      `insert into directories (name, name_key, created_at) values ('visitors', 'visitors', 1);
       update users set directory_id = (select id from directories where name = 'visitors') where uid = 'ann'`,
    ),
  'blobs-missing': () => rmSync(blobPath('asc')),
  'blobs-size': () => writeFileSync(blobPath('desc'), 'cut'),
  'blobs-orphaned'() {
    const path = join(server.folder, 'blobs', '00', 'f'.repeat(32));
    mkdirSync(join(server.folder, 'blobs', '00'), { recursive: true });
    writeFileSync(path, 'left');
    utimesSync(path, 1, 1);
  },
  'folder-mode': () => chmodSync(server.folder, 0o755),
  'key-mode'() {
    writeFileSync(join(server.folder, 'secrets.key'), `${'ab'.repeat(32)}\n`);
    chmodSync(join(server.folder, 'secrets.key'), 0o644);
  },
  keys: () => write(`insert into settings (name, value) values ('secrets_key:planted', 'x')`),
};
if (engine === 'sqlite')
  planted.references = () =>
    write('pragma foreign_keys = off; insert into stars (user_id, app_id) select 987654, min(id) from apps');

/** What --fix mends; the others need a decision or something from elsewhere. */
const mendable = [
  'indexes',
  'counts',
  'sums',
  'search-missing',
  'search-left',
  'leases',
  'parked',
  'blobs-orphaned',
  'folder-mode',
  'key-mode',
];

// The doctor names each of the faults that are planted and says how to mend it, and --fix mends what it says it mends.
describe('confab doctor', () => {
  test('finds nothing wrong beside a running server', async () => {
    assert.deepEqual(await found(), []);
    await server.running.close();
  });

  test('finds a schema with pending steps, and does not take them', async () => {
    const newest = readStore(server.folder, 'select * from migrations order by id desc limit 1')[0];
    const { id, name, applied_at: at } = newest ?? {};
    write(`delete from migrations where id = ${id}`);
    assert.deepEqual(await found(), ['schema']);
    write(`insert into migrations (id, name, applied_at) values (${id}, '${name}', ${at})`);
    assert.deepEqual(await found(), []);
  });

  test('finds a damaged database', async () => {
    // PostgreSQL checks its pages itself.
    const expected = engine === 'sqlite' ? ['integrity'] : [];
    const folder = mkdtempSync(join(tmpdir(), 'confab-damaged-'));
    try {
      cpSync(server.folder, folder, { recursive: true });
      const file = engine === 'sqlite' ? openSync(join(folder, 'confab.db'), 'r+') : undefined;
      for (let page = 5; page < 60; page += 1)
        if (file !== undefined) writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, page * 8192);
      assert.deepEqual(await found({ CONFAB_DATA_DIR: folder }), expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('finds a write-ahead log that has grown', async () => {
    // Only the length counts: SQLite ignores a log that does not begin with its header.
    writeFileSync(join(server.folder, 'confab.db-wal'), '');
    truncateSync(join(server.folder, 'confab.db-wal'), 2 * 1024 ** 3);
    assert.deepEqual(await found(), engine === 'sqlite' ? ['log-size'] : []);
    rmSync(join(server.folder, 'confab.db-wal'), { force: true });
    assert.deepEqual(await found(), []);
  });

  test('finds each planted fault by its name, with how to mend it', async () => {
    for (const plant of Object.values(planted)) plant();
    const { findings } = await examine();
    const names = new Set(findings.map(({ check }) => check));
    const expected = [...Object.keys(planted), ...(engine === 'postgres' ? ['durability'] : [])];
    assert.deepEqual([...names].toSorted(), expected.toSorted());
    for (const { what, mend } of findings) {
      assert.match(what, /^\S.*\.$/);
      assert.match(mend, /^[A-Z].*\.$/);
    }
  });

  test('mends what --fix says it mends, and leaves the rest', async () => {
    const before = await examine();
    const claimed = before.findings.filter(({ fix }) => fix !== undefined).map(({ check }) => check);
    assert.deepEqual([...new Set(claimed)].toSorted(), mendable.toSorted());
    const { findings, fixed } = await examine({}, { fix: true });
    assert.deepEqual([...new Set(fixed.map(({ check }) => check))].toSorted(), mendable.toSorted());
    const left = new Set(findings.map(({ check }) => check));
    const unmended = Object.keys(planted).filter((check) => !mendable.includes(check));
    assert.deepEqual([...left].filter((check) => check !== 'durability').toSorted(), unmended.toSorted());
    assert.equal((await examine({}, { fix: true })).fixed.length, 0);
  });
});

/** Starts a program that is not Confab, with a clock that is an hour late; returns its address. */
async function startStranger(): Promise<{ address: string; close: () => void }> {
  const stranger = createServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() - hour).toUTCString());
    response.writeHead(404).end('not here');
  });
  await new Promise<void>((done) => {
    stranger.listen(0, '0.0.0.0', done);
  });
  return {
    address: `0.0.0.0:${(stranger.address() as AddressInfo).port}`,
    close: () => stranger.close(),
  };
}

// What is around the server is looked at as it is configured.
describe('the surroundings', () => {
  test('have each of their faults found', async (t) => {
    const { address, close } = await startStranger();
    t.after(close);
    const names = await found(
      {
        CONFAB_PORT: address.split(':')[1] ?? '',
        CONFAB_PUBLIC_URL: `http://${address}`,
        CONFAB_SMTP_URL: 'smtp://127.0.0.1:1',
        CONFAB_MAIL_FROM: 'a@example.com',
        CONFAB_DISK_FREE_MIB: '1000000000',
      },
      { nodeVersion: '22.1.0', warnings: ['every user can read the secret x: run "chmod o= x"'] },
    );
    for (const check of [
      'node',
      'port',
      'public-url',
      'tls',
      'clock-of-address',
      'mail',
      'disk',
      'secret-mode',
    ])
      assert.ok(names.includes(check), `${check} in ${names.join(' ')}`);
    const secure = {
      CONFAB_PUBLIC_URL: `https://${address}`,
      CONFAB_CORS_ORIGINS: 'http://shop.example',
      CONFAB_S3_BUCKET: 'files',
      CONFAB_S3_ENDPOINT: 'http://127.0.0.1:1',
      CONFAB_S3_ACCESS_KEY_ID: 'a',
      CONFAB_S3_SECRET_ACCESS_KEY: 'b',
    };
    const others = await found(secure);
    for (const check of ['proxies', 'cors', 'public-url', 'bucket'])
      assert.ok(others.includes(check), `${check} in ${others.join(' ')}`);
    assert.ok(!others.includes('tls'));
    const levelOf = async (guestsCountBy: string) => {
      const { findings } = await examine({ ...secure, CONFAB_GUESTS_COUNT_BY: guestsCountBy });
      return findings.find(({ check }) => check === 'proxies')?.level;
    };
    assert.deepEqual([await levelOf('guest'), await levelOf('address')], ['warning', 'error']);
  });

  test('a half set-up of a site, which looks like a page without comments', async () => {
    const levelOf = async (more: Record<string, string>) => {
      const { findings } = await examine(more);
      return findings.find(({ check }) => check === 'site')?.level;
    };
    const [origins, ways, visitors] = [
      { CONFAB_CORS_ORIGINS: 'https://blog.example.com' },
      { CONFAB_SIGN_IN: 'guest' },
      { CONFAB_PAGES_VISITORS: 'write' },
    ];
    assert.deepEqual(
      [await levelOf({}), await levelOf(origins), await levelOf({ ...origins, ...ways, ...visitors })],
      [undefined, undefined, undefined],
    );
    assert.equal(await levelOf({ ...ways, ...visitors }), 'warning');
    assert.equal(await levelOf({ ...origins, ...visitors }), 'warning');
    assert.equal(await levelOf({ ...origins, ...ways }), 'note');
  });
});
