import { type RawBuilder, sql } from 'kysely';
import type { RowOf } from '../../db/statement.ts';

/** The kinds of entries, named as in the API. */
export type EntryKind = 'comment' | 'post' | 'message';

/** The columns of an entry. */
export const entryColumns = [
  'entries.id',
  'entries.kind',
  'entries.app_id as appId',
  'entries.parent_type as parentType',
  'entries.parent_id as parentId',
  'entries.content',
  'entries.attachment_count as attachmentCount',
  'entries.option_count as optionCount',
  'entries.reaction_count as reactionCount',
  'entries.reply_to_id as replyToId',
  'entries.root_id as rootId',
  'entries.reply_count as replyCount',
  'entries.embed_id as embedId',
  'entries.meeting_id as meetingId',
  'entries.created_at as createdAt',
  'entries.created_by_id as createdById',
  'entries.modified_at as modifiedAt',
  'entries.modified_by_id as modifiedById',
  'entries.trashed_at as trashedAt',
  'entries.trashed_by_id as trashedById',
  'entries.held_at as heldAt',
  'entries.held_reason as heldReason',
  'entries.is_unannounced as isUnannounced',
  'entries.locked_at as lockedAt',
  'entries.resolved_at as resolvedAt',
  'entries.resolved_by_id as resolvedById',
  'entries.anchor',
  'entries.anchor_key as anchorKey',
  sql<number | null>`case entries.parent_type
    when 'post' then (select above.locked_at from entries as above where above.id = entries.parent_id)
    when 'file' then (select above.locked_at from files as above where above.id = entries.parent_id) end`.as(
    'parentLockedAt',
  ),
] as const;

/** A comment, post or message as stored. `content` is its stored JSON, see `renderContent` in entry-json.ts. */
export type EntryRow = RowOf<'entries', typeof entryColumns>;

/** False only for the places of deleted comments, which statements about entries of any kind leave out. */
export const isEntry = sql<boolean>`entries.kind <> 'place'`;

const tallyOfParent = sql`tallies where tallies.parent_type = entries.parent_type
  and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind`;

/** True unless the parent of the entry is in the trash. */
export const parentIsLive = sql<boolean>`exists (select 1 from ${tallyOfParent} and tallies.is_hidden = 0)`;

/**
 * The same for a page of many entries, checked for each row as it is read. PostgreSQL would turn `exists`
 * into a join: it assumed that few parents mean few entries, and read all posts of a store for a page of 26.
 */
export const parentIsLiveByRow = sql<boolean>`(select tallies.is_hidden from ${tallyOfParent}) <> 1`;

/**
 * The comments of the table `name` that a thread shows: comments that are not in the trash, and the places of
 * others that have replies. The condition is worded as in the indexes, so that the engines recognise that an
 * index covers it.
 */
export function isShownInThread(name: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(name)}.trashed_at is null or ${sql.ref(name)}.reply_count > 0)`;
}
