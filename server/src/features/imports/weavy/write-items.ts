import type { WritableApp } from '../../../access/access.ts';
import { appAccess } from '../../../access/app-access.ts';
import { entryAccess } from '../../../access/entry/entry-access.ts';
import { fileAccess } from '../../../access/file/file-access.ts';
import { shown } from '../../../access/held.ts';
import { changeCount } from '../../../db/tallies.ts';
import type { Principal } from '../../../kernel/principal.ts';
import { createEntry, type Parent, parentColumns } from '../../entries/create.ts';
import { draftOf } from '../../entries/entry-body.ts';
import { recordEntry } from '../../entries/entry-view.ts';
import { findAnswered } from '../../entries/replies.ts';
import { setState } from '../../entries/trash.ts';
import { addFile } from '../../files/create.ts';
import { showFile } from '../../files/trash.ts';
import type { RenderedText } from '../../markdown/markdown.ts';
import { addMessage } from '../../messages/create.ts';
import { pollOptions } from '../../options/poll.ts';
import { addVote } from '../../options/vote.ts';
import { addReaction } from '../../reactions/reaction-changes.ts';
import { keyOf, type PlannedItem } from './weavy-plan.ts';
import { type EarlierThing, earlierThings, type WeavyWriting, type Written } from './weavy-things.ts';

/** Writes comments, posts, messages and files, each with what is on it, in one transaction. */

type PlannedEntry = Exclude<PlannedItem, { readonly kind: 'file' }>;

/** An item with what was made of it before the transaction: the ids of its uploads, and its rendered text. */
export type PreparedItem = {
  readonly item: PlannedItem;
  readonly blobIds: readonly number[];
  readonly text: string;
  readonly rendered: RenderedText | undefined;
};

/** What items name, by its key, and the users by their ids on the server that was read. */
export type Named = {
  readonly things: ReadonlyMap<string, EarlierThing>;
  readonly userOf: (id: string) => Principal;
};

/** Where an item is to go. */
type Slice = {
  readonly writing: WeavyWriting;
  readonly named: Named;
  /** What is here of the items of the slice and of those that they name, also what the slice wrote. */
  readonly known: Map<string, EarlierThing>;
  readonly appOf: (key: string) => Promise<WritableApp | undefined>;
};

/** Writes those of the items that are not here and restores those that were taken back; the others are left. */
export async function writeItems(
  writing: WeavyWriting,
  named: Named,
  items: readonly PreparedItem[],
): Promise<{ readonly written: Written[]; readonly skipped: number }> {
  const { tx, source } = writing;
  const keys = items.flatMap(({ item }) => [keyOf(item.kind, item.id), ...keysAround(item)]);
  // Read again, because another import may have written them since.
  const known = await earlierThings(tx, source, keys);
  const slice: Slice = { writing, named, known, appOf: cachedApps(writing, named) };
  const written: Written[] = [];
  let skipped = 0;
  for (const prepared of items) {
    const { item } = prepared;
    const key = keyOf(item.kind, item.id);
    const before = known.get(key);
    if (before !== undefined && !before.isUndone) continue;
    const app = await slice.appOf(keyOf('app', item.appId));
    const parent = app && (await parentOf(slice, item, app));
    // Somebody deleted what it belongs to, or the bytes of a file are gone.
    if (
      parent === undefined ||
      (item.kind === 'file' && before === undefined && prepared.blobIds.length === 0)
    ) {
      skipped += 1;
      continue;
    }
    const id = before?.id ?? (await writeItem(slice, prepared, parent));
    if (before !== undefined) await restoreItem(writing, item.kind, id);
    known.set(key, { id, isLive: true, isUndone: false });
    written.push({ key, type: item.kind, id, was: before === undefined ? 'made' : 'restored' });
  }
  return { written, skipped };
}

/** The keys of the items that an item belongs to or answers. */
export function keysAround(item: PlannedItem): string[] {
  if (item.kind === 'file') return [];
  const { parent, replyToId } = item;
  return [
    ...(parent === undefined ? [] : [keyOf(parent.kind, parent.id)]),
    ...(replyToId === undefined ? [] : [keyOf('comment', replyToId)]),
  ];
}

/** The apps of a slice, each looked up once; undefined for one that was deleted or put in the trash here. */
function cachedApps({ tx, system: caller, at }: WeavyWriting, { things }: Named): Slice['appOf'] {
  const apps = new Map<string, WritableApp>();
  return async (key) => {
    const thing = things.get(key);
    if (thing?.isLive !== true) return undefined;
    const app =
      apps.get(key) ??
      (await appAccess.write({ read: tx, caller, ref: { id: thing.id }, isTrashedIncluded: false, at }));
    apps.set(key, app);
    return app;
  };
}

