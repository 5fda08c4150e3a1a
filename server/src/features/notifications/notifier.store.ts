import { type Expression, type QueryCreator, type SqlBool, sql } from 'kysely';
import { isThere, isWaiting, mayRead, moderatesApp, moderatesByRole } from '../../access/access.sql.ts';
import { userColumns } from '../../access/user/user.sql.ts';
import { anyOf, flagIn, inLimitedRows, numberIn, recordsOf, rowCount, textIn } from '../../db/dialect.ts';
import { textBytes } from '../../db/long-texts.ts';
import {
  type Bind,
  type Builder,
  cachedByShape,
  command,
  insertSelected,
  query,
} from '../../db/statement.ts';
import { addCounts } from '../../db/tallies.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { isVisible, systemUserId } from '../users/users.sql.ts';

/** The stored position of the notifier; see `event_cursors` in tables.ts. */
export const storedPosition = query()((q) =>
  q
    .selectFrom('event_cursors')
    .select(['event_id as eventId', 'user_id as userId'])
    .where('reader', '=', 'notifier'),
);

/** Moves the position from its known value; changes no row when it has another. */
export const movePosition = command<{
  eventId: number;
  userId: number;
  fromEventId: number;
  fromUserId: number;
}>()((q, value) =>
  q
    .updateTable('event_cursors')
    .set({ event_id: value('eventId'), user_id: value('userId') })
    .where('reader', '=', 'notifier')
    .where('event_id', '=', value('fromEventId'))
    .where('user_id', '=', value('fromUserId')),
);

/** Parks an event whose users up to `userId` have been notified. */
export const parkEvent = command<{ eventId: number; userId: number; error: string; parkedAt: number }>()(
  (q, value) =>
    q.insertInto('parked_events').values({
      event_id: value('eventId'),
      user_id: value('userId'),
      error: value('error'),
      parked_at: value('parkedAt'),
    }),
);

/** The first parked events after one. */
export const parkedAfter = query<{ after: number; top: number }>()((q, value) =>
  q
    .selectFrom('parked_events')
    .innerJoin('events', 'events.id', 'parked_events.event_id')
    .select([
      'parked_events.event_id as eventId',
      'parked_events.user_id as userId',
      'parked_events.error',
      'parked_events.parked_at as parkedAt',
      'events.action',
    ])
    .where('parked_events.event_id', '>', value('after'))
    .orderBy('parked_events.event_id')
    .limit(rowCount(value('top'))),
);

/** How many events are parked. */
export const parkedCount = query()((q) =>
  q.selectFrom('parked_events').select((part) => part.fn.countAll<number>().as('count')),
);

/** Unparks an event; changes no row when it is not parked, or another process has notified more of its users. */
export const unparkEvent = command<{ eventId: number; userId: number }>()((q, value) =>
  q
    .deleteFrom('parked_events')
    .where('event_id', '=', value('eventId'))
    .where('user_id', '=', value('userId')),
);

/** The id of the newest event. */
export const newestEvent = query()((q) =>
  q.selectFrom('events').select((part) => part.fn.max('id').as('id')),
);

/** A part of the log: what follows `after` up to `upto`. */
type LogPart = { after: number; upto: number; actions: readonly string[]; top: number };

/** The first events of some actions in a part of the log, without silent ones. */
function eventsIn(q: Builder, value: Bind<LogPart>) {
  return q
    .selectFrom('events')
    .where('id', '>', value('after'))
    .where('id', '<=', value('upto'))
    .where(anyOf(sql.ref('action'), value('actions')))
    .where('is_silent', '=', 0)
    .orderBy('id')
    .limit(rowCount(value('top')));
}

/** How many bytes the payload of each of them has. */
export const eventSizes = query<LogPart>()((q, value) =>
  eventsIn(q, value).select(['id', textBytes(sql.ref('payload')).as('bytes')]),
);

/** The events themselves. */
export const eventsBetween = query<LogPart>()((q, value) =>
  eventsIn(q, value).select([
    'id',
    'action',
    'actor_id as actorId',
    'app_id as appId',
    'payload',
    'created_at as createdAt',
  ]),
);

/** The names of some apps. */
export const appNames = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('apps')
    .select(['id', 'type', 'uid', 'name'])
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** The names of some files. */
export const fileNames = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('files')
    .select(['id', 'name'])
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/**
 * The sources of an audience that may be large: the subscribers of an item, the members of an app, those who may
 * moderate the app of a reported or held item, without its author, the moderators of an app who want to be told of each
 * new comment, or the authors of the answers in a thread.
 */
