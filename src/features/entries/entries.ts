import type { EntryCreate, EntryPatch } from '../../contract/entries.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Read, Tx } from '../../db/db.ts';
import { entryIndex } from '../../db/search-index.ts';
import { countAdded } from '../../db/tallies.ts';
import { type Action, append } from '../../events/events.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { searchWords } from '../../kernel/search.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { assertMayChange, assertNotModerated, type WritableApp } from '../access/access.ts';
import type { EntryRow } from '../access/entry.sql.ts';
import { entryAccess, type ReadableEntry } from '../access/entry-access.ts';
import { attachBlobs, attachmentsOf, keepAttachments } from '../attachments/attachments.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { subscribeAuthor } from '../subscriptions/subscriptions.ts';
import { actorOf, renderUser } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import {
  deleteEntryTags,
  insertEntry,
  insertEntryTags,
  type ListedEntry,
  updateEntry,
} from './entries.store.ts';
import {
  type Content,
  contentOf,
  renderContent,
  renderEntry,
  renderParent,
  renderText,
} from './entry-json.ts';
import { addOptions, editOptions, renderedOptions } from './entry-options.ts';
import { renderedReactions } from './entry-reactions.ts';
import { assertReferences, referenceColumns, renderedReferences } from './entry-references.ts';

/**
 * What comments, posts and messages share. An *entry* is text with what people put into it: attachments, poll options,
 * tags, metadata. Its *kind* says which resource it is, its *parent* what it hangs on.
 */

/** A comment, post or message as stored. */
export type Entry = EntryRow;

/** The kinds of entries, in the words of the wire. */
export const entryKinds = ['comment', 'post', 'message'] as const;

/** A kind of entry, and what its resource shows besides the shared fields. */
export type EntryKind = {
  readonly kind: (typeof entryKinds)[number];
  /** Makes the addresses of attachments; can be absent only where no entry has any. */
  readonly links?: BlobLinks;
  /** More members of each of some entries by entry id, in a fixed number of statements. */
  readonly members?: (
    read: Read,
    principal: Principal,
    entries: readonly ListedEntry[],
  ) => Promise<Map<number, { readonly [name: string]: Json }>>;
};

/** What an entry is created with, prepared: rendered and normalised ahead of the transaction. */
export type Draft = {
  readonly content: Content;
  readonly blobIds: readonly number[];
  readonly options: readonly string[];
};

/** Where an entry is created. */
export type Place = {
  readonly app: WritableApp;
  readonly parentType: 'app' | 'file' | 'post';
  readonly parentId: number;
};

/** What sets an entry apart from one made by a request. */
export type Origin = { readonly at: UnixMs; readonly isSilent?: boolean };

/** The scope word of the children of one parent in the search index; U+E000 cannot come from anyone's text. */
export function scopeWord(kind: string, parentType: string, parentId: number): string {
  return `\uE000${kind}${parentType}${parentId}`;
}

/**
 * The words that an entry is found by: those of its text and of its parent, and for a comment on a post or file that of the
 * app, which lists it as well.
 */
export function entryWords(
  { kind, appId, parentType, parentId }: Pick<EntryRow, 'kind' | 'appId' | 'parentType' | 'parentId'>,
  content: Pick<Content, 'plain'>,
): string {
  const scope = scopeWord(kind, parentType, parentId);
  const ofApp = parentType === 'app' ? '' : `${scopeWord(kind, 'app', appId)} `;
  return `${scope} ${ofApp}${searchWords(content.plain)}`;
}

/** The readers of what a body says about an entry. */
export const entryReaders = { tags: normaliseTags } as const;

