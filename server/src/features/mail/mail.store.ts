import { sql } from 'kysely';
import { moderatesApp, moderatesByRole } from '../../access/access.sql.ts';
import { notificationColumns, notifications } from '../../access/notification/notification.sql.ts';
import { heldAtOfReport, reportsInApps } from '../../access/report/report.sql.ts';
import { userColumns } from '../../access/user/user.sql.ts';
import { anyOf, numberIn, recordsOf, rowCount } from '../../db/dialect.ts';
import { command, insertSelected, query } from '../../db/statement.ts';

/** The id of the last notification that the mailer has looked at. */
export const storedPosition = query()((q) =>
  q.selectFrom('event_cursors').select('event_id as id').where('reader', '=', 'mailer'),
);

/** Moves the position of the mailer. It never goes back. */
export const movePosition = command<{ id: number }>()((q, value) =>
  q
    .updateTable('event_cursors')
    .set({ event_id: value('id') })
    .where('reader', '=', 'mailer')
    .where('event_id', '<', value('id')),
);

/** The id of the newest notification. */
export const newestNotification = query()((q) =>
  q.selectFrom('notifications').select((part) => part.fn.max('id').as('id')),
);

/** The unread notifications between two ids, `upto` included, of users who have an address and may act. */
export const notificationsBetween = query<{ after: number; upto: number; from: number }>()((q, value) =>
  q
    .selectFrom('notifications')
    .innerJoin('users', 'users.id', 'notifications.user_id')
    .innerJoin('apps', 'apps.id', 'notifications.app_id')
    .select([
      'notifications.id',
      'notifications.user_id as userId',
      'notifications.reason',
      'notifications.created_at as createdAt',
      'apps.type as appType',
    ])
    .where('notifications.id', '>', value('after'))
    .where('notifications.id', '<=', value('upto'))
    .where('notifications.created_at', '>=', value('from'))
    .where('notifications.read_at', 'is', null)
    .where('users.email', 'is not', null)
    // Nobody has shown that the address of a guest is theirs.
    .where((where) => where.or([where('users.way', 'is', null), where('users.way', '<>', 'guest')]))
    .where('users.is_bot', '=', 0)
    .where('users.suspended_at', 'is', null)
    .where('users.trashed_at', 'is', null)
    .orderBy('notifications.id'),
);

const stateColumns = [
  'mail_states.user_id as userId',
  'mail_states.choice',
  'mail_states.new_comments as newComments',
  'mail_states.due_at as dueAt',
  'mail_states.upto',
  'mail_states.sent_at as sentAt',
  'mail_states.tries',
  'mail_states.refusals',
  'mail_states.refused_address as refusedAddress',
] as const;

/** The states of some users. */
export const statesOf = query<{ userIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('mail_states')
    .select(stateColumns)
    .where(anyOf(sql.ref('user_id'), value('userIds'))),
);

/** Sets when the next messages to some users are due; `dues` is a JSON array of `{userId, dueAt}`. */
export const setDue = command<{ dues: string }>()((q, value) =>
  insertSelected(q, 'mail_states', {
    from: q.selectFrom(recordsOf(value('dues'), 'given')).where(sql<boolean>`true`),
    values: { user_id: numberIn('given', 'userId'), due_at: numberIn('given', 'dueAt') },
  }).onConflict((conflict) =>
    conflict.column('user_id').doUpdateSet({ due_at: sql<number | null>`excluded.due_at` }),
  ),
);

/** The states whose messages are due, the longest due first. */
export const dueStates = query<{ now: number; top: number }>()((q, value) =>
  q
    .selectFrom('mail_states')
    .select(stateColumns)
    .where('due_at', '<=', value('now'))
    .orderBy('due_at')
    .limit(rowCount(value('top'))),
);

/** When the next message is due. */
export const nextDue = query()((q) =>
  q
    .selectFrom('mail_states')
    .select('due_at as dueAt')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(sql.lit(1)),
);

/** The user of a message. */
export const mailUser = query<{ id: number }>()((q, value) =>
  q.selectFrom('users').select(userColumns).where('id', '=', value('id')),
);

/** The newest unread notifications of a user after one. */
export const unreadAfter = query<{ userId: number; after: number; top: number }>()((q, value) =>
  notifications(q)
    .innerJoin('apps', 'apps.id', 'notifications.app_id')
    .select(notificationColumns)
    .select(['notifications.reason', 'apps.type as appType', 'apps.uid as appUid'])
    .where('notifications.user_id', '=', value('userId'))
    .where('notifications.read_at', 'is', null)
    .where('notifications.id', '>', value('after'))
    .orderBy('notifications.id', 'desc')
    .limit(rowCount(value('top'))),
);

