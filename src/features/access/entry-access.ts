import type { Read } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound } from '../../kernel/problem.ts';
import { asWritable, findApp, type ReadableApp, type WritableApp } from './access.ts';
import type { EntryRow } from './entry.sql.ts';
import { entryById, entryOfAnyKind } from './entry-access.store.ts';
import { idOf, type Look } from './look.ts';

declare const proof: unique symbol;

/** An entry that the caller may see, in its app with the caller's access. */
export type ReadableEntry = {
  readonly entry: EntryRow;
  readonly app: ReadableApp;
  readonly [proof]: 'entry';
};

/** An entry that the caller may react to or vote in, because they may write in its app. */
export type ReactableEntry = ReadableEntry & { readonly app: WritableApp };

/** The rights on entries of one kind; each throws `not_found`, and `react` throws `write_forbidden`. */
export function entryAccess(kind: 'comment' | 'post' | 'message') {
  async function read({ read: store, caller, ref, isTrashedIncluded }: Look): Promise<ReadableEntry> {
    const entry = await store.get(entryById, { id: idOf(ref), kind });
    return await readable(store, caller, { entry, what: kind, isTrashedIncluded });
  }
  return { read, react: async (look: Look) => asReactable(await read(look)) };
}

/** The live entry, of whatever kind, that holds something called `what`; throws `not_found`, in the name of that. */
export async function readableHolder(
  read: Read,
  caller: Principal,
  { entryId, what }: { readonly entryId: number; readonly what: string },
): Promise<ReadableEntry> {
  const entry = await read.get(entryOfAnyKind, { id: entryId });
  return await readable(read, caller, { entry, what, isTrashedIncluded: false });
}

async function readable(
  read: Read,
  caller: Principal,
  {
    entry,
    what,
    isTrashedIncluded,
  }: { entry: EntryRow | undefined; what: string; isTrashedIncluded: boolean },
): Promise<ReadableEntry> {
  if (entry === undefined || (entry.trashedAt !== null && !isTrashedIncluded)) throw notFound(what);
  const app = await findApp(read, caller, { id: entry.appId });
  if (app === undefined || app.level === 'none' || app.trashedAt !== null) throw notFound(what);
  return { entry, app } as ReadableEntry;
}

/** The same entry as one the caller may react to; throws `write_forbidden`. */
export function asReactable(found: ReadableEntry): ReactableEntry {
  return { ...found, app: asWritable(found.app) };
}
