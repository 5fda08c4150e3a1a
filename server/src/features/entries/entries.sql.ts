import { sql } from 'kysely';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { shortText, textBytes } from '../../db/long-texts.ts';

/** The columns of an entry that a list reads: those that it renders, and those that select the other rows to load. */
export type ListedEntry = Pick<
  EntryRow,
  | 'id'
  | 'content'
  | 'appId'
  | 'parentType'
  | 'parentId'
  | 'attachmentCount'
  | 'optionCount'
  | 'reactionCount'
  | 'replyCount'
  | 'anchor'
  | 'embedId'
  | 'meetingId'
  | 'createdById'
  | 'modifiedAt'
  | 'modifiedById'
>;

/** The columns of `ListedEntry`, with the size of the content, which is null where it is long. */
export const listedColumns = [
  'entries.id',
  shortText(sql.ref('entries.content')).as('content'),
  textBytes(sql.ref('entries.content')).as('bytes'),
  'entries.app_id as appId',
  'entries.parent_type as parentType',
  'entries.parent_id as parentId',
  'entries.attachment_count as attachmentCount',
  'entries.option_count as optionCount',
  'entries.reaction_count as reactionCount',
  'entries.reply_count as replyCount',
  'entries.anchor',
  'entries.embed_id as embedId',
  'entries.meeting_id as meetingId',
  'entries.created_by_id as createdById',
  'entries.modified_at as modifiedAt',
  'entries.modified_by_id as modifiedById',
] as const;
