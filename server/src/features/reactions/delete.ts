import { reactionOperations } from 'confab-contract/reactions.ts';
import { handler } from '../../binding/handler.ts';
import { removeReaction } from './reaction-changes.ts';

/** Removes a reaction by its id. */
export const deleteReaction = handler(reactionOperations.deleteReaction, async (change) => {
  await removeReaction(change, change.on.reaction);
  return undefined;
});
