import { handler } from '../../binding/handler.ts';
import { type ReactionCreate, reactionOperations } from '../../contract/reactions.ts';
import type { Input } from '../../kernel/input.ts';
import { invalidField } from '../../kernel/problem.ts';
import { emojiOf } from './emoji.ts';
import { addReaction, type ReactionChange, removeReaction } from './reaction-changes.ts';
import { reactionOf } from './reactions.store.ts';

/**
 * A user has one reaction to an entry. Another emoji replaces the first, which is two changes with two events: readers
 * of the log identify a reaction by its author, so the first is removed before the second is added.
 */

function readContent(content: string): string {
  const emoji = emojiOf(content);
  if (emoji === undefined) throw invalidField('/content', 'emoji', 'must be exactly one emoji');
  return emoji;
}

const prepare = (input: Input<ReactionCreate>) => input.read({ content: readContent });

async function react(change: ReactionChange & { readonly body: ReactionCreate }): Promise<undefined> {
  const { tx, caller, on } = change;
  const { content } = change.body;
  const present = await tx.get(reactionOf, { entryId: on.entry.id, userId: caller.user.id });
  if (present?.content === content) return;
  if (present !== undefined) await removeReaction(change, present);
  await addReaction(change, content);
}

/** Reacts to a comment. */
export const addCommentReaction = handler(reactionOperations.addCommentReaction, prepare, react);
/** Reacts to a post. */
export const addPostReaction = handler(reactionOperations.addPostReaction, prepare, react);
/** Reacts to a message. */
export const addMessageReaction = handler(reactionOperations.addMessageReaction, prepare, react);
