import { reactionOperations } from 'confab-contract/reactions.ts';
import { handler } from '../../binding/handler.ts';
import { reactionDetails } from './reaction-json.ts';

/** A reaction by its id. */
export const getReaction = handler(reactionOperations.getReaction, async (call) => {
  const [rendered] = await reactionDetails(call, [call.on.reaction]);
  return rendered;
});
