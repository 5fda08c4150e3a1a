import { type MessagePort, workerData } from 'node:worker_threads';
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

const { port, answered }: { port: MessagePort; answered: Int32Array } = workerData;
type Question = { url: string; query: pg.QueryConfig | undefined };

const connections = new Map<string, Promise<pg.Client>>();

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  // Dropping a database ends its connections.
  client.on('error', () => connections.delete(url));
  await client.connect();
  return client;
}

async function rowsOf(url: string, query: pg.QueryConfig): Promise<unknown[]> {
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

port.on('message', async ({ url, query }: Question) => {
  let answer: { rows: unknown[] } | { fault: string };
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
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
});
