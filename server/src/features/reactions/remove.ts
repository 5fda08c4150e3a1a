import { reactionOperations } from 'confab-contract/reactions.ts';
import { handler } from '../../binding/handler.ts';
import type { GuestChange, GuestCounts } from '../visitors/guest-counts.ts';
import { type ReactionChange, removeReaction } from './reaction-changes.ts';
import { reactionOf } from './reactions.store.ts';

async function remove(
  change: ReactionChange & GuestChange,
  { guests }: { readonly guests: GuestCounts },
): Promise<undefined> {
  const { tx, caller, on } = change;
  const present = await tx.get(reactionOf, { entryId: on.entry.id, userId: caller.user.id });
  if (present === undefined) return;
  await removeReaction(change, present);
  await guests.free(change, present.id);
}

/** Removes the caller's reaction to a comment; without one nothing changes. */
export const removeCommentReaction = handler(reactionOperations.removeCommentReaction, remove);
/** Removes the caller's reaction to a post; without one nothing changes. */
export const removePostReaction = handler(reactionOperations.removePostReaction, remove);
/** Removes the caller's reaction to a message; without one nothing changes. */
export const removeMessageReaction = handler(reactionOperations.removeMessageReaction, remove);
