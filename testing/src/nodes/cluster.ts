import pg from 'pg';
import { startOwnCluster, type Cluster as TestCluster } from '../stores/postgres.ts';

/**
 * The PostgreSQL of a run, with all settings that make commits survive a crash. At the end of a scope with `await using`
 * it is removed.
 */
export type Cluster = AsyncDisposable &
  Pick<TestCluster, 'kind' | 'stop'> & {
    readonly url: string;
    /** The rows of one statement, over a separate connection. */
    rows<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
    /** Crashes it and starts it again; resolves when it responds. */
    crash(): Promise<void>;
  };

/** Creates and starts a cluster in its own folder, which is removed with it. */
export async function startCluster(settings: readonly string[] = []): Promise<Cluster> {
  const cluster = await startOwnCluster(['fsync=on', 'max_connections=100', ...settings]);
  const url = cluster.url('postgres');
  return {
    ...cluster,
    url,
    [Symbol.asyncDispose]: () => cluster.stop(),
    async rows<R extends object>(sql: string, values: unknown[] = []) {
      const client = new pg.Client(url);
      // A crash in between fails the query as well.
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(sql, values)).rows as R[];
      } finally {
        await client.end();
      }
    },
  };
}
