/**
 * Measures the time and memory of moving a large store: `npx node proof/move.ts`.
 *
 * It fills a server through its API with comments that have an attachment each, moves its store to PostgreSQL and from
 * there to another folder, and fails unless the two folders have the same rows. PostgreSQL is a temporary cluster with
 * the durability settings of an installed one. `--comments` changes the size, 100,000 by default.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client, uploadOf } from 'confab-testing/harness/client.ts';
import { type CommandResult, mustConfab } from 'confab-testing/harness/confab-command.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { inParallel } from 'confab-testing/harness/parallel.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { startOwnCluster } from 'confab-testing/stores/postgres.ts';
import { commentTexts } from './bench/comment-texts.ts';

const { comments } = readFlags({ comments: 100_000 });
const suite = new Suite('move');
const { folder } = suite;
/** The number of concurrent requests while the content is created. */
const writersMax = 32;
const appCount = 50;

/** Creates the comments, each with its own attachment. */
async function fill(client: Client): Promise<void> {
  for (let i = 0; i < appCount; i += 1)
    await client.create('/api/apps', { uid: `move-${i}`, type: 'comments' });
  const texts = commentTexts(comments);
  await inParallel({ count: comments, atOnce: writersMax }, async (number) => {
    if ((number + 1) % 10_000 === 0) console.log(`  ${number + 1} comments`);
    const id = await client.create('/api/blobs', uploadOf(`note-${number}.txt`, `attachment ${number}`));
    const text = texts[number];
    await client.create(`/api/apps/move-${number % appCount}/comments`, { text, blobs: [id] });
  });
}

/** The tables of two folders whose rows differ, except the history of the schema. */
function differences(first: string, second: string): string[] {
  using database = new DatabaseSync(join(first, 'confab.db'));
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
  console.log(
    `compared ${tables.length} tables of the two folders: ${differing.length} differ ${differing.join()}`,
  );
  return differing;
}

/** The lines of a move's report that depend only on the content. */
function account({ stdout }: CommandResult): string {
  return stdout
    .split('\n')
    .filter((line) => /[0-9a-f]{16}$/.test(line))
    .join('\n');
}

function show(direction: string, { seconds, peakMb, stdout }: CommandResult): void {
  const rows = Number(/^Moved (\d+) rows/m.exec(stdout)?.[1]);
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
    const there = await mustConfab(['move', '--to', url], { CONFAB_DATA_DIR: first });
    console.log(there.stdout);
    show('from SQLite to PostgreSQL', there);
    const from = { CONFAB_DATA_DIR: first, CONFAB_DATABASE_URL: url };
    const back = await mustConfab(['move', '--to', second], from);
    show('from PostgreSQL to SQLite', back);
    const isSame = account(there) === account(back) && differences(first, second).length === 0;
    if (!isSame) suite.fail('the folders differ');
  } finally {
    await cluster.stop();
  }
}

await suite.run({ run });
