import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { InspectedRow, Inspection } from './inspection.ts';
import { connectionOf } from './postgres/connection.ts';
import type { StoreAddress } from './store-address.ts';

/** Opens a store that exists. Throws the error of the engine. */
export async function openInspection(address: StoreAddress): Promise<Inspection> {
  if ('folder' in address) {
    const database = new DatabaseSync(join(address.folder, 'confab.db'), { readOnly: true, timeout: 10_000 });
    return {
      engine: 'sqlite',
      rows: async (text) => database.prepare(text).all() as InspectedRow[],
      close: async () => database.close(),
    };
  }
  // Nodes are recognised by their name, and this is none. A check of a large store takes its time.
  const options = { ...connectionOf(address), application_name: 'confab doctor', query_timeout: 0 };
  const client = new pg.Client(options);
  await client.connect();
  await client.query('set default_transaction_read_only = on');
  return {
    engine: 'postgres',
    rows: async (text) => (await client.query(text)).rows,
    close: async () => await client.end(),
  };
}
