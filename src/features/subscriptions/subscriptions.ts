import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { systemUserId } from '../users/users.sql.ts';
import { insertSubscription } from './subscriptions.store.ts';

/**
 * Subscribes who makes a post or file, or comments on one, to what follows on it. It must run in the transaction of the
 * creation, whose event tells of it. The system user reads no notifications and is left out.
 */
export async function subscribeAuthor(
  tx: Tx,
  principal: Principal,
  target: { readonly type: string; readonly id: number },
): Promise<void> {
  const userId = principal.user.id;
  if (userId === systemUserId) return;
  if (target.type !== 'post' && target.type !== 'file') return;
  await tx.run(insertSubscription, { userId, type: target.type, id: target.id });
}
