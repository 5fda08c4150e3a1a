import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import type { Json } from '../../kernel/json.ts';
import type { EntryRead, Links } from './entries.ts';
import { entryDetail } from './entry-view.ts';

/** One entry in full. */
export async function getEntry(
  { read, caller, on }: Pick<EntryRead, 'read' | 'caller'> & { readonly on: ReadableEntry },
  { links }: Links,
): Promise<Json> {
  return await entryDetail({ read, caller, links }, on.entry);
}