/** Prepares the body of a create, whose fields were read. */
export function prepareDraft(body: EntryCreate): Draft {
  return {
    content: {
      ...renderText(body.text),
      ...(body.embed_id === undefined ? {} : { embed_id: body.embed_id }),
      ...(body.meeting_id === undefined ? {} : { meeting_id: body.meeting_id }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      tags: body.tags ?? [],
    },
    blobIds: body.blobs ?? [],
    options: (body.options ?? []).map((option) => option.text),
  };
}

type Edit = {
  readonly change: Partial<Record<keyof Content, Content[keyof Content] | null>>;
  readonly attachmentIds?: readonly number[];
  readonly blobIds: readonly number[];
  readonly options?: readonly { id?: number; text: string }[];
};

/** Prepares the body of an edit, whose fields were read: absent leaves a field, null clears it, an array replaces. */
export function prepareEdit(body: Clearable<EntryPatch>): Edit {
  const text =
    body.text === undefined ? {} : { text: null, html: null, plain: null, ...renderText(body.text) };
  return {
    change: {
      ...text,
      ...(body.embed_id === undefined ? {} : { embed_id: body.embed_id }),
      ...(body.meeting_id === undefined ? {} : { meeting_id: body.meeting_id }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
      ...(body.tags === undefined ? {} : { tags: body.tags ?? [] }),
    },
    ...(body.attachments === undefined ? {} : { attachmentIds: body.attachments ?? [] }),
    blobIds: body.blobs ?? [],
    ...(body.options === undefined ? {} : { options: body.options ?? [] }),
  };
}

function edited(content: Content, change: Edit['change']): Content {
  const merged: Record<string, unknown> = { ...content, ...change };
  for (const name of Object.keys(merged)) if (merged[name] === null) delete merged[name];
  return merged as Content;
}

/** Renders entries with what `expand` names; the number of statements does not depend on the number of entries. */
export async function renderEntries(
  read: Read,
  principal: Principal,
  resource: EntryKind,
  entries: readonly ListedEntry[],
  expand: ReadonlySet<string>,
): Promise<Json[]> {
  const withAttachments = entries.filter((entry) => entry.attachmentCount > 0).map((entry) => entry.id);
  const attachments = await renderedAttachments(read, principal, resource, withAttachments);
  const options = await renderedOptions(read, principal, entries, { hasVoters: expand.has('voters') });
  const reactions = await renderedReactions(read, entries);
  const users = await authors(read, principal, entries, expand);
  const referencesOf = await renderedReferences(read, entries, expand);
  const members = await resource.members?.(read, principal, entries);
  return entries.map((entry) =>
    renderEntry(entry, {
      attachments: attachments.get(entry.id) ?? [],
      options: options.get(entry.id) ?? [],
      reactions: reactions.get(entry.id) ?? [],
      members: {
        parent: expand.has('parent') ? renderParent(entry) : undefined,
        created_by: expand.has('created_by') ? users.get(entry.createdById) : undefined,
        modified_by:
          expand.has('modified_by') && entry.modifiedById !== null
            ? users.get(entry.modifiedById)
            : undefined,
        ...referencesOf(entry),
        ...members?.get(entry.id),
      },
    }),
  );
}

/** The rendered attachments of some entries by entry id; no statement when none has any. */
async function renderedAttachments(
  read: Read,
  principal: Principal,
  resource: EntryKind,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map();
  return await attachmentsOf(read, principal, linksOf(resource), { kind: resource.kind, ids });
}

/** What makes the addresses of attachments of a kind that has some. */
export function linksOf({ links }: EntryKind): BlobLinks {
  if (links === undefined) throw new Error('an entry has attachments where none can be');
  return links;
}

async function authors(
  read: Read,
  principal: Principal,
  entries: readonly ListedEntry[],
  expand: ReadonlySet<string>,
): Promise<Map<number, Json>> {
  const ids = new Set<number>();
  for (const entry of entries) {
    if (expand.has('created_by')) ids.add(entry.createdById);
    if (expand.has('modified_by') && entry.modifiedById !== null) ids.add(entry.modifiedById);
  }
  // Most often the caller is the author, and the caller is known.
  const isOwn = ids.delete(principal.user.id);
  const users = await renderedUsers(read, principal, [...ids]);
  return isOwn ? users.set(principal.user.id, renderUser(principal.user)) : users;
}

// No list can ask for voters: there may be many of them on each entry.
const everything: ReadonlySet<string> = new Set([
  'parent',
  'created_by',
  'modified_by',
  'embed',
  'meeting',
  'voters',
]);
// What an event shows is put into lists as it is, and whoever puts it there has nothing else of its embed and meeting.
const payloadForm: ReadonlySet<string> = new Set(['parent', 'embed', 'meeting']);

/** One entry in full. */
export async function entryDetail(
  read: Read,
  principal: Principal,
  resource: EntryKind,
  entry: EntryRow,
): Promise<Json> {
  const [rendered] = await renderEntries(read, principal, resource, [entry], everything);
  if (rendered === undefined) throw new Error('an entry was not rendered');
  return rendered;
}

/** Appends the event of a change of an entry, with the entry in list form. */
export async function recordEntry(
  tx: Tx,
  principal: Principal,
  resource: EntryKind,
  entry: EntryRow,
  event: { action: Action } & Origin,
): Promise<void> {
  const [rendered] = await renderEntries(tx, principal, resource, [entry], payloadForm);
  if (rendered === undefined) throw new Error('an entry was not rendered');
  await append(tx, {
    ...event,
    actor: actorOf(principal.user),
    appId: entry.appId,
    entity: { id: entry.id, json: rendered },
  });
}

/** Creates an entry; must run in the transaction that settled access to `place`. */
export async function createEntry(
  tx: Tx,
  principal: Principal,
  resource: EntryKind,
  place: Place,
  draft: Draft,
  origin: Origin,
): Promise<EntryRow> {
  const { kind } = resource;
  const { parentType, parentId } = place;
  await assertReferences(tx, principal, draft.content);
  const facts = {
    kind,
    appId: place.app.id,
    parentType,
    parentId,
    attachmentCount: draft.blobIds.length,
    optionCount: draft.options.length,
    reactionCount: 0,
    createdAt: origin.at,
    createdById: principal.user.id,
    modifiedAt: null,
    modifiedById: null,
    trashedAt: null,
    trashedById: null,
    ...referenceColumns(draft.content),
  };
  const content = renderContent(facts, draft.content);
  const id = await tx.insert(insertEntry, { ...facts, content });
  const entry: EntryRow = { ...facts, content, id };
  await writeIndexes(tx, entry, draft.content, { isNew: true });
  tx.later(countAdded, { kind, appId: place.app.id, parentType, parentId });
  const owner = { appId: place.app.id, kind, id };
  if (draft.blobIds.length > 0)
    await attachBlobs(tx, principal, owner, { blobIds: draft.blobIds, at: origin.at });
  await addOptions(tx, id, draft.options);
  if (origin.isSilent !== true)
    await subscribeAuthor(
      tx,
      principal,
      kind === 'post' ? { type: kind, id } : { type: parentType, id: parentId },
    );
  await recordEntry(tx, principal, resource, entry, { ...origin, action: `${kind}_created` });
  return entry;
}

async function writeIndexes(
  tx: Tx,
  entry: EntryRow,
  content: Content,
  { isNew }: { isNew: boolean },
): Promise<void> {
  tx.later(entryIndex, { id: entry.id, words: entryWords(entry, content), isNew });
  if (content.tags.length > 0)
    await tx.run(insertEntryTags, { id: entry.id, appId: entry.appId, tags: content.tags });
}

/** The entry with its app, if the caller may see it; throws `not_found`. */
export async function readableEntry(
  read: Read,
  principal: Principal,
  { kind }: Pick<EntryKind, 'kind'>,
  id: number,
  trash: 'live' | 'any' = 'live',
): Promise<ReadableEntry> {
  const look = { read, caller: principal, ref: { id }, isTrashedIncluded: trash === 'any' };
  return await entryAccess(kind).read(look);
}

/** Changes an entry; throws `not_found`, `edit_forbidden`, `moderated` or `validation_failed`. */
export async function editEntry(
  tx: Tx,
  principal: Principal,
  resource: EntryKind,
  id: number,
  input: Input<Edit>,
  at: UnixMs,
): Promise<EntryRow> {
  const { entry, app } = await readableEntry(tx, principal, resource, id, 'any');
  assertNotModerated(principal, entry);
  if (entry.trashedAt !== null) throw notFound(resource.kind);
  assertMayChange(principal, app, entry);
  const edit = input.valid();
  const before = contentOf(entry.content);
  const after = edited(before, edit.change);
  await assertReferences(tx, principal, after, before);
  const hasNewContent = JSON.stringify(after) !== JSON.stringify(before);
  const attachmentCount = await editAttachments(tx, principal, entry, edit, at);
  const optionCount = edit.options === undefined ? entry.optionCount : edit.options.length;
  const hasNewOptions = edit.options !== undefined && (await editOptions(tx, entry.id, edit.options));
  const hasNewFiles = edit.blobIds.length > 0 || attachmentCount !== entry.attachmentCount;
  // What changes nothing is no edit: the entry stays as it was, without an event.
  if (!hasNewContent && !hasNewOptions && !hasNewFiles) return entry;
  const facts = {
    ...entry,
    ...referenceColumns(after),
    attachmentCount,
    optionCount,
    modifiedAt: at,
    modifiedById: principal.user.id,
  };
  const changed = { ...facts, content: renderContent(facts, after) };
  await tx.run(updateEntry, changed);
  if (hasNewContent) {
    if (before.tags.length > 0) await tx.run(deleteEntryTags, { id: entry.id });
    await writeIndexes(tx, changed, after, { isNew: false });
  }
  await recordEntry(tx, principal, resource, changed, { action: `${resource.kind}_updated`, at });
  return changed;
}

/** The most attachments of one entry. */
const attachmentsMax = 100;

async function editAttachments(
  tx: Tx,
  principal: Principal,
  entry: EntryRow,
  edit: Edit,
  at: UnixMs,
): Promise<number> {
  const owner = { appId: entry.appId, kind: entry.kind, id: entry.id };
  const kept =
    edit.attachmentIds === undefined
      ? entry.attachmentCount
      : await keepAttachments(tx, owner, edit.attachmentIds, at);
  const count = kept + edit.blobIds.length;
  if (count > attachmentsMax)
    throw invalidField('/blobs', 'maxitems', `would make more than ${attachmentsMax} attachments`);
  if (edit.blobIds.length > 0) await attachBlobs(tx, principal, owner, { blobIds: edit.blobIds, at });
  return count;
}
