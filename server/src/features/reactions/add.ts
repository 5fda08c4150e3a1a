import { invalidField, Problem } from 'confab-contract/problem.ts';
import { type ReactionCreate, reactionOperations } from 'confab-contract/reactions.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import type { Input } from '../../kernel/input.ts';
import { endOfDay, type GuestChange, type GuestCounts } from '../visitors/guest-counts.ts';
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

async function react(
  change: ReactionChange & GuestChange & { readonly body: ReactionCreate },
  { guests }: { readonly guests: GuestCounts },
): Promise<undefined> {
  const { tx, caller, on, at } = change;
  const { content } = change.body;
  const present = await tx.get(reactionOf, { entryId: on.entry.id, userId: caller.user.id });
  if (present?.content === content) return;
  if (present !== undefined) {
    await removeReaction(change, present);
    await guests.move(change, { from: present.id, to: await addReaction(change, content) });
    return;
  }
  const reaction = { act: 'reaction', item: { type: on.entry.kind, id: on.entry.id } } as const;
  // Refused before anything is written: a group in which a write fails later runs again. That is left to two guests who
  // react at once.
  if (await guests.isTaken(change, reaction)) throw alreadyCounted(at);
  const reactionId = await addReaction(change, content);
  if (!(await guests.take(change, { ...reaction, reactionId }))) throw alreadyCounted(at);
}

function alreadyCounted(at: UnixMs): Problem {
  const seconds = Math.ceil((endOfDay(at) - at) / 1000);
  return new Problem('address_counted', 'Another guest from this address has reacted to this today.', {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Reacts to a comment. */
export const addCommentReaction = handler(reactionOperations.addCommentReaction, prepare, react);
/** Reacts to a post. */
export const addPostReaction = handler(reactionOperations.addPostReaction, prepare, react);
/** Reacts to a message. */
export const addMessageReaction = handler(reactionOperations.addMessageReaction, prepare, react);
