import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from './model.ts';
import type { World } from './world.ts';

/** Takes the deliveries of the fixed webhooks and remembers the bytes of each guid. */
export type Receiver = {
  readonly url: string;
  /** How many requests came, repeated ones included. */
  received(): number;
  /**
   * Waits until everything that is owed is sent, then holds what came against the store `file`: each delivery came at
   * least once, each time with the same bytes, and none came that the store does not know.
   */
  check(model: Model, world: World, file: string): Promise<void>;
  close(): void;
};

/** How long the deliveries that are left may take once nothing is written any more. */
const drainMsMax = 90_000;

/** Starts a receiver that answers every delivery at once. */
export async function startReceiver(): Promise<Receiver> {
  const digests = new Map<string, string>();
  const changed = new Set<string>();
  let received = 0;
  const server = createServer((request, response) => {
    const hash = createHash('sha1');
    request.on('data', (chunk: Buffer) => hash.update(chunk));
    request.once('end', () => {
      received += 1;
      const guid = String(request.headers['x-weavy-delivery']);
      const digest = hash.digest('hex');
      if ((digests.get(guid) ?? digest) !== digest) changed.add(guid);
      digests.set(guid, digest);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    async check(model, world, file) {
      const database = new DatabaseSync(file, { readOnly: true });
      const enabled = world.webhooks.filter(({ isEnabled }) => isEnabled).map(({ id }) => id);
      const owed = database.prepare('select count(*) as n from deliveries where due_at is not null');
      const since = performance.now();
      while (owed.get()?.n !== 0 && performance.now() - since < drainMsMax) await pause(50);
      const rows = database.prepare('select id, webhook_id, guid, status from deliveries').all();
      database.close();
      const guids = new Set<string>();
      for (const { id, webhook_id: webhookId, guid, status } of rows) {
        guids.add(String(guid));
        if (!enabled.includes(Number(webhookId))) continue;
        if (status !== 'delivered') model.violate('delivery', `delivery ${id} ends as ${status}`);
        if (!digests.has(String(guid)))
          model.violate('delivery', `delivery ${id} (${guid}) says ${status} and never came`);
      }
      for (const guid of digests.keys())
        if (!guids.has(guid)) model.violate('delivery', `${guid} came, and the store does not know it`);
      for (const guid of changed) model.violate('delivery', `${guid} came with different bytes`);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
