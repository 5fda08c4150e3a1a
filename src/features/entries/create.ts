import { countAdded } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import type { WritableApp } from '../access/access.ts';
import type { EntryKind, EntryRow } from '../access/entry.sql.ts';
import type { WritablePost } from '../access/entry-access.ts';
import type { WritableFile } from '../access/file-access.ts';
import { attachBlobs } from '../attachments/attachments.ts';
import { addOptions } from '../options/poll.ts';
import { subscribeAuthor } from '../subscriptions/subscriptions.ts';
import { insertEntry } from './entries.store.ts';
import type { EntryChange } from './entries.ts';
import type { Draft } from './entry-body.ts';
import { indexEntry } from './entry-index.ts';
import { renderContent } from './entry-json.ts';
import { assertReferences, referenceColumns } from './entry-references.ts';
import { recordEntry } from './entry-view.ts';

/** Where an entry is created: in an app, or on a post or file. */
export type Place =
  | { readonly app: WritableApp }
  | { readonly post: WritablePost }
  | { readonly file: WritableFile };

/** The entry to create. A silent one, which an import writes, notifies nobody and subscribes nobody. */
type Created = { readonly kind: EntryKind; readonly in: Place; readonly isSilent?: boolean };

function parentOf(place: Place): Pick<EntryRow, 'appId' | 'parentType' | 'parentId'> {
  if ('app' in place) return { appId: place.app.id, parentType: 'app', parentId: place.app.id };
  const [parentType, parent] = 'post' in place ? ['post', place.post.entry] : ['file', place.file.file];
  return { appId: parent.appId, parentType, parentId: parent.id };
}

/** Creates an entry, and returns its id and the entry in full. Throws `validation_failed`. */
export async function createEntry(
  change: EntryChange,
  { kind, in: place, isSilent = false }: Created,
  { content, blobIds, options }: Draft,
): Promise<{ readonly id: number; readonly shown: Json }> {
  const { tx, caller, at } = change;
  const parent = parentOf(place);
  await assertReferences(tx, caller, content);
  const facts = {
    kind,
    ...parent,
    attachmentCount: blobIds.length,
    optionCount: options.length,
    reactionCount: 0,
    createdAt: at,
    createdById: caller.user.id,
    modifiedAt: null,
    modifiedById: null,
    trashedAt: null,
    trashedById: null,
    ...referenceColumns(content),
  };
  const row = { ...facts, content: renderContent(facts, content) };
  const id = await tx.insert(insertEntry, row);
  const entry: EntryRow = { ...row, id };
  await indexEntry(tx, entry, { content, isNew: true });
  tx.later(countAdded, { kind, ...parent });
  await attachBlobs(change, { appId: parent.appId, kind, id }, blobIds);
  await addOptions(tx, id, options);
  const followed = kind === 'post' ? { type: kind, id } : { type: parent.parentType, id: parent.parentId };
  if (!isSilent) await subscribeAuthor(tx, caller, followed);
  return { id, shown: await recordEntry(change, entry, { action: `${kind}_created`, isSilent }) };
}
