import type { Read } from '../../db/db.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound } from '../../kernel/problem.ts';
import {
  asModeratable,
  assertMayChange,
  assertMayInspect,
  assertMayRemove,
  assertNotHeld,
  assertNotModerated,
  assertNotOwn,
  asWritable,
  existsFor,
  findApp,
  matchesState,
  type ReadableApp,
  type WritableApp,
} from '../access.ts';
import { assertUnlocked } from '../locks.ts';
import { idOf, type Lookup, type TimedLookup } from '../lookup.ts';
import type { EntryKind, EntryRow } from './entry.sql.ts';
import { entryById, entryOfAnyKind } from './entry-access.store.ts';

declare const proof: unique symbol;
declare const editable: unique symbol;
declare const inspectable: unique symbol;
declare const removable: unique symbol;
declare const restorable: unique symbol;
declare const moderatable: unique symbol;
declare const approvable: unique symbol;
declare const reportable: unique symbol;

/** An entry that the caller may see, in its app with the caller's access. */
export type ReadableEntry<K extends EntryKind = EntryKind> = {
  readonly entry: EntryRow & { readonly kind: K };
  readonly app: ReadableApp;
  readonly [proof]: 'entry';
};

/** An entry that the caller may react to, vote in or comment on, because they may write in its app. */
export type ReactableEntry<K extends EntryKind = EntryKind> = ReadableEntry<K> & {
  readonly app: WritableApp;
};

/** An entry that the caller may edit: as its author with write access, or with an API key. It is not in the trash. */
export type EditableEntry = ReadableEntry & { readonly [editable]: true };

/** An entry that the caller may trash or delete: as its author with write access, or as a moderator of the app. */
export type RemovableEntry = ReadableEntry & { readonly [removable]: true };

/** An entry whose earlier texts the caller may see: as its author, or as a moderator of the app. */
export type InspectableEntry = ReadableEntry & { readonly [inspectable]: true };

/** An entry that the caller may take out of the trash, which its author may not when a moderator put it there. */
export type RestorableEntry = ReadableEntry & { readonly [restorable]: true };

/** An entry that the caller decides on as a moderator of its app, so they may also trash and delete it. */
export type ModeratableEntry = RemovableEntry & { readonly [moderatable]: true };

/** An entry that the caller may approve, which its author may not. */
export type ApprovableEntry = ModeratableEntry & { readonly [approvable]: true };

/** An entry that the caller may report, because they see it and did not write it. */
export type ReportableEntry = ReadableEntry & { readonly [reportable]: true };

/**
 * The rights on entries of one kind. Each throws `not_found`; `react` throws `write_forbidden` and `locked`, `remove`
 * throws `edit_forbidden`, `edit` and `restore` throw `edit_forbidden`, `moderated` and `locked`, `inspect` and
 * `moderate` throw `moderate_forbidden`, `approve` throws `moderate_forbidden` and `moderated`, and `report` throws
 * `own_content`.
 */
export function entryAccess<K extends EntryKind>(kind: K) {
  async function read(lookup: Lookup): Promise<ReadableEntry<K>> {
    const entry = await lookup.read.get(entryById, { id: idOf(lookup.ref), kind });
    return (await readable(lookup, entry, kind)) as ReadableEntry<K>;
  }
  async function remove(lookup: Lookup): Promise<RemovableEntry> {
    const found: ReadableEntry = await read(lookup);
    assertMayRemove(lookup.caller, found.app, found.entry);
    return found as RemovableEntry;
  }
  async function moderate(lookup: Lookup): Promise<ModeratableEntry> {
    const found: ReadableEntry = await read({ ...lookup, isHeldIncluded: true });
    asModeratable(found.app);
    return found as ModeratableEntry;
  }
  return {
    read,
    remove,
    moderate,
    async inspect(lookup: Lookup): Promise<InspectableEntry> {
      const found: ReadableEntry = await read(lookup);
      assertMayInspect(lookup.caller, found.app, found.entry);
      return found as InspectableEntry;
    },
    async approve(lookup: Lookup): Promise<ApprovableEntry> {
      const found = await moderate(lookup);
      assertNotModerated(lookup.caller, found.entry);
      return found as ApprovableEntry;
    },
    async report(lookup: Lookup): Promise<ReportableEntry> {
      const found: ReadableEntry = await read(lookup);
      assertNotOwn(lookup.caller, found.entry);
      return found as ReportableEntry;
    },
    react: async (lookup: TimedLookup) => asReactable(await read(lookup), lookup.at),
    async edit(lookup: TimedLookup): Promise<EditableEntry> {
      const found: ReadableEntry = await read({ ...lookup, isTrashedIncluded: true, isHeldIncluded: true });
      // The author of an entry that a moderator trashed gets `moderated`; any other entry in the trash is `not_found`.
      assertNotModerated(lookup.caller, found.entry);
      assertNotHeld(found.entry);
      if (found.entry.trashedAt !== null) throw notFound(kind);
      assertMayChange(lookup.caller, found.app, found.entry);
      assertUnlocked(found.app, lookup.at, found.entry);
      return found as EditableEntry;
    },
    async restore(lookup: TimedLookup): Promise<RestorableEntry> {
      const found: ReadableEntry = await remove({ ...lookup, isTrashedIncluded: true, isHeldIncluded: true });
      assertNotModerated(lookup.caller, found.entry);
      assertUnlocked(found.app, lookup.at, found.entry);
      return found as RestorableEntry;
    },
  };
}

const posts = entryAccess('post');

/** The rights on posts: those on every entry, and `write`, which throws as `react` does. */
export const postAccess = { ...posts, write: posts.react };

/** The live entry of any kind that holds an option or reaction; throws `not_found` that names `what`. */
export async function readableEntryWith(
  read: Read,
  caller: Principal,
  { entryId, what }: { readonly entryId: number; readonly what: string },
): Promise<ReadableEntry> {
  const entry = await read.get(entryOfAnyKind, { id: entryId });
  return await readable({ read, caller, isTrashedIncluded: false }, entry, what);
}

async function readable(
  lookup: Omit<Lookup, 'ref'>,
  entry: EntryRow | undefined,
  what: string,
): Promise<ReadableEntry> {
  if (entry === undefined || !matchesState(lookup, entry)) throw notFound(what);
  const app = await findApp(lookup.read, lookup.caller, { id: entry.appId });
  if (app === undefined || !existsFor(lookup.caller, app, entry)) throw notFound(what);
  return { entry, app } as ReadableEntry;
}

/** The same entry as one the caller may react to; throws `write_forbidden` and `locked`. */
export function asReactable<K extends EntryKind>(found: ReadableEntry<K>, at: UnixMs): ReactableEntry<K> {
  const app = asWritable(found.app);
  assertUnlocked(app, at, found.entry);
  return { ...found, app };
}
