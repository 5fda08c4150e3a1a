import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { QueryConfig } from 'pg';
import type { OwnAffairs, Plan, StoreContent } from './store-content.ts';

/** Queries PostgreSQL synchronously, like SQLite; a thread does the communication. */

type Row = Record<string, unknown>;

const answered = new Int32Array(new SharedArrayBuffer(4));
const { port1: port, port2 } = new MessageChannel();
/** Longer than any statement of a test takes. */
const answerTimeoutMs = 60_000;
let isStarted = false;

function startThread(): void {
  isStarted = true;
  const started = new Worker(new URL('./postgres-thread.ts', import.meta.url), {
    workerData: { port: port2, answered },
    transferList: [port2],
  });
  started.unref();
  port.unref();
}

/**
 * The rows of a statement; without one, closes the connection to the database. A repeated statement has a name, under
 * which the engine keeps it prepared.
 */
function ask(url: string, question?: string | QueryConfig): Row[] {
  if (!isStarted) startThread();
  const query = typeof question === 'string' ? { text: question } : question;
  Atomics.store(answered, 0, 0);
  port.postMessage({ url, query });
  if (Atomics.wait(answered, 0, 0, answerTimeoutMs) === 'timed-out')
    throw new Error(`PostgreSQL did not answer in ${answerTimeoutMs} ms: ${query?.text}`);
  const answer: { rows: Row[] } | { fault: string } = receiveMessageOnPort(port)?.message;
  if ('fault' in answer) throw new Error(`${answer.fault}: ${query?.text}`);
  return answer.rows;
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

/**
 * Has the engine count the rows that committed transactions have written to some tables, in a sequence. A deferred
 * trigger runs at the commit only, and reading a sequence costs the same however many rows there are. Each table is
 * locked by itself, because the server may be writing.
 */
function noteCommits(tables: readonly string[]): string {
  return `do $do$ declare each text; begin
    if to_regclass('noted_rows') is not null then return; end if;
    create sequence noted_rows;
    create function note_row() returns trigger language plpgsql as
      $$ begin perform nextval('noted_rows'); return null; end $$;
    foreach each in array array[${tables.map((name) => `'${name}'`).join()}] loop
      execute format('create constraint trigger noted after insert or update or delete on %I
        deferrable initially deferred for each row execute function note_row()', each);
      commit;
    end loop;
  end $do$`;
}

/** Reads a database of PostgreSQL alongside the server that writes it. */
export function postgresContent(
  url: string,
  { tables: left, rows: leftRows, beats }: OwnAffairs,
): StoreContent {
  const tables = ask(
    url,
    `select relname as name from pg_class where relkind = 'r'
      and relnamespace = current_schema()::regnamespace order by relname`,
  ).map(({ name }) => String(name));
  const watched = tables.filter((name) => !beats.has(name));
  let isNoted = false;
  function mark(): string {
    if (!isNoted) ask(url, noteCommits(watched));
    isNoted = true;
    const [row] = ask(url, {
      text: 'select last_value || is_called::text as mark from noted_rows',
      name: 'mark',
    });
    return String(row?.mark);
  }
  const digests = watched
    .filter((name) => !left.has(name))
    .map((name) => {
      const rest = leftRows[name] === undefined ? '' : ` where not (${leftRows[name]})`;
      return `select '${name}' as name, md5(string_agg(t::text, E'\\n' order by t::text)) as digest from "${name}" t${rest}`;
    })
    .join(' union all ');
  // Workers of the engine read the tables in parallel, in any order.
  return {
    rows: (sql) => ask(url, sql),
    mark,
    digest: () => JSON.stringify(ask(url, `${digests} order by name`)),
    tables: () => tables,
    plan: (sql) => planOf(url, sql),
    // The engine checks every row of every commit.
    brokenReferences: () => [],
    execute: (sql) => void ask(url, sql),
    close: () => void ask(url),
  };
}
