import { invalidField } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import type { Editable } from '../../access/item-rights.ts';
import type { Json } from '../../kernel/json.ts';
import { assertRoot } from '../anchors/anchor-body.ts';
import { assertNoPictures, attachBlobs, keepAttachments } from '../attachments/attachments.ts';
import { noteWaiting } from '../moderation/approvals.ts';
import { editOptions } from '../options/poll.ts';
import { keepRevision, revisionOf } from '../revisions/revisions.ts';
import { systemUserId } from '../users/users.sql.ts';
import { deleteEntryTags, updateEntry } from './entries.store.ts';
import type { EntryChange, Links } from './entries.ts';
import { type Edit, editedContent } from './entry-body.ts';
import { indexEntry } from './entry-index.ts';
import { contentOf, renderContent, writtenBy } from './entry-json.ts';
import { assertReferences, referenceColumns } from './entry-references.ts';
import { entryDetail, recordEntry } from './entry-view.ts';
import { holdEntry } from './hold.ts';
import { holdingFor, recordMatches } from './matches.ts';

type Update = Omit<EntryChange, 'links'> & {
  readonly on: Editable<ReadableEntry>;
  readonly body: Edit;
  /** Whether the text before was only the beginning of this one, which is then no revision of it. */
  readonly isContinued?: boolean;
};

/**
 * Changes an entry and returns it in full. An edit that changes nothing has no event. An edit holds the entry where
 * creating it would (`holdingFor`), so others only see what was approved. Throws `validation_failed`.
 */
export async function editEntry(call: Update, { links }: Links): Promise<Json> {
  const { tx, caller, at, body: edit } = call;
  const { entry } = call.on;
  const before = contentOf(entry.content);
  const after = editedContent(before, edit);
  const { anchor = entry } = edit;
  if (anchor.anchor !== null) assertRoot(entry.rootId);
  await assertReferences(call, after, before);
  const hasNewContent = JSON.stringify(after) !== JSON.stringify(before);
  const revision = call.isContinued === true ? undefined : await revisionOf(tx, entry, before);
  const { hold, requiresApproval } = await holdingFor(call, call.on.app, edit.verdict);
  if (requiresApproval) assertNoPictures(caller, edit.blobIds);
  const attachmentCount = await editAttachments(call);
  const optionCount = edit.options === undefined ? entry.optionCount : edit.options.length;
  const hasNewOptions = edit.options !== undefined && (await editOptions(tx, entry.id, edit.options));
  const hasNewFiles = edit.blobIds.length > 0 || attachmentCount !== entry.attachmentCount;
  const hasNewAnchor = anchor.anchor !== entry.anchor;
  if (!hasNewContent && !hasNewOptions && !hasNewFiles && !hasNewAnchor)
    return await entryDetail({ read: tx, caller, links }, entry);
  if (requiresApproval) await noteWaiting(tx, call.on.app, caller.user);
  const facts = {
    ...entry,
    ...referenceColumns(after),
    anchor: anchor.anchor,
    anchorKey: anchor.anchorKey,
    attachmentCount,
    optionCount,
    // No two edits have the same time, even in one millisecond: the log tells by it which events are of which text.
    modifiedAt: Math.max(at, (entry.modifiedAt ?? 0) + 1) as UnixMs,
    modifiedById: caller.user.id,
  };
  const changed = { ...facts, content: renderContent(facts, writtenBy(caller, after)) };
  if (revision !== undefined) await keepRevision(tx, revision);
  await tx.run(updateEntry, changed);
  if (hasNewContent) {
    if (before.tags.length > 0) await tx.run(deleteEntryTags, { id: entry.id });
    await indexEntry(tx, changed, { content: after, isNew: false });
  }
  const change = { tx, caller, at, links };
  const on = { ...call.on, entry: changed };
  // Nobody is told of an edit that is held, so there is no event of it.
  const detail =
    hold === undefined
      ? await recordEntry(change, changed, { action: `${entry.kind}_updated` })
      : await holdEntry({ ...change, on }, { links }, { ...hold, byId: systemUserId });
  await recordMatches(change, changed, { verdict: edit.verdict, isHeld: hold !== undefined });
  return detail;
}

/** The most attachments of one entry. */
const attachmentsMax = 100;

/** Removes and adds the attachments of an edit; returns how many the entry then has. */
async function editAttachments(call: Update): Promise<number> {
  const { body: edit } = call;
  const { entry } = call.on;
  const owner = { appId: entry.appId, kind: entry.kind, id: entry.id };
  const attachmentCount =
    edit.attachmentIds === undefined
      ? entry.attachmentCount
      : await keepAttachments(call, owner, edit.attachmentIds);
  const count = attachmentCount + edit.blobIds.length;
  if (count > attachmentsMax)
    throw invalidField('/blobs', 'maxitems', `would make more than ${attachmentsMax} attachments`);
  await attachBlobs(call, owner, edit.blobIds);
  return count;
}
