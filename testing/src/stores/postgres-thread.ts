import { type MessagePort, parentPort } from 'node:worker_threads';
import pg from 'pg';

/**
 * The thread that queries PostgreSQL for `postgres-store.ts`. That side blocks, so this thread waits for the network.
 * It keeps a connection for each database.
 */

const { types } = pg;
const int8 = 20;
const bool = 16;
const numeric = 1700;
types.setTypeParser(int8, Number);
types.setTypeParser(numeric, Number);
// In the form of SQLite.
types.setTypeParser(bool, (text) => (text === 't' ? 1 : 0));

export type Row = Record<string, unknown>;
/** What the thread is asked; without a query it closes its connection to the address. */
export type Question = {
  readonly url: string;
  readonly query: pg.QueryConfig | undefined;
  /** Where the answer is sent. */
  readonly port: MessagePort;
  /** Its only number becomes 1 when the answer was sent. */
  readonly isAnswered: Int32Array;
};
export type Answer = { readonly rows: Row[] } | { readonly fault: string };

/** What the asking process has locked it cannot release while it waits for the answer. */
const lockTimeoutMs = 10_000;

const connections = new Map<string, Promise<pg.Client>>();

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, lock_timeout: lockTimeoutMs });
  // Dropping a database ends its connections.
  client.on('error', () => connections.delete(url));
  await client.connect();
  return client;
}

async function rowsOf(url: string, query: pg.QueryConfig): Promise<Row[]> {
  const connecting = connections.get(url) ?? connect(url);
  connections.set(url, connecting);
  try {
    const results = [await (await connecting).query(query)].flat();
    // Of several statements, the one that returns rows counts.
    return results.findLast(({ rows }) => rows.length > 0)?.rows ?? [];
  } catch (error) {
    connections.delete(url);
    throw error;
  }
}

parentPort?.on('message', async ({ url, query, port, isAnswered }: Question) => {
  let answer: Answer;
  try {
    if (query === undefined) {
      await (await connections.get(url))?.end();
      connections.delete(url);
    }
    answer = { rows: query === undefined ? [] : await rowsOf(url, query) };
  } catch (error) {
    answer = { fault: String(error) };
  }
  port.postMessage(answer);
  Atomics.store(isAnswered, 0, 1);
  Atomics.notify(isAnswered, 0);
});
