import { notFound } from 'confab-contract/problem.ts';
import { assertMayRemove } from '../access.ts';
import { type ReadableEntry, readableEntryWith } from '../entry/entry-access.ts';
import { assertUnlocked } from '../locks.ts';
import { idOf, type Lookup, type TimedLookup } from '../lookup.ts';
import type { ReactionRow } from './reaction.sql.ts';
import { reactionById } from './reaction-access.store.ts';

declare const removable: unique symbol;

/** A reaction that the caller may see, with the entry it is to. */
export type ReadableReaction = ReadableEntry & { readonly reaction: ReactionRow };

/** A reaction that the caller may take away: their own, or anyone's as a manager of the app. */
export type RemovableReaction = ReadableReaction & { readonly [removable]: true };

async function read({ read: store, caller, ref }: Lookup): Promise<ReadableReaction> {
  const reaction = await store.get(reactionById, { id: idOf(ref) });
  if (reaction === undefined) throw notFound('reaction');
  const holder = await readableEntryWith(store, caller, { entryId: reaction.entryId, what: 'reaction' });
  return { ...holder, reaction };
}

/** The rights on reactions; each throws `not_found`, and `remove` throws `edit_forbidden` and `locked`. */
export const reactionAccess = {
  read,
  async remove(lookup: TimedLookup): Promise<RemovableReaction> {
    const target = await read(lookup);
    assertMayRemove(lookup.caller, target.app, target.reaction);
    assertUnlocked(target.app, lookup.at, target.entry);
    return target as RemovableReaction;
  },
};
