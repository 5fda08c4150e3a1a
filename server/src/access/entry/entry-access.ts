import { invalidField, notFound } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import {
  asModeratable,
  assertMayInspect,
  asWritable,
  existsFor,
  findApp,
  matchesState,
  type ReadableApp,
  sees,
  type WritableApp,
} from '../access.ts';
import { itemRights } from '../item-rights.ts';
import { assertUnlocked } from '../locks.ts';
import { idOf, type Lookup, type TimedLookup } from '../lookup.ts';
import type { EntryKind, EntryRow } from './entry.sql.ts';
import { entryById, entryOfAnyKind, threadById } from './entry-access.store.ts';

declare const proof: unique symbol;
declare const inspectable: unique symbol;
declare const resolvable: unique symbol;

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

/** A comment that began a thread, which the caller may resolve and reopen. */
export type ResolvableEntry = ReactableEntry<'comment'> & { readonly [resolvable]: true };

/** An entry whose earlier texts the caller may see: as its author, or as a moderator of the app. */
export type InspectableEntry = ReadableEntry & { readonly [inspectable]: true };

/**
 * The rights on entries of one kind: those of `itemRights`, `read`, which throws `not_found`, `inspect`, which also
 * throws `moderate_forbidden`, and `react`, which also throws `write_forbidden` and `locked`.
 */
export function entryAccess<K extends EntryKind>(kind: K) {
  async function read(lookup: Lookup): Promise<ReadableEntry<K>> {
    const entry = await lookup.read.get(entryById, { id: idOf(lookup.ref), kind });
    return (await readable(lookup, entry, kind)) as ReadableEntry<K>;
  }
  return {
    ...itemRights<ReadableEntry>({
      name: kind,
      read,
      itemOf: ({ entry }) => entry,
      assertIndependent: () => {},
    }),
    read,
    async inspect(lookup: Lookup): Promise<InspectableEntry> {
      const target: ReadableEntry = await read(lookup);
      assertMayInspect(lookup.caller, target.app, target.entry);
      return target as InspectableEntry;
    },
    react: async (lookup: TimedLookup) => asReactable(await read(lookup), lookup.at),
  };
}

/** A comment whose replies the caller may see. */
export type ReadableThread = {
  readonly comment: {
    readonly id: number;
    readonly appId: number;
    readonly rootId: number | null;
    readonly replyCount: number;
  };
  readonly app: ReadableApp;
  readonly [proof]: 'thread';
};

/** The right on the replies to a comment: `read`, which throws `not_found`. */
export const threadAccess = {
  async read({ read, caller, ref }: Lookup): Promise<ReadableThread> {
    const comment = await read.get(threadById, { id: idOf(ref) });
    const app = comment && (await findApp(read, caller, { id: comment.appId }));
    if (comment === undefined || app === undefined || !sees(app)) throw notFound('comment');
    return { comment, app } as ReadableThread;
  },
};

const comments = entryAccess('comment');

/**
 * The rights on comments: those on every entry, and `resolve`, which throws as `react` does, `moderate_forbidden` where the
 * app leaves it to moderators, and `validation_failed` for a comment that answers another.
 */
export const commentAccess = {
  ...comments,
  async resolve(lookup: TimedLookup): Promise<ResolvableEntry> {
    const target = await comments.react(lookup);
    if (target.app.resolving === 'moderators') asModeratable(target.app);
    if (target.entry.rootId !== null)
      throw invalidField(
        '/reply_to_id',
        'answer',
        'is that of a reply; only the comment that began a thread can be resolved',
      );
    return target as ResolvableEntry;
  },
};

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

/** Returns the entry as proof that the caller may react to it; throws `write_forbidden` and `locked`. */
export function asReactable<K extends EntryKind>(target: ReadableEntry<K>, at: UnixMs): ReactableEntry<K> {
  const app = asWritable(target.app);
  assertUnlocked(app, at, target.entry);
  return { ...target, app };
}
