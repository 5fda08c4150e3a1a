import { sql } from 'kysely';
import { anyOf, containsObject } from '../db/dialect.ts';
import { query } from '../db/statement.ts';
import { notificationIsShown } from '../features/access/notification.sql.ts';

/**
 * What some events are about, as it is now. Each statement starts from the events and looks up by key; an event without a
 * row is about something that was deleted permanently.
 */

/** The entry of an event about an entry, one of its poll options or a reaction to it. */
const entryId = sql<number>`case events.entity_type
  when 'option' then (select options.entry_id from options where options.id = events.entity_id)
  when 'reaction' then (select reactions.entry_id from reactions where reactions.id = events.entity_id)
  else events.entity_id end`;

// An entry shows in an event what is stored of it, character for character, and each edit has a time of its own. So an event
// that contains the stored content says what the entry says now. Most entries were never edited, and need no look at texts.
const saysWhatEntrySays = sql<number>`case when entries.modified_at is null then 1
  when ${containsObject(sql.ref('events.payload'), sql.ref('entries.content'))} then 1 else 0 end`;

/**
 * The entries of some events. `isParentShown` is 0 while the app or what the entry is on is in the trash; `optionText` is the
 * present text of the option, in events about one.
 */
export const entriesOfEvents = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('events')
    .innerJoin('entries', (join) =>
      join
        .on('entries.id', '=', entryId)
        .on(
          sql<boolean>`(events.entity_type in ('option', 'reaction') or entries.kind = events.entity_type)`,
        ),
    )
    .innerJoin('apps', 'apps.id', 'entries.app_id')
    .innerJoin('tallies', (join) =>
      join
        .onRef('tallies.parent_type', '=', 'entries.parent_type')
        .onRef('tallies.parent_id', '=', 'entries.parent_id')
        .onRef('tallies.kind', '=', 'entries.kind'),
    )
    .select([
      'events.id',
      'entries.created_by_id as authorId',
      'entries.trashed_at as trashedAt',
      sql<number>`case when tallies.is_hidden = 0 and apps.trashed_at is null then 1 else 0 end`.as(
        'isParentShown',
      ),
      sql<number>`case when events.entity_type in ('option', 'reaction') then 1 else ${saysWhatEntrySays} end`.as(
        'isSame',
      ),
      sql<string | null>`case events.entity_type when 'option' then
        (select options.text from options where options.id = events.entity_id) end`.as('optionText'),
    ])
    .where(anyOf(sql.ref('events.id'), value('ids')))
    .where('apps.deleted_at', 'is', null)
    .where('tallies.removed_at', 'is', null),
);

/** The files of some events. */
export const filesOfEvents = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('events')
    .innerJoin('files', 'files.id', 'events.entity_id')
    .innerJoin('apps', 'apps.id', 'files.app_id')
    .select([
      'events.id',
      'files.created_by_id as authorId',
      'files.trashed_at as trashedAt',
      'files.modified_at as modifiedAt',
      'files.version',
      'files.name',
      'files.metadata',
      'files.tags',
      sql<number>`case when apps.trashed_at is null then 1 else 0 end`.as('isParentShown'),
    ])
    .where(anyOf(sql.ref('events.id'), value('ids')))
    .where('apps.deleted_at', 'is', null),
);

/** The apps of some events about apps or conversations. */
export const appsOfEvents = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('events')
    .innerJoin('apps', 'apps.id', 'events.entity_id')
    .select([
      'events.id',
      'apps.trashed_at as trashedAt',
      'apps.modified_at as modifiedAt',
      'apps.uid',
      'apps.name',
      'apps.description',
      'apps.metadata',
      'apps.tags',
    ])
    .where(anyOf(sql.ref('events.id'), value('ids')))
    .where('apps.deleted_at', 'is', null),
);

/** The memberships of some events about members. */
export const membersOfEvents = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('events')
    .innerJoin('members', (join) =>
      join.onRef('members.app_id', '=', 'events.app_id').onRef('members.user_id', '=', 'events.entity_id'),
    )
    .select(['events.id'])
    .where(anyOf(sql.ref('events.id'), value('ids'))),
);

/** The notifications of some events that their users may read. */
export const notificationsOfEvents = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('events')
    .innerJoin('notifications', 'notifications.id', 'events.entity_id')
    .innerJoin('users', 'users.id', 'notifications.user_id')
    .select(['events.id'])
    .where(anyOf(sql.ref('events.id'), value('ids')))
    .where(notificationIsShown),
);