export type LargeAudience = 'subscribers' | 'members' | 'moderators' | 'watchers' | 'participants';

function usersFrom(
  source: LargeAudience,
  of: { type: unknown; id: Expression<unknown>; after: Expression<unknown> },
) {
  if (source === 'members') return sql`from members where app_id = ${of.id} and user_id > ${of.after}`;
  const isReport = sql`reports.entity_type = ${of.type} and reports.entity_id = ${of.id}`;
  if (source === 'moderators')
    return sql`from (
      select members.user_id from reports join members on members.app_id = reports.app_id
        where ${isReport} and ${moderatesByRole}
          and members.user_id > ${of.after} and members.user_id <> reports.author_id
      union select users.id from reports join apps on apps.id = reports.app_id
        join users on users.role = 'moderator' and (users.directory_id is null or users.directory_id = apps.directory_id)
        where ${isReport} and users.id > ${of.after} and users.id <> reports.author_id) as moderators
      where true`;
  if (source === 'watchers')
    return sql`from mail_states where new_comments = 1 and choice <> 'none' and user_id > ${of.after}
      and ${moderatesApp(of.id, sql.ref('mail_states.user_id'))}`;
  if (source === 'participants')
    return sql`from (select distinct created_by_id as user_id from entries as answers
      where answers.root_id = ${of.id} and answers.trashed_at is null
        and answers.created_by_id > ${of.after}) as participants where true`;
  return sql`from subscriptions where entity_type = ${of.type} and entity_id = ${of.id} and user_id > ${of.after}`;
}

/** An audience to count: its users above `after` except the actor of the event. */
export type SizedAudience = {
  readonly source: LargeAudience;
  readonly type: string;
  readonly id: number;
  readonly after: number;
  readonly actorId: number;
};

/**
 * The sizes of some large audiences, in the given order, at most `top` each; `audiences` is a JSON array of
 * `SizedAudience`.
 */
export const audienceSizes = query<{ audiences: string; top: number }>()((q, value) => {
  const of = {
    type: textIn('given', 'type'),
    id: numberIn('given', 'id'),
    after: numberIn('given', 'after'),
  };
  const size = (source: LargeAudience) =>
    sql`(select count(*) from (select 1 ${usersFrom(source, of)} and user_id <> ${numberIn('given', 'actorId')} limit ${rowCount(value('top'))}) as counted)`;
  return q
    .selectFrom(recordsOf(value('audiences'), 'given'))
    .select(
      sql<number>`case ${textIn('given', 'source')} when 'members' then ${size('members')}
        when 'moderators' then ${size('moderators')} when 'watchers' then ${size('watchers')}
        when 'participants' then ${size('participants')} else ${size('subscribers')} end`.as('size'),
    )
    .orderBy(sql`given.key`);
});

/** The last of the first `top` users of a large audience. */
export const lastOfAudience = cachedByShape((source: LargeAudience) =>
  query<{ type: string; id: number; after: number; top: number }>()((q, value) =>
    q
      .selectFrom(
        sql<{ user_id: number }>`(select user_id ${usersFrom(source, {
          type: value('type'),
          id: sql`${value('id')}`,
          after: sql`${value('after')}`,
        })} order by user_id limit ${rowCount(value('top'))})`.as('first'),
      )
      .select((part) => part.fn.max('first.user_id').as('userId')),
  ),
);

/** One audience of one event; its users are those above `after` and up to `upto`. */
export type AudienceRecord = {
  readonly eventId: number;
  readonly appId: number;
  readonly actorId: number;
  readonly linkType: string;
  readonly linkId: number;
  readonly source: 'user' | 'author' | LargeAudience;
  readonly type: string;
  readonly id: number;
  /** The position of the reason in `reasons`, the strongest first. */
  readonly rank: number;
  readonly isEdit: boolean;
  /** Whether the item is held, and its moderators are notified. */
  readonly isHeld: boolean;
  /** When the burst begins of which moderators are notified once; for other reasons without meaning. */
  readonly since: number;
  readonly after: number;
  readonly upto: number;
};

function audiencesFrom(q: Builder, records: string) {
  type Field = keyof AudienceRecord;
  const number = (name: Field) => numberIn('given', name).as(name);
  const text = (name: Field) => textIn('given', name).as(name);
  return q.with('audiences', (part) =>
    part
      .selectFrom(recordsOf(records, 'given'))
      .select([
        number('eventId'),
        number('appId'),
        number('actorId'),
        text('linkType'),
        number('linkId'),
        text('source'),
        text('type'),
        number('id'),
        number('rank'),
        flagIn('given', 'isEdit').as('isEdit'),
        flagIn('given', 'isHeld').as('isHeld'),
        number('since'),
        number('after'),
        number('upto'),
      ])
      .where(
        sql<SqlBool>`case ${flagIn('given', 'isHeld')} when 1
          then ${isWaiting(textIn('given', 'linkType'), numberIn('given', 'linkId'))}
          else ${isThere(textIn('given', 'linkType'), numberIn('given', 'linkId'))} end`,
      ),
  );
}

