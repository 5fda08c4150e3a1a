import { sql } from 'kysely';
import { isEntry } from '../../access/entry/entry.sql.ts';
import { notificationIsShown, notifications } from '../../access/notification/notification.sql.ts';
import { anyOf, containsObject } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/**
 * The current state of the subjects of events; a thing without a row was deleted permanently. The parents of a thing are
 * read by subqueries for each row: PostgreSQL would answer joins from whole tables when it has few statistics on them.
 */

type Ids = { ids: readonly number[] };

/** 0 where the app of a row is there, 1 while it is in the trash, 2 or null where it was deleted. */
const appState = (appId: 'entries.app_id' | 'files.app_id') =>
  sql<
    number | null
  >`(select case when apps.deleted_at is not null then 2 when apps.trashed_at is not null then 1 else 0 end
    from apps where apps.id = ${sql.ref(appId)})`.as('appState');

/** Some entries, with the state of their app and of what they are on, which has the same numbers. */
export const entriesNow = query<Ids>()((q, value) =>
  q
    .selectFrom('entries')
    .select([
      'entries.id',
      'entries.created_by_id as authorId',
      'entries.trashed_at as trashedAt',
      'entries.modified_at as modifiedAt',
      appState('entries.app_id'),
      sql<number | null>`(select case when tallies.removed_at is not null then 2 else tallies.is_hidden end
        from tallies where tallies.parent_type = entries.parent_type
        and tallies.parent_id = entries.parent_id and tallies.kind = entries.kind)`.as('parentState'),
    ])
    .where(anyOf(sql.ref('entries.id'), value('ids')))
    .where(isEntry),
);

/**
 * The events, among some about entries, that have the current content of the entry. An event has the stored content of its
 * entry, character for character, and each edit has a time of its own. So an event either contains the content that is
 * stored now, or is older than an edit.
 */
export const eventsOfPresentTexts = query<Ids>()((q, value) =>
  q
    .selectFrom('events')
    .select('events.id')
    .where(anyOf(sql.ref('events.id'), value('ids')))
    .where(
      sql<boolean>`(select ${containsObject(sql.ref('events.payload'), sql.ref('entries.content'))}
        from entries where entries.id = events.entity_id and ${isEntry})`,
    ),
);

/** Some poll options. */
export const optionsNow = query<Ids>()((q, value) =>
  q
    .selectFrom('options')
    .select(['id', 'entry_id as entryId', 'text'])
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** Some reactions. */
export const reactionsNow = query<Ids>()((q, value) =>
  q
    .selectFrom('reactions')
    .select(['id', 'entry_id as entryId'])
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** Some files, with the state of their app. */
export const filesNow = query<Ids>()((q, value) =>
  q
    .selectFrom('files')
    .select([
      'files.id',
      'files.created_by_id as authorId',
      'files.trashed_at as trashedAt',
      'files.modified_at as modifiedAt',
      'files.version',
      'files.name',
      'files.metadata',
      'files.tags',
      appState('files.app_id'),
    ])
    .where(anyOf(sql.ref('files.id'), value('ids'))),
);

/** Some apps. */
export const appsNow = query<Ids>()((q, value) =>
  q
    .selectFrom('apps')
    .select([
      'id',
      'trashed_at as trashedAt',
      'modified_at as modifiedAt',
      'uid',
      'name',
      'description',
      'metadata',
      'tags',
    ])
    .where(anyOf(sql.ref('id'), value('ids')))
    .where('deleted_at', 'is', null),
);

/** The events, among some about members, whose membership has not ended. */
export const eventsOfMembers = query<Ids>()((q, value) =>
  q
    .selectFrom('events')
    .select('events.id')
    .where(anyOf(sql.ref('events.id'), value('ids')))
    .where(
      sql<boolean>`(select 1 from members where members.app_id = events.app_id
        and members.user_id = events.entity_id) = 1`,
    ),
);

/** The notifications, among some, that their users may read. */
export const notificationsNow = query<Ids>()((q, value) =>
  notifications(q)
    .select('notifications.id')
    .where(anyOf(sql.ref('notifications.id'), value('ids')))
    .where(notificationIsShown),
);

/** The notifications, among some, that exist, including those hidden with their subject. */
export const notificationsKept = query<Ids>()((q, value) =>
  q
    .selectFrom('notifications')
    .select('id')
    .where(anyOf(sql.ref('id'), value('ids')))
    .unionAll(
      q
        .selectFrom('hidden_notifications')
        .select('id')
        .where(anyOf(sql.ref('id'), value('ids'))),
    ),
);
