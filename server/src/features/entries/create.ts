import type { WritableApp } from '../../access/access.ts';
import type { EntryKind, EntryRow } from '../../access/entry/entry.sql.ts';
import type { ReactableEntry } from '../../access/entry/entry-access.ts';
import type { WritableFile } from '../../access/file/file-access.ts';
import { heldState, shown } from '../../access/held.ts';
import { changeCount, countAdded } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { noAnchor } from '../anchors/anchor-body.ts';
import { assertNoPictures, attachBlobs } from '../attachments/attachments.ts';
import { noteWaiting } from '../moderation/approvals.ts';
import { enterQueue } from '../moderation/queue.ts';
import { subscribeAuthor } from '../notifications/subscriptions.ts';
import { addOptions } from '../options/poll.ts';
import { systemUserId } from '../users/users.sql.ts';
import { insertEntry, insertHeldEntry, insertResolvedEntry } from './entries.store.ts';
import type { EntryChange } from './entries.ts';
import type { Draft } from './entry-body.ts';
import { indexEntry } from './entry-index.ts';
import { queuedEntry, renderContent, writtenBy } from './entry-json.ts';
import { assertReferences, referenceColumns } from './entry-references.ts';
import { recordEntry } from './entry-view.ts';
import { holdingFor, recordMatches } from './matches.ts';
import { type Answered, countAnswer, noAnswer, resolvedTally } from './replies.ts';
import { open, reopenAnswered } from './resolving.ts';

/** The parent of the entry to create: an app, a post or a file. */
export type Parent =
  | { readonly app: WritableApp }
  | { readonly post: ReactableEntry<'post'> }
  | { readonly file: WritableFile };

/**
 * The entry to create. A silent one, which an import writes, notifies and subscribes no users. It may begin a thread that was
 * resolved, from `resolvedAt` on; it is not known by whom. Or it waits for approval from `heldAt` on, whatever its app asks.
 */
type Created = {
  readonly kind: EntryKind;
  readonly parent: Parent;
  readonly answered?: Answered | undefined;
  readonly isSilent?: boolean;
  readonly resolvedAt?: number;
  readonly heldAt?: number;
};

/** The columns that say where an entry is. */
export function parentColumns(parent: Parent): Pick<EntryRow, 'appId' | 'parentType' | 'parentId'> {
  if ('app' in parent) return { appId: parent.app.id, parentType: 'app', parentId: parent.app.id };
  const [parentType, { id, appId }] =
    'post' in parent ? ['post', parent.post.entry] : ['file', parent.file.file];
  return { appId, parentType, parentId: id };
}

function appOf(parent: Parent): WritableApp {
  if ('app' in parent) return parent.app;
  return 'post' in parent ? parent.post.app : parent.file.app;
}

/** Creates an entry, and returns its id, whether it is held, and the entry in full. Throws `validation_failed`. */
export async function createEntry(
  change: EntryChange,
  { kind, parent, answered, isSilent = false, resolvedAt, heldAt }: Created,
  { content: draftContent, anchor = noAnchor, blobIds, options, verdict: screened }: Draft,
): Promise<{ readonly id: number; readonly isHeld: boolean; readonly detail: Json }> {
  const { tx, caller, at } = change;
  const verdict = screened?.complete === undefined ? screened : await screened.complete(tx, caller.user);
  const content = caller.via === undefined ? draftContent : writtenBy(caller, draftContent);
  const { hold: ownHold, requiresApproval } = await holdingFor(change, appOf(parent), verdict);
  const hold = heldAt === undefined ? ownHold : ({ reason: 'approval' } as const);
  const holdAt = heldAt ?? at;
  if (requiresApproval) {
    assertNoPictures(caller, blobIds);
    await noteWaiting(tx, appOf(parent), caller.user);
  }
  const columns = parentColumns(parent);
  await assertReferences(change, content);
  const facts = {
    kind,
    ...columns,
    attachmentCount: blobIds.length,
    optionCount: options.length,
    reactionCount: 0,
    ...(answered ?? noAnswer),
    replyCount: 0,
    createdAt: at,
    createdById: caller.user.id,
    modifiedAt: null,
    modifiedById: null,
    ...(hold === undefined
      ? shown
      : heldState(hold.reason, { byId: systemUserId, at: holdAt, isUnannounced: 1 })),
    lockedAt: null,
    parentLockedAt: null,
    ...open,
    resolvedAt: resolvedAt ?? null,
    ...anchor,
    ...referenceColumns(content),
  };
  const row = { ...facts, content: renderContent(facts, content) };
  const insert = resolvedAt === undefined ? insertEntry : insertResolvedEntry;
  const id = await tx.insert(hold === undefined ? insert : insertHeldEntry, row);
  const entry: EntryRow = { ...row, id };
  await indexEntry(tx, entry, { content, isNew: true });
  if (resolvedAt !== undefined) tx.defer(countAdded, resolvedTally(columns));
  if (hold === undefined) tx.defer(countAdded, { kind, ...columns });
  // It is counted nowhere, but without a count its parent would not exist.
  else await changeCount(tx, { kind, ...columns }, { live: 0, trashed: 0 });
  countAnswer(tx, entry);
  await attachBlobs(change, { appId: columns.appId, kind, id }, blobIds);
  await addOptions(tx, id, options);
  const followed = kind === 'post' ? { type: kind, id } : { type: columns.parentType, id: columns.parentId };
  if (!isSilent) await subscribeAuthor(tx, caller, followed);
  const action = hold === undefined ? (`${kind}_created` as const) : (`${kind}_held` as const);
  const detail = await recordEntry(change, entry, { action, isSilent });
  if (hold === undefined && !isSilent) await reopenAnswered(change, entry, appOf(parent));
  if (hold !== undefined) await enterQueue({ tx, at: holdAt }, queuedEntry(entry), hold);
  await recordMatches(change, entry, { verdict, isHeld: hold !== undefined });
  return { id, isHeld: hold !== undefined, detail };
}