/** True for a row of `users` whom the actor of `wanted` may mention: a member of the app, or a user the actor sees. */
function isMentionable(people: PeopleSetting): Expression<SqlBool> {
  const actor = {
    userId: sql.ref('wanted.actorId'),
    directoryId: sql`(select coalesce(actor.directory_id, 0) from users as actor where actor.id = ${sql.ref('wanted.actorId')})`,
  };
  return sql<SqlBool>`(${sql.ref('wanted.actorId')} = ${sql.lit(systemUserId)}
    or exists (select 1 from members as fellow where fellow.app_id = ${sql.ref('wanted.appId')} and fellow.user_id = users.id)
    or ${isVisible(people, actor)})`;
}

type WithAudiences =
  ReturnType<typeof audiencesFrom> extends QueryCreator<infer Tables> ? QueryCreator<Tables> : never;

/** The users of the audiences with a source of which a statement of its own selects the users. */
function selectedFrom(part: WithAudiences, source: 'moderators' | 'watchers' | 'participants') {
  const of = {
    type: sql.ref('audiences.type'),
    id: sql.ref('audiences.id'),
    after: sql.ref('audiences.after'),
  };
  return part
    .selectFrom('audiences')
    .innerJoin('users as selected', (join) =>
      join
        .on(inLimitedRows(sql.ref('selected.id'), sql`(select user_id ${usersFrom(source, of)})`))
        .onRef('selected.id', '<=', 'audiences.upto'),
    )
    .selectAll('audiences')
    .select('selected.id as userId')
    .where('audiences.source', '=', source);
}

/**
 * True for a user in `users` who has seen the item of `wanted` while it waited for approval: they approved it, or got mail
 * since it was held, which has everything that waits.
 */
const hasSeenInQueue = sql<SqlBool>`exists (select 1 from reports
  where reports.entity_type = ${sql.ref('wanted.linkType')} and reports.entity_id = ${sql.ref('wanted.linkId')}
    and (reports.resolved_by_id = users.id or reports.reported_at <= (
      select mail_states.sent_at from mail_states where mail_states.user_id = users.id)))`;

/**
 * The recipients of some audiences, each once for an event and with the strongest reason. Left out are the actor, users
 * who are suspended or in the trash, users who may not read the app, and mentioned users whom the actor does not see. An
 * author counts only for content of the same app. Content that is deleted or in the trash has no recipients, unless it is
 * held, for its moderators; those who have not read that something else is held in the app, since the burst began, are left
 * out, and of those who want to be told of new comments whoever has seen the comment while it was held.
 */
