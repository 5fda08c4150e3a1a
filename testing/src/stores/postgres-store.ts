import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import pg from 'pg';
import type { Answer, Question, Row } from './postgres-thread.ts';
import { ownAffairs, type Plan, type StoreContent } from './store-content.ts';

/** Queries PostgreSQL synchronously, like SQLite; a thread does the communication. */

/** Longer than any statement of a test takes. */
const answerTimeoutMs = 60_000;
let thread: Worker | undefined;

function startThread(): Worker {
  const started = new Worker(new URL('./postgres-thread.ts', import.meta.url));
  started.unref();
  return started;
}

/**
 * The rows of a statement; without one, closes the connection to the database. A repeated statement has a name, under
 * which the engine keeps it prepared.
 */
function ask(url: string, question?: string | pg.QueryConfig): Row[] {
  thread ??= startThread();
  const query = typeof question === 'string' ? { text: question } : question;
  const isAnswered = new Int32Array(new SharedArrayBuffer(4));
  // Each question has a channel of its own, so that an answer that comes too late is not taken for that to another.
  const { port1: port, port2 } = new MessageChannel();
  thread.postMessage({ url, query, isAnswered, port: port2 } satisfies Question, [port2]);
  try {
    if (Atomics.wait(isAnswered, 0, 0, answerTimeoutMs) === 'timed-out')
      throw new Error(`PostgreSQL did not answer in ${answerTimeoutMs} ms: ${query?.text}`);
    const answer: Answer = receiveMessageOnPort(port)?.message;
    if ('fault' in answer) throw new Error(`${answer.fault}: ${query?.text}`);
    return answer.rows;
  } finally {
    port.close();
  }
}

/**
 * The steps of a statement. The tables of a test are so small that a full scan is cheapest. Full scans and sorts are
 * therefore made expensive, so that the remaining ones are unavoidable.
 */
function planOf(url: string, sql: string): Plan {
  const count = Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const values = count === 0 ? '' : `(${Array(count).fill('null').join()})`;
  const rows = ask(
    url,
    `begin; set local enable_seqscan = off; set local enable_sort = off;
     set local plan_cache_mode = force_generic_plan; prepare looked_at as ${sql};
     explain execute looked_at${values}; deallocate looked_at; rollback`,
  );
  const steps = rows.map((row) => String(row['QUERY PLAN']).trim());
  return {
    steps,
    scans: steps.filter((step) => step.includes('Seq Scan')),
    sorts: steps.filter((step) => /^(->)? *(Incremental )?Sort\b/.test(step)),
  };
}

const tablesQuery = `select relname as name from pg_class where relkind = 'r'
  and relnamespace = current_schema()::regnamespace order by relname`;

/**
 * Has the engine count the rows that committed transactions have written to the tables of an address, in a sequence. A
 * deferred trigger runs at the commit only, and reading a sequence costs the same however many rows there are. To create
 * a trigger waits for all that write to the table, so this is done before there is a server: one in the process of the
 * test could not end its transaction, because `ask` blocks it.
 */
export async function noteCommits(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(tablesQuery);
    const watched = rows.map(({ name }) => name).filter((name) => !ownAffairs.beats.has(name));
    const triggers = watched.map(
      (name) =>
        `create constraint trigger noted after insert or update or delete on "${name}"
          deferrable initially deferred for each row execute function note_row()`,
    );
    await client.query(
      `create sequence noted_rows;
       create function note_row() returns trigger language plpgsql as
         $$ begin perform nextval('noted_rows'); return null; end $$;
       ${triggers.join(';\n')}`,
    );
  } finally {
    await client.end();
  }
}

/** Reads a database of PostgreSQL alongside the server that writes it. */
export function postgresContent(url: string): StoreContent {
  const { tables: left, rows: leftRows, beats } = ownAffairs;
  const tables = ask(url, tablesQuery).map(({ name }) => String(name));
  const digests = tables
    .filter((name) => !left.has(name) && !beats.has(name))
    .map((name) => {
      const rest = leftRows[name] === undefined ? '' : ` where not (${leftRows[name]})`;
      return `select '${name}' as name, md5(string_agg(t::text, E'\\n' order by t::text)) as digest from "${name}" t${rest}`;
    })
    .join(' union all ');
  // Workers of the engine read the tables in parallel, in any order.
  return {
    rows: (sql) => ask(url, sql),
    mark() {
      const text = 'select last_value || is_called::text as mark from noted_rows';
      return String(ask(url, { text, name: 'mark' })[0]?.mark);
    },
    digest: () => JSON.stringify(ask(url, `${digests} order by name`)),
    tables: () => tables,
    plan: (sql) => planOf(url, sql),
    // The engine checks every row of every commit.
    brokenReferences: () => [],
    execute: (sql) => void ask(url, sql),
    close: () => void ask(url),
  };
}
