import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'confab-testing/harness/client.ts';
import { startReceiver } from 'confab-testing/harness/receiver.ts';
import type { SeededConfab } from './servers.ts';

/** How long deliveries may take after the load that made them before they count as late. */
const deliveriesMsMax = 30_000;

/** How many deliveries a second were sent from the first create on, and how long after the last one it took. */
export type Deliveries = { readonly perSecond: number; readonly lateMs: number };

/** Runs a load while one webhook takes every comment, then waits until all of them are delivered. */
export async function watchDeliveries(confab: SeededConfab, load: () => Promise<void>): Promise<Deliveries> {
  using receiver = await startReceiver();
  await using client = new Client(confab);
  const webhook = { payload_url: `${receiver.url}/`, triggers: ['comments'], secret: 'benchmark' };
  const id = await client.create('/api/webhooks', webhook);
  const startedAt = performance.now();
  await load();
  const loadedAt = performance.now();
  const path = `/api/webhooks/${id}/deliveries?count_only=true`;
  const count = Number((await client.must('GET', path))['count']);
  while (receiver.received() < count) {
    if (performance.now() - loadedAt > deliveriesMsMax)
      throw new Error(`${receiver.received()} of ${count} deliveries came within ${deliveriesMsMax} ms`);
    await pause(20);
  }
  const endedAt = performance.now();
  return { perSecond: (count * 1000) / (endedAt - startedAt), lateMs: endedAt - loadedAt };
}