export const recipients = cachedByShape((people: PeopleSetting) =>
  query<{ audiences: string }>()((q, value) =>
    audiencesFrom(q, value('audiences'))
      .with('wanted', (part) =>
        part
          .selectFrom('audiences')
          .selectAll('audiences')
          .select('audiences.id as userId')
          .where('audiences.source', '=', 'user')
          .unionAll(
            part
              .selectFrom('audiences')
              .innerJoin('entries', (join) =>
                join
                  .onRef('entries.id', '=', 'audiences.id')
                  .onRef('entries.kind', '=', 'audiences.type')
                  .onRef('entries.app_id', '=', 'audiences.appId'),
              )
              .selectAll('audiences')
              .select('entries.created_by_id as userId')
              .where('audiences.source', '=', 'author'),
          )
          .unionAll(
            part
              .selectFrom('audiences')
              .innerJoin('files', (join) =>
                join.onRef('files.id', '=', 'audiences.id').onRef('files.app_id', '=', 'audiences.appId'),
              )
              .selectAll('audiences')
              .select('files.created_by_id as userId')
              .where('audiences.source', '=', 'author')
              .where('audiences.type', '=', 'file'),
          )
          .unionAll(
            part
              .selectFrom('audiences')
              .innerJoin('subscriptions', (join) =>
                join
                  .onRef('subscriptions.entity_type', '=', 'audiences.type')
                  .onRef('subscriptions.entity_id', '=', 'audiences.id')
                  .onRef('subscriptions.user_id', '>', 'audiences.after')
                  .onRef('subscriptions.user_id', '<=', 'audiences.upto'),
              )
              .selectAll('audiences')
              .select('subscriptions.user_id as userId')
              .where('audiences.source', '=', 'subscribers'),
          )
          .unionAll(
            part
              .selectFrom('audiences')
              .innerJoin('members', (join) =>
                join
                  .onRef('members.app_id', '=', 'audiences.id')
                  .onRef('members.user_id', '>', 'audiences.after')
                  .onRef('members.user_id', '<=', 'audiences.upto'),
              )
              .selectAll('audiences')
              .select('members.user_id as userId')
              .where('audiences.source', '=', 'members'),
          )
          .unionAll(selectedFrom(part, 'moderators'))
          .unionAll(selectedFrom(part, 'watchers'))
          .unionAll(selectedFrom(part, 'participants')),
      )
      .selectFrom('wanted')
      .innerJoin('users', 'users.id', 'wanted.userId')
      .select(userColumns)
      .select(['wanted.eventId', (part) => part.fn.min('wanted.rank').as('rank')])
      .whereRef('wanted.userId', '<>', 'wanted.actorId')
      .whereRef('wanted.userId', '>', 'wanted.after')
      .whereRef('wanted.userId', '<=', 'wanted.upto')
      .where('wanted.userId', '<>', systemUserId)
      .where('users.suspended_at', 'is', null)
      .where('users.trashed_at', 'is', null)
      .where(
        sql<SqlBool>`not (${sql.ref('wanted.isEdit')} = 1 and exists (select 1 from notifications
        where reason = 'mention' and link_type = ${sql.ref('wanted.linkType')}
        and link_id = ${sql.ref('wanted.linkId')} and user_id = ${sql.ref('wanted.userId')}))`,
      )
      .where(
        sql<SqlBool>`not (${sql.ref('wanted.isHeld')} = 1 and exists (select 1 from notifications as earlier
        where earlier.reason = 'held' and earlier.app_id = ${sql.ref('wanted.appId')} and earlier.user_id = users.id
          and earlier.read_at is null and earlier.created_at > ${sql.ref('wanted.since')}
          and not exists (select 1 from mail_states where mail_states.user_id = users.id and mail_states.upto >= earlier.id)))`,
      )
      .where(sql<SqlBool>`not (wanted.source = 'watchers' and ${hasSeenInQueue})`)
      .where(
        mayRead(sql.ref('wanted.appId'), {
          userId: sql.ref('users.id'),
          directoryId: sql.ref('users.directory_id'),
          way: sql.ref('users.way'),
        }),
      )
      .where(sql<SqlBool>`(wanted.source <> 'user' or ${isMentionable(people)})`)
      .groupBy(['wanted.eventId', 'users.id'])
      .orderBy('wanted.eventId')
      .orderBy('users.id'),
  ),
);

/** One notification to be written. */
export type NotificationRecord = {
  readonly eventId: number;
  readonly userId: number;
  readonly reason: string;
  readonly action: string;
  readonly actorId: number;
  readonly appId: number;
  readonly linkType: string;
  readonly linkId: number;
  readonly template: string;
  readonly args: string;
  readonly words: string;
  readonly createdAt: number;
};

/** Writes many notifications; `records` is a JSON array of them. */
export const insertNotifications = command<{ records: string }>()((q, value) => {
  type Field = keyof NotificationRecord;
  const number = (name: Field) => numberIn('given', name);
  const text = (name: Field) => textIn('given', name);
  return insertSelected(q, 'notifications', {
    from: q.selectFrom(recordsOf(value('records'), 'given')).orderBy(sql`given.key`),
    values: {
      event_id: number('eventId'),
      user_id: number('userId'),
      reason: text('reason'),
      action: text('action'),
      actor_id: number('actorId'),
      app_id: number('appId'),
      link_type: text('linkType'),
      link_id: number('linkId'),
      template: text('template'),
      args: text('args'),
      words: text('words'),
      created_at: number('createdAt'),
    },
  }).returning(['id', 'event_id as eventId', 'user_id as userId']);
});

/** Adds to one count of notifications of many users; `counts` is a JSON array of `{userId, by}`. */
export const addToCounts = command<{ counts: string; kind: string }>()((q, value) =>
  addCounts(q, {
    from: q.selectFrom(recordsOf(value('counts'), 'given')).where(sql<SqlBool>`true`),
    values: {
      parent_type: sql<string>`'user'`,
      parent_id: numberIn('given', 'userId'),
      kind: value('kind'),
      app_id: sql<number>`0`,
      live: numberIn('given', 'by'),
    },
  }),
);
