import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { keptStatementsMax } from '../kept-statements.ts';
import { defineFunctions } from './functions.ts';
import { arraysOf } from './row-arrays.ts';

/** A process that reads a file of SQLite for the server that started it, one statement after the other. */

/** A request to the process: run a statement with its values, or release the snapshot. */
export type ReaderRequest = { readonly sql: string; readonly values: readonly SQLInputValue[] } | 'renew';

/** The response to a statement: the rows as arrays of values, or the reason why there are none. */
export type ReaderResponse =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly error: string };

/** The other messages of the process: it is ready for requests, or has released its snapshot. */
export type ReaderNote = 'ready' | 'renewed';

/** How long a read waits for another process that repairs the file. */
const busyTimeoutMs = 1000;

function open(): DatabaseSync {
  const opened = new DatabaseSync(process.argv[2] ?? '', { readOnly: true, timeout: busyTimeoutMs });
  opened.exec('pragma cache_size = -16384');
  defineFunctions(opened);
  return opened;
}

let database = open();
const statements = new Map<string, StatementSync>();

function prepared(sql: string): StatementSync {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  statements.set(sql, statement);
  return statement;
}

function answerTo({ sql, values }: Exclude<ReaderRequest, 'renew'>): ReaderResponse {
  try {
    if (!database.isTransaction) database.exec('begin');
    const statement = prepared(sql);
    const rows = arraysOf(statement, values);
    return { columns: statement.columns().map(({ name }) => name), rows };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Gives the snapshot back. Only closing frees statements in time (`Connection.isFull`). */
function renew(): void {
  if (database.isTransaction) database.exec('commit');
  if (statements.size < keptStatementsMax) return;
  statements.clear();
  database.close();
  database = open();
}

process.send?.('ready' satisfies ReaderNote);
process.on('message', (request: ReaderRequest) => {
  if (request !== 'renew') return process.send?.(answerTo(request));
  renew();
  return process.send?.('renewed' satisfies ReaderNote);
});
