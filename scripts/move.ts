/**
 * Measures the time and memory of moving a large store: `npm run test:move`.
 *
 * It fills a server through its API with comments that have an attachment each, moves its store to PostgreSQL and from
 * there to another folder, and fails unless the two folders have the same rows. PostgreSQL is a temporary cluster with
 * the durability settings of an installed one. `--comments` changes the size, 100,000 by default.
 */

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { startOwnCluster } from '../test/support/stores/postgres.ts';
import { commentTexts } from './bench/comment-texts.ts';
import { Client, uploadOf } from './harness/client.ts';
import { startConfab } from './harness/confab-process.ts';
import { peakMemoryMbOf } from './harness/process-usage.ts';
import { readFlags, Suite } from './harness/suite.ts';

const { comments } = readFlags({ comments: 100_000 });
const suite = new Suite('move');
const { folder } = suite;
const cli = resolve(import.meta.dirname, '../src/cli.ts');
/** The number of concurrent requests while the content is created. */
const writersMax = 32;
const appCount = 50;
/** How often the memory of a running move is measured, in milliseconds. */
const lookMs = 50;

/** Creates the comments, each with its own attachment. */
async function fill(client: Client): Promise<void> {
  for (let i = 0; i < appCount; i += 1)
    await client.must('POST', '/api/apps', { uid: `move-${i}`, type: 'comments' });
  const texts = commentTexts(comments);
  let made = 0;
  async function write(): Promise<void> {
    while (made < comments) {
      const number = made;
      made += 1;
      if (made % 10_000 === 0) console.log(`  ${made} comments`);
      const file = uploadOf(`note-${number}.txt`, `attachment ${number}`);
      const { id } = await client.must('POST', '/api/blobs', file);
      const text = texts[number];
      await client.must('POST', `/api/apps/move-${number % appCount}/comments`, { text, blobs: [id] });
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

/** The tables of two folders whose rows differ, except the history of the schema. */
function differences(first: string, second: string): string[] {
  const database = new DatabaseSync(join(first, 'confab.db'));
  database.exec(`attach '${join(second, 'confab.db')}' as other`);
  const tables = database
    .prepare("select name from main.sqlite_master where type = 'table' and sql not like 'create virtual%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'migrations' && !name.includes('_search'));
  const differing = tables.filter((name) => {
    // For a table that has assigned no id, an entry means the same as none.
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

/** The lines of a move's report that depend only on the content. */
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

async function run(): Promise<void> {
  const cluster = await startOwnCluster([]);
  try {
    console.log(`${comments} comments with an attachment each; PostgreSQL: ${cluster.kind}`);
    const settings = { CONFAB_LOG_LEVEL: 'warn' };
    const server = await startConfab({ folder: join(folder, 'first'), settings });
    const client = new Client(server, { connections: writersMax });
    const startedAt = performance.now();
    await fill(client);
    await client.close();
    await server.stop();
    const [first, second] = [join(folder, 'first/data'), join(folder, 'second')];
    const megabytes = statSync(join(first, 'confab.db')).size / 1e6;
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`made in ${seconds.toFixed(0)} s, ${megabytes.toFixed(0)} MB`);
    const url = await cluster.createDatabase('confab_move');
    const there = await move({ CONFAB_DATA_DIR: first }, url);
    console.log(there.said);
    show('from SQLite to PostgreSQL', there);
    const back = await move({ CONFAB_DATA_DIR: first, CONFAB_DATABASE_URL: url }, second);
    show('from PostgreSQL to SQLite', back);
    const isSame = account(there) === account(back) && differences(first, second).length === 0;
    if (!isSame) suite.fail('the folders differ');
  } finally {
    await cluster.stop();
  }
}

await suite.run({ run });
