import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Tx } from '../../../db/db.ts';
import { resetBackoff, updateLaneDue } from './lanes.store.ts';

/**
 * Sends the queue of a webhook as soon as the transaction commits, at a user's request: an open breaker probes at once.
 * Must run in the transaction that added to the queue.
 */
export async function wakeWebhook(tx: Tx, webhookId: number, now: UnixMs): Promise<void> {
  await tx.run(resetBackoff, { id: webhookId, now });
  await tx.run(updateLaneDue, { webhookIds: [webhookId] });
  tx.wake('webhooks');
  tx.wake('deliveries');
}
