import { webhookOperations } from 'confab-contract/webhooks.ts';
import { handler } from '../../../binding/handler.ts';
import type { Db, Tx } from '../../../db/db.ts';
import { webhookIndex } from '../../../db/search-index.ts';
import { dropCounts } from '../../../db/tallies.ts';
import { recordWebhook } from '../webhook-record.ts';
import {
  deleteDeliveries,
  deletedWebhook,
  deleteTriggers,
  markDeleted,
  deleteWebhook as removeWebhook,
} from './webhooks.store.ts';

/** Deliveries that one transaction deletes: a few milliseconds of the one writer. */
const deliveriesPerPurge = 500;

/** Hides a webhook at once and deletes it with its deliveries; many deliveries are left to `purgeDeletedWebhooks`. */
export const deleteWebhook = handler(
  webhookOperations.deleteWebhook,
  async ({ tx, on: webhook, caller, at }) => {
    const { id } = webhook;
    await tx.run(markDeleted, { id, at });
    await tx.run(deleteTriggers, { id });
    tx.defer(webhookIndex, { id, words: null });
    await dropCounts(tx, { parentType: 'webhook', parentId: id });
    await recordWebhook(tx, webhook, { action: 'webhook_deleted', caller, at });
    if (!(await purge(tx, id))) tx.wake('removals');
    return undefined;
  },
);

/** Deletes a batch of the deliveries of deleted webhooks; returns whether there may be more. */
export async function purgeDeletedWebhooks(db: Db): Promise<boolean> {
  const next = await db.read.get(deletedWebhook, {});
  if (next === undefined) return false;
  await db.write(async (tx) => await purge(tx, next.id));
  return true;
}

/** Deletes a batch of the deliveries of a webhook, and after the last one its row; returns whether all is gone. */
async function purge(tx: Tx, id: number): Promise<boolean> {
  const deleted = await tx.changed(deleteDeliveries, { id, top: deliveriesPerPurge });
  if (deleted === deliveriesPerPurge) return false;
  await tx.run(removeWebhook, { id });
  return true;
}
