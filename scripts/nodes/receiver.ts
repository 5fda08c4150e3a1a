import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Takes deliveries, on paths that begin with `/slow` after a while, and remembers what came. */
export type Receiver = {
  readonly url: string;
  /** The digests of what came under each guid. */
  readonly digests: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many requests came. */
  sent(): number;
  /** How many of a node wait for their answer. */
  waitingOf(node: string): number;
  close(): void;
};

/** How long the slow ones take. */
const slowMs = 700;

/** Starts a receiver that says yes to everything. A node is known by the names of its headers. */
export async function startReceiver(): Promise<Receiver> {
  const digests = new Map<string, Set<string>>();
  const waiting = new Map<string, number>();
  let sent = 0;
  const server = createServer(async (request, response) => {
    sent += 1;
    const header = Object.keys(request.headers).find((name) => /^x-\w+-delivery$/.test(name)) ?? '';
    const node = header.split('-')[1] ?? '';
    const hash = createHash('sha1');
    waiting.set(node, (waiting.get(node) ?? 0) + 1);
    for await (const bytes of request) hash.update(bytes as Buffer);
    const guid = String(request.headers[header]);
    digests.set(guid, (digests.get(guid) ?? new Set()).add(hash.digest('hex')));
    if (request.url?.startsWith('/slow') === true) await pause(slowMs);
    waiting.set(node, (waiting.get(node) ?? 0) - 1);
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    digests,
    sent: () => sent,
    waitingOf: (node) => waiting.get(node.toLowerCase()) ?? 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