/**
 * Records that a message is sent, which covers the notifications up to `upto` and ends a row of refusals; changes no row when another process did
 * so, or when something else became due since.
 */
export const setSent = command<{ userId: number; before: number; dueAt: number; upto: number; at: number }>()(
  (q, value) =>
    q
      .updateTable('mail_states')
      .set({
        upto: value('upto'),
        sent_at: value('at'),
        due_at: null,
        tries: 0,
        refusals: 0,
        refused_address: null,
      })
      .where('user_id', '=', value('userId'))
      .where('upto', '=', value('before'))
      .where('due_at', '=', value('dueAt')),
);

/**
 * Records that nothing is to be sent now: the notifications up to `upto` are done with, and what is left is due at `next`, or
 * never when that is null.
 */
export const setNextDue = command<{
  userId: number;
  before: number;
  dueAt: number;
  upto: number;
  next: number | null;
}>()((q, value) =>
  q
    .updateTable('mail_states')
    .set({ upto: value('upto'), due_at: value('next'), tries: 0 })
    .where('user_id', '=', value('userId'))
    .where('upto', '=', value('before'))
    .where('due_at', '=', value('dueAt')),
);

/** Records that the server did not take a message: it is due again at `dueAt`, or never when that is null. */
export const setFailed = command<{
  userId: number;
  upto: number;
  sentAt: number | null;
  dueAt: number | null;
  tries: number;
  refusals: number;
  refusedAddress: string | null;
}>()((q, value) =>
  q
    .updateTable('mail_states')
    .set({
      upto: value('upto'),
      sent_at: value('sentAt'),
      due_at: value('dueAt'),
      tries: value('tries'),
      refusals: value('refusals'),
      refused_address: value('refusedAddress'),
    })
    .where('user_id', '=', value('userId')),
);

/** Sets what a user wants to be sent. `isNone` is 1 when that is nothing. */
export const setChoice = command<{ userId: number; choice: string; newComments: number; isNone: number }>()(
  (q, value) =>
    q
      .insertInto('mail_states')
      .values({ user_id: value('userId'), choice: value('choice'), new_comments: value('newComments') })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({
          choice: sql`excluded.choice`,
          new_comments: sql`excluded.new_comments`,
          due_at: sql<number | null>`case when ${value('isNone')} = 1 then null else mail_states.due_at end`,
        }),
      ),
);

/** What waits longest in an app, without what one user wrote. */
export const waitingIn = query<{ appId: number; userId: number; top: number }>()((q, value) =>
  reportsInApps(q)
    .innerJoin('users', 'users.id', 'reports.author_id')
    .select([
      'reports.id',
      'reports.entity_type as type',
      'reports.entity_id as entityId',
      'reports.snapshot',
      'apps.type as appType',
      'apps.uid as appUid',
      'apps.name as appName',
      'users.name as authorName',
      'users.uid as authorUid',
    ])
    .select(heldAtOfReport.as('heldAt'))
    .where('reports.app_id', '=', value('appId'))
    .where('reports.held', 'is not', null)
    .where('reports.author_id', '<>', value('userId'))
    .orderBy('reports.reported_at')
    .orderBy('reports.id')
    .limit(rowCount(value('top'))),
);

/** Those of some apps that a user moderates, if they may read them. */
export const moderatedOf = query<{ userId: number; appIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('apps')
    .select('apps.id')
    .where(anyOf(sql.ref('apps.id'), value('appIds')))
    .where(moderatesApp(sql.ref('apps.id'), sql`${value('userId')}`)),
);

/** A row if a user moderates anything: an app, a directory or everything. */
export const moderatesAny = query<{ userId: number }>()((q, value) =>
  q
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', value('userId'))
    .where((where) =>
      where.or([
        where('users.role', '=', 'moderator'),
        where.exists(
          where
            .selectFrom('members')
            .select('members.app_id')
            .where('members.user_id', '=', value('userId'))
            .where(moderatesByRole),
        ),
      ]),
    ),
);

/** Some comments that are not in the trash, each with its author and its app. */
export const commentsOf = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('entries')
    .innerJoin('users', 'users.id', 'entries.created_by_id')
    .innerJoin('apps', 'apps.id', 'entries.app_id')
    .select([
      'entries.id',
      'entries.content',
      'entries.parent_type as parentType',
      'users.name as authorName',
      'users.uid as authorUid',
      'apps.type as appType',
      'apps.uid as appUid',
      'apps.name as appName',
    ])
    .where(anyOf(sql.ref('entries.id'), value('ids')))
    .where('entries.kind', '=', 'comment')
    .where('entries.trashed_at', 'is', null),
);
