import { moveStore } from '../../src/db/move.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { startCluster } from '../../test/support/postgres.ts';

/** A PostgreSQL that holds what a folder held, with the settings of a server on it. */
export async function movedToPostgres(folder: string) {
  const cluster = await startCluster(['shared_buffers=512MB', 'max_wal_size=4GB', 'jit=off']);
  const url = await cluster.createDatabase('confab_size');
  await moveStore({
    from: { folder },
    to: { url, isPrepared: true },
    clock: systemClock,
    onTable: (table, rows) => console.error(`  moved ${rows} rows of ${table}`),
  });
  return { settings: { CONFAB_DATABASE_URL: url }, stop: () => cluster.stop() };
}
