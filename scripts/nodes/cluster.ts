import pg from 'pg';
import { startOwnCluster, type Cluster as TestCluster } from '../../test/support/postgres.ts';

/** A PostgreSQL of this run, with everything on that keeps commits over a crash. */
export type Cluster = Pick<TestCluster, 'kind' | 'stop'> & {
  readonly url: string;
  /** The rows of one statement, by a connection of its own. */
  rows<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
  /** Ends it as a crash does and starts it again; resolves when it answers. */
  crash(): Promise<void>;
};

/** Makes and starts a cluster in a folder of its own, which goes with it. */
export async function startCluster(): Promise<Cluster> {
  const cluster = await startOwnCluster(['fsync=on', 'max_connections=100']);
  const url = cluster.url('postgres');
  return {
    ...cluster,
    url,
    async rows<R extends object>(sql: string, values: unknown[] = []) {
      const client = new pg.Client(url);
      await client.connect();
      try {
        return (await client.query(sql, values)).rows as R[];
      } finally {
        await client.end();
      }
    },
  };
}
