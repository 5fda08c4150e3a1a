/**
 * How long a large store takes to move and how much memory: `npm run test:move`.
 *
 * It fills a server through its interface with comments that have an attachment each, moves its store to PostgreSQL and
 * from there to another folder, and fails unless the two folders hold the same rows. PostgreSQL is a throw-away cluster
 * that writes as carefully as one that is installed. `--comments` changes the size, 100,000 by default.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '../test/support/postgres.ts';
import { commentBodies } from './bench/comment-texts.ts';
import { call } from './bench/servers.ts';
import { type ConfabProcess, freshKey, startConfab } from './harness/confab-process.ts';
import { peakMemoryMbOf } from './harness/process-usage.ts';

const { values: flags } = parseArgs({ options: { comments: { type: 'string', default: '100000' } } });
const comments = Number(flags.comments);
const cli = resolve(import.meta.dirname, '../src/cli.ts');
/** How many requests are under way at once while the content is made. */
const writersMax = 32;
const appCount = 50;
/** How often the memory of a running move is looked at, in milliseconds. */
const lookMs = 50;

async function upload(server: ConfabProcess, number: number): Promise<number> {
  const form = new FormData();
  form.set('blob', new Blob([`attachment ${number}`], { type: 'text/plain' }), `note-${number}.txt`);
  const headers = { authorization: `Bearer ${server.key}` };
  const response = await fetch(`${server.url}/api/blobs`, { method: 'POST', headers, body: form });
  if (response.status !== 201) throw new Error(`an upload was answered ${response.status}`);
  return ((await response.json()) as { id: number }).id;
}

/** Makes the comments, each with an attachment of its own. */
async function fill(server: ConfabProcess): Promise<void> {
  for (let i = 0; i < appCount; i += 1)
    await call(server, 'POST', '/api/apps', JSON.stringify({ uid: `move-${i}`, type: 'comments' }));
  const bodies = commentBodies(comments);
  let made = 0;
  async function write(): Promise<void> {
    while (made < comments) {
      const number = made;
      made += 1;
      if (made % 10_000 === 0) console.log(`  ${made} comments`);
      const body = JSON.parse(bodies[number] ?? '{}');
      const text = JSON.stringify({ ...body, blobs: [await upload(server, number)] });
      await call(server, 'POST', `/api/apps/move-${number % appCount}/comments`, text);
    }
  }
  await Promise.all(Array.from({ length: writersMax }, write));
}

type Moved = { readonly seconds: number; readonly peakMb: number; readonly said: string };

/** Runs `confab move` to its end and measures it. */
async function move(settings: Record<string, string>, to: string): Promise<Moved> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, 'move', '--to', to], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...settings },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let code: number | null | undefined;
  child.once('close', (exitCode) => {
    code = exitCode;
  });
  let peakMb = 0;
  while (code === undefined) {
    peakMb = peakMemoryMbOf(child.pid ?? 0) ?? peakMb;
    await pause(lookMs);
  }
  if (code !== 0) throw new Error(`confab move ended with ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMb, said };
}

/** The tables of two folders whose rows are not the same, the history of the schema left out. */
function differences(first: string, second: string): string[] {
  const database = new DatabaseSync(join(first, 'confab.db'));
  database.exec(`attach '${join(second, 'confab.db')}' as other`);
  const tables = database
    .prepare("select name from main.sqlite_master where type = 'table' and sql not like 'create virtual%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'migrations' && !name.includes('_search'));
  const differing = tables.filter((name) => {
    // Of a table that has given out no id, an entry says as much as none.
    const where = name === 'sqlite_sequence' ? ' where seq > 0' : '';
    const without = (a: string, b: string) =>
      `select * from ${a}."${name}"${where} except select * from ${b}."${name}"${where}`;
    return [without('main', 'other'), without('other', 'main')].some(
      (sql) => database.prepare(`${sql} limit 1`).get() !== undefined,
    );
  });
  database.close();
  console.log(
    `compared ${tables.length} tables of the two folders: ${differing.length} differ ${differing.join()}`,
  );
  return differing;
}

/** The lines of the account that a move gives, which are the same for the same content. */
function account({ said }: Moved): string {
  return said
    .split('\n')
    .filter((line) => /[0-9a-f]{16}$/.test(line))
    .join('\n');
}

function show(direction: string, { seconds, peakMb, said }: Moved): void {
  const rows = Number(/^Moved (\d+) rows/m.exec(said)?.[1]);
  console.log(
    `${direction}: ${rows} rows in ${seconds.toFixed(1)} s (${(rows / seconds).toFixed(0)} a second, copied and compared), \
at most ${peakMb.toFixed(0)} MB of memory`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'confab-move-'));
const cluster = await startCluster([]);
try {
  console.log(`${comments} comments with an attachment each; PostgreSQL: ${cluster.kind}`);
  mkdirSync(join(folder, 'first'));
  const server = await startConfab({
    folder: join(folder, 'first'),
    key: freshKey(),
    logFile: join(folder, 'server.log'),
    settings: { CONFAB_LOG_LEVEL: 'warn' },
  });
  const startedAt = performance.now();
  await fill(server);
  await server.stop();
  const [first, second] = [join(folder, 'first/data'), join(folder, 'second')];
  const megabytes = statSync(join(first, 'confab.db')).size / 1e6;
  console.log(`made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${megabytes.toFixed(0)} MB`);
  const url = await cluster.createDatabase('confab_move');
  const there = await move({ CONFAB_DATA_DIR: first }, url);
  console.log(there.said);
  show('from SQLite to PostgreSQL', there);
  const back = await move({ CONFAB_DATA_DIR: first, CONFAB_DATABASE_URL: url }, second);
  show('from PostgreSQL to SQLite', back);
  const isSame = account(there) === account(back) && differences(first, second).length === 0;
  console.log(isSame ? 'passed: nothing was lost or changed on the way' : 'FAILED: the folders differ');
  process.exitCode = isSame ? 0 : 1;
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true });
}
