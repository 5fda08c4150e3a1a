import assert from 'node:assert/strict';
import { cpSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { runCommand, runDoctor, startServe } from 'confab-testing/command.ts';
import { makeApp, makeComment, makeFile } from 'confab-testing/fixtures.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';

const freshFolder = useFolders();
const pageBytes = 8192;
const commentCount = 300;
let whole = '';
let place = '';

/** A store with a backup, whose server has ended. */
before(async () => {
  whole = freshFolder();
  place = join(freshFolder(), 'place');
  const server = await startTestServer({}, { folder: whole });
  const app = await makeApp(server, { uid: 'flipped' });
  for (let number = 0; number < commentCount; number += 1)
    await makeComment(server, app.id, { text: `comment ${number} word${number}` });
  const files = await makeApp(server, { type: 'files' });
  await makeFile(server, files.id);
  await server.close();
  const { code, stderr } = await runCommand(['backup', 'create', place, '--data-dir', whole]);
  assert.equal(code, 0, stderr);
});

function copyOf(folder: string): string {
  const copy = freshFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Changes one byte of a file. */
function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
  writeFileSync(file, bytes);
}

/** Where the root page of a table or an index begins. */
function rootOf(folder: string, name: string): number {
  using database = new DatabaseSync(join(folder, 'confab.db'), { readOnly: true });
  const { page } = database
    .prepare('select rootpage as page from sqlite_master where name = ?')
    .get(name) as {
    page: number;
  };
  return (page - 1) * pageBytes;
}

async function checksIn(folder: string, settings: Record<string, string> = {}) {
  const { findings } = await runDoctor(['--data-dir', folder], settings);
  return findings.filter(({ check }) => !['port', 'backups', 'folder-mode'].includes(check));
}

/** The comments of a store, read by a server. */
async function commentsIn(folder: string): Promise<number> {
  const server = await startTestServer({}, { folder });
  const { count } = await server.read('/api/apps/flipped/comments?count_only=true');
  await server.close();
  return Number(count);
}

/** Restores the backup and reads it. */
async function restored(): Promise<string> {
  const to = join(freshFolder(), 'restored');
  const { code, stderr } = await runCommand(['backup', 'restore', place, '--to', to]);
  assert.equal(code, 0, stderr);
  assert.equal(await commentsIn(to), commentCount);
  return to;
}

// What a disk returns may differ from what was written. The doctor finds it, and a backup brings it back.
describe('a byte that changed on the disk', () => {
  test('in a table is found, and the backup brings the store back', async () => {
    const folder = copyOf(whole);
    // The number of cells of the root page.
    flip(join(folder, 'confab.db'), rootOf(folder, 'entries') + 4);
    const [first] = await checksIn(folder);
    assert.equal(first?.check, 'integrity');
    assert.match(first.mend, /restore the newest backup/);
    await restored();
  });

  test('in an index is found', async () => {
    const folder = copyOf(whole);
    // A byte of the first key that was stored in it.
    flip(join(folder, 'confab.db'), rootOf(folder, 'entries_kind') + pageBytes - 2);
    assert.deepEqual(
      (await checksIn(folder)).map(({ check }) => check),
      ['integrity'],
    );
  });

  test('in the search index is found', async () => {
    const folder = copyOf(whole);
    const file = join(folder, 'confab.db');
    const database = new DatabaseSync(file);
    database.enableDefensive(false);
    // The words are in blocks of this table.
    database.exec(
      `update entry_search_data set block = cast(x'ffff' || substr(block, 3) as blob)
       where id = (select max(id) from entry_search_data)`,
    );
    database.close();
    assert.deepEqual(
      (await checksIn(folder)).map(({ check }) => check),
      ['integrity'],
    );
  });

  test('in an upload is found by the doctor that knows the backup, which has the right bytes', async () => {
    const folder = copyOf(whole);
    using database = new DatabaseSync(join(folder, 'confab.db'), { readOnly: true });
    const { key } = database.prepare('select "key" from blobs limit 1').get() as { key: string };
    const path = join(folder, 'blobs', key.slice(0, 2), key);
    flip(path, 0);
    assert.deepEqual(await checksIn(folder), []);
    const settings = { CONFAB_BACKUP_TO: place };
    const [finding, ...others] = await checksIn(folder, settings);
    assert.deepEqual([finding?.check, others], ['blobs-damaged', []]);
    assert.match(finding?.what ?? '', new RegExp(`^1 upload in .* such as ${key}\\.$`));
    const good = join(await restored(), 'blobs', key.slice(0, 2), key);
    renameSync(good, path);
    assert.deepEqual(await checksIn(folder, settings), []);
  });
});

/** A folder whose server was killed, with the commits of its last comments in the log alone. */
async function killedFolder(): Promise<string> {
  const folder = copyOf(whole);
  const server = await startServe(folder);
  const made = await runCommand(['key', 'create', '--data-dir', folder]);
  const authorization = `Bearer ${/wys_\w{38}/.exec(made.stdout)?.[0]}`;
  for (let number = 0; number < 20; number += 1) {
    const { status } = await fetch(`${server.url}/api/apps/flipped/comments`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ text: `late ${number}` }),
    });
    assert.equal(status, 201);
  }
  server.child.kill('SIGKILL');
  await server.ended;
  return folder;
}

// SQLite reads the log up to the first frame that is not right, and would lose what follows without a word.
describe('a byte that changed in the write-ahead log', () => {
  const logOf = (folder: string) => join(folder, 'confab.db-wal');

  test('keeps the server from starting, with what can be done', async () => {
    const folder = await killedFolder();
    const log = logOf(folder);
    const before = readFileSync(log);
    const intact = copyOf(folder);
    assert.equal(await commentsIn(intact), commentCount + 20);
    // In the page of a frame in the middle.
    flip(log, Math.floor(before.length / 2));
    await assert.rejects(
      startTestServer({}, { folder }),
      /write-ahead log .* is damaged after \d+ bytes: at least \d+ later commits, which were acknowledged, cannot be read\. Restore/,
    );
    assert.equal(statSync(log).size, before.length);
    const [finding] = await checksIn(folder);
    assert.equal(finding?.check, 'log');
    assert.equal(statSync(log).size, before.length);
    const length = Number(/--size=(\d+) /.exec(finding.mend)?.[1]);
    truncateSync(log, length);
    assert.deepEqual(await checksIn(folder), []);
    const left = await commentsIn(folder);
    assert.ok(left >= commentCount && left < commentCount + 20, String(left));
  });

  test('is found in the head of a frame, and not confused with a write that a power cut ended', async () => {
    const folder = await killedFolder();
    const log = logOf(folder);
    const bytes = readFileSync(log);
    const frameBytes = pageBytes + 24;
    const frames = Math.floor((bytes.length - 32) / frameBytes);
    for (const at of [8, 16, 23]) {
      writeFileSync(log, bytes);
      flip(log, 32 + 3 * frameBytes + at);
      await assert.rejects(startTestServer({}, { folder: copyOf(folder) }), /is damaged after/);
    }
    // The last commit alone, half written.
    writeFileSync(log, bytes);
    flip(log, 32 + (frames - 1) * frameBytes + 500);
    const torn = copyOf(folder);
    const server: TestServer = await startTestServer({}, { folder: torn });
    assert.equal((await server.call('GET', '/api/apps/flipped')).status, 200);
    await server.close();
    rmSync(torn, { recursive: true });
  });
});
