import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Parts } from 'confab-server/src/main/main.ts';
import { startTestServer, type TestServer } from './server.ts';
import { dropDatabaseOf, engine } from './stores/databases.ts';

/** Servers that share a database and a folder of blobs. */
export type Nodes = {
  readonly a: TestServer;
  readonly b: TestServer;
  readonly folder: string;
  /** Starts another one, which is closed with the others unless it was closed before. */
  start(parts?: Parts): Promise<TestServer>;
  close(): Promise<void>;
};

/** Starts two nodes, each with its own parts. Only PostgreSQL can have more than one server. */
export async function startNodes(
  parts: { readonly a?: Parts; readonly b?: Parts } = {},
  settings: Record<string, string> = {},
): Promise<Nodes> {
  if (engine !== 'postgres') throw new Error('several nodes need TEST_ENGINE=postgres');
  const folder = mkdtempSync(join(tmpdir(), 'confab-nodes-'));
  const running = new Set<TestServer>();
  async function start(of: Parts = {}): Promise<TestServer> {
    const server = await startTestServer(settings, { ...of, folder });
    const node: TestServer = {
      ...server,
      async close() {
        if (running.delete(node)) await server.close();
      },
    };
    running.add(node);
    return node;
  }
  return {
    a: await start(parts.a),
    b: await start(parts.b),
    folder,
    start,
    async close() {
      for (const node of [...running]) await node.close();
      await dropDatabaseOf(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
