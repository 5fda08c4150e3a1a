import type { Tx } from '../../../db/db.ts';
import type { UnixMs } from '../../../kernel/clock.ts';
import { forgetWaits, settleDue } from './lanes.store.ts';

/**
 * Has the queue of a webhook sent as soon as the transaction commits, because a user asked for it: an open breaker probes
 * at once. Must run in the transaction that added to the queue.
 */
export async function wakeWebhook(tx: Tx, webhookId: number, now: UnixMs): Promise<void> {
  await tx.run(forgetWaits, { id: webhookId, now });
  await tx.run(settleDue, { webhookIds: [webhookId] });
  tx.wake('deliveries');
}
