import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { systemUserId } from '../users/users.sql.ts';
import {
  deleteFirstSubscriptions,
  deleteSubscription,
  deleteSubscriptions,
  insertSubscription,
} from './subscriptions.store.ts';

/**
 * A subscription notifies a user of activity in an app, on a post or on a file. Each function runs in the transaction of
 * the change whose event records it.
 */

/** The subscription of a user to an app, a post or a file. */
export type Subscription = { readonly userId: number; readonly type: string; readonly id: number };

/** Subscribes a user; returns whether they were not subscribed yet. */
export async function subscribe(tx: Tx, subscription: Subscription): Promise<boolean> {
  return (await tx.changed(insertSubscription, subscription)) > 0;
}

/** Ends the subscription of a user; returns whether there was one. */
export async function unsubscribe(tx: Tx, subscription: Subscription): Promise<boolean> {
  return (await tx.changed(deleteSubscription, subscription)) > 0;
}

/** Ends every subscription to deleted items of one type. */
export async function endSubscriptions(
  tx: Tx,
  to: { readonly type: string; readonly ids: readonly number[] },
): Promise<void> {
  await tx.run(deleteSubscriptions, to);
}

/** Ends at most `top` subscriptions to one item; returns how many. */
export async function endFirstSubscriptions(
  tx: Tx,
  to: { readonly type: string; readonly id: number; readonly top: number },
): Promise<number> {
  return await tx.changed(deleteFirstSubscriptions, to);
}

/**
 * Subscribes the author of a post, a file or a comment on one to later activity on it. The system user reads no
 * notifications and is left out.
 */
export async function subscribeAuthor(
  tx: Tx,
  caller: Principal,
  { type, id }: { readonly type: string; readonly id: number },
): Promise<void> {
  const userId = caller.user.id;
  if (userId === systemUserId || (type !== 'post' && type !== 'file')) return;
  await tx.run(insertSubscription, { userId, type, id });
}
