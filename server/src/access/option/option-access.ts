import { notFound } from 'confab-contract/problem.ts';
import {
  asReactable,
  type ReactableEntry,
  type ReadableEntry,
  readableEntryWith,
} from '../entry/entry-access.ts';
import { idOf, type Lookup, type TimedLookup } from '../lookup.ts';
import type { OptionRow } from './option.sql.ts';
import { optionById } from './option-access.store.ts';

/** A poll option that the caller may see, with the entry whose poll it belongs to. */
export type ReadableOption = ReadableEntry & { readonly option: OptionRow };

/** A poll option that the caller may choose. */
export type VotableOption = ReactableEntry & { readonly option: OptionRow };

async function read({ read: store, caller, ref }: Lookup): Promise<ReadableOption> {
  const id = idOf(ref);
  const option = await store.get(optionById, { id, userId: caller.user.id });
  if (option === undefined) throw notFound('option');
  return { ...(await readableEntryWith(store, caller, { entryId: option.entryId, what: 'option' })), option };
}

/** The rights on poll options; each throws `not_found`, and `vote` throws `write_forbidden` and `locked`. */
export const optionAccess = {
  read,
  async vote(lookup: TimedLookup): Promise<VotableOption> {
    const target = await read(lookup);
    return { ...asReactable(target, lookup.at), option: target.option };
  },
};