/** What an item belongs to; undefined where that is not here. */
async function parentOf(
  { writing: { tx, system: caller, at }, known }: Slice,
  item: PlannedItem,
  app: WritableApp,
): Promise<Parent | undefined> {
  if (item.kind === 'file' || item.parent === undefined) return { app };
  const { kind, id } = item.parent;
  const parent = known.get(keyOf(kind, id));
  if (parent?.isLive !== true) return undefined;
  const lookup = { read: tx, caller, ref: { id: parent.id }, isTrashedIncluded: false, at };
  if (kind === 'file') return { file: await fileAccess.write(lookup) };
  return { post: await entryAccess('post').react(lookup) };
}

async function writeItem(slice: Slice, prepared: PreparedItem, parent: Parent): Promise<number> {
  const { writing, named } = slice;
  const { item, blobIds } = prepared;
  const { tx, links } = writing;
  const change = { tx, caller: named.userOf(item.authorId), at: item.createdAt, links, isSilent: true };
  if (item.kind !== 'file') {
    const id = await writeEntry(slice, { ...prepared, item }, parent);
    await writeReactions(slice, item, id);
    return id;
  }
  const [blobId] = blobIds;
  if (blobId === undefined || !('app' in parent)) throw new Error('a file has no bytes or no app');
  const { file, tags } = item;
  const draft = { blobId, name: file.name, metadata: JSON.stringify(metadataOf(writing, item)), tags };
  return await addFile(change, parent.app, draft);
}

/** The metadata of an item with where it came from, unless the host product uses these names itself. */
function metadataOf({ source }: WeavyWriting, { kind, id, metadata }: PlannedItem) {
  return { source, source_id: keyOf(kind, id), ...metadata };
}

async function writeEntry(
  { writing, named, known }: Slice,
  { item, blobIds, text, rendered }: PreparedItem & { readonly item: PlannedEntry },
  parent: Parent,
): Promise<number> {
  const { tx, links } = writing;
  const body = {
    metadata: metadataOf(writing, item),
    tags: [...item.tags],
    blobs: [...blobIds],
    options: item.options.map((option) => ({ text: option.text })),
    ...(text === '' ? {} : { text }),
  };
  const draft = draftOf(body, rendered === undefined ? {} : { text, ...rendered });
  const change = { tx, caller: named.userOf(item.authorId), at: item.createdAt, links };
  // The same transaction looks it up for its reactions and its comments, and without a count its parent would not exist.
  await changeCount(tx, { kind: item.kind, ...parentColumns(parent) }, { live: 0, trashed: 0 });
  if (item.kind === 'message' && 'app' in parent)
    return (await addMessage({ ...change, isSilent: true }, parent.app, draft)).id;
  const replied = item.replyToId === undefined ? undefined : known.get(keyOf('comment', item.replyToId));
  const answered = replied && (await findAnswered(tx, replied.id, parentColumns(parent)));
  const created = { kind: item.kind, parent, answered, isSilent: true };
  return (await createEntry(change, created, draft)).id;
}

/** Writes the reactions and votes. Two users of that server can be one here, who has one of each. */
async function writeReactions({ writing, named }: Slice, item: PlannedEntry, id: number): Promise<void> {
  const { reactions, options, createdAt } = item;
  if (reactions.length === 0 && options.every(({ voterIds }) => voterIds.length === 0)) return;
  const { tx, system, at } = writing;
  const lookup = { read: tx, caller: system, ref: { id }, isTrashedIncluded: false, at };
  const on = await entryAccess(item.kind).react(lookup);
  const isFirstOf = (seen: Set<number>, { user }: Principal) => seen.size < seen.add(user.id).size;
  const reacted = new Set<number>();
  for (const { userId, content, createdAt: reactedAt } of reactions) {
    const caller = named.userOf(userId);
    if (isFirstOf(reacted, caller))
      await addReaction({ tx, caller, on, at: reactedAt, isSilent: true }, content);
  }
  const rows = await pollOptions(tx, id);
  const voted = new Set<number>();
  for (const [index, { voterIds }] of options.entries()) {
    const row = rows[index];
    if (row === undefined) throw new Error('an option was not written');
    for (const caller of voterIds.map(named.userOf)) {
      if (!isFirstOf(voted, caller)) continue;
      const vote = { tx, caller, entry: on.entry, at: createdAt, isSilent: true };
      await addVote(vote, { ...row, voteCount: 0, hasVoted: 0 });
    }
  }
}

/** Takes an item out of the trash; what it belongs to must be out of it. */
async function restoreItem(
  { tx, system: caller, at, links }: WeavyWriting,
  kind: PlannedItem['kind'],
  id: number,
): Promise<void> {
  const lookup = { read: tx, caller, ref: { id }, isTrashedIncluded: true, at };
  if (kind === 'file') {
    await showFile({ tx, caller, at, links, on: await fileAccess.restore(lookup), isSilent: true });
    return;
  }
  const entry = await setState({ tx, caller, at, on: await entryAccess(kind).restore(lookup) }, shown);
  await recordEntry({ tx, caller, at, links }, entry, { action: `${kind}_restored`, isSilent: true });
}
