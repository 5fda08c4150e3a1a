import { sql } from 'kysely';
import { anyOf, inLimitedRows, numberIn, numbersOf, recordsOf, rowCount, textIn } from '../../db/dialect.ts';
import { matchesSearch } from '../../db/filters.ts';
import { list } from '../../db/list.ts';
import { cachedByShape, command, insertSelected, query, type RowOf } from '../../db/statement.ts';
import {
  isTaggedFor,
  isVisible,
  searchIndexFor,
  type UserVisibility,
  userVisibilities,
} from '../users/users.sql.ts';
import { memberRole } from './members.sql.ts';

const memberColumns = [
  'users.id',
  'users.uid',
  'members.access',
  memberRole.as('role'),
  'users.display_name as displayName',
  'users.picture_url as pictureUrl',
  'users.is_bot as isBot',
  'users.is_active as isActive',
  'members.marked_id as markedId',
  'members.marked_at as markedAt',
  'members.delivered_at as deliveredAt',
] as const;

/** A member of an app, with the columns that clients see. */
export type MemberRow = RowOf<'members' | 'users', typeof memberColumns>;

/**
 * The first members of each of some apps, at most `top` each, in one statement. Each app's members are read along the
 * key until there are enough, so a large app costs as much as a small one. That needs the ids of the apps in a separate
 * table: with a condition on a column instead, both engines read every member of every app.
 */
export const firstMembersOf = query<{ appIds: readonly number[]; top: number }>()((q, value) =>
  q
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(memberColumns)
    .select('members.app_id as appId')
    .innerJoin(numbersOf(value('appIds'), 'asked'), (join) =>
      join.on(sql<boolean>`members.app_id = asked.value`).on(
        inLimitedRows(
          sql.ref('members.user_id'),
          q
            .selectFrom('members as listed')
            .innerJoin('users as listed_user', 'listed_user.id', 'listed.user_id')
            .select('listed.user_id')
            .where(sql<boolean>`listed.app_id = asked.value`)
            .where('listed_user.suspended_at', 'is', null)
            .where('listed_user.trashed_at', 'is', null)
            .orderBy('listed.user_id')
            .limit(rowCount(value('top'))),
        ),
      ),
    )
    .orderBy(sql.ref('asked.key'))
    .orderBy(sql.ref('members.user_id')),
);

/** The users with some ids and uids, each with their membership in the app, if any, and whether the caller sees them. */
export const usersForMembership = cachedByShape((visibility: UserVisibility) =>
  query<{
    appId: number;
    userId: number;
    directoryId: number;
    ids: readonly number[];
    uids: readonly string[];
  }>()((q, value) =>
    q
      .selectFrom('users')
      .leftJoin('members', (join) =>
        join.onRef('members.user_id', '=', 'users.id').on('members.app_id', '=', value('appId')),
      )
      .select([
        'users.id',
        'users.uid',
        'users.display_name as displayName',
        'users.picture_url as pictureUrl',
        'users.is_bot as isBot',
        'users.is_active as isActive',
        'users.suspended_at as suspendedAt',
        'users.trashed_at as trashedAt',
        'members.access as memberAccess',
        memberRole.as('role'),
        'members.marked_id as markedId',
        'members.marked_at as markedAt',
        'members.delivered_at as deliveredAt',
        sql<number>`case when ${isVisible(visibility, { userId: value('userId'), directoryId: value('directoryId') })} then 1 else 0 end`.as(
          'isSeen',
        ),
      ])
      .where((where) =>
        where.or([anyOf(sql.ref('users.id'), value('ids')), anyOf(sql.ref('users.uid'), value('uids'))]),
      )
      // A membership would change nothing for a visitor.
      .where('users.way', 'is', null),
  ),
);

/**
 * Adds or changes many members at once: `members` is a JSON array of objects with `userId`, `access` and `role`. Two
 * lists joined by position would be slow, because SQLite would read the second once for each item of the first.
 */
export const upsertMembers = command<{ appId: number; members: string; at: number }>()((q, value) =>
  insertSelected(q, 'members', {
    from: q
      .selectFrom(recordsOf(value('members'), 'given'))
      // SQLite reads `on conflict` as the condition of a join otherwise.
      .where(sql.lit(true)),
    values: {
      app_id: value('appId'),
      user_id: numberIn('given', 'userId'),
      access: textIn('given', 'access'),
      role: textIn('given', 'role'),
      created_at: value('at'),
    },
  }).onConflict((conflict) =>
    conflict
      .columns(['app_id', 'user_id'])
      .doUpdateSet({ access: sql`excluded.access`, role: sql`excluded.role` }),
  ),
);

/** Removes many members at once. */
export const deleteMembers = command<{ appId: number; userIds: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('members')
    .where('app_id', '=', value('appId'))
    .where(anyOf(sql.ref('user_id'), value('userIds'))),
);

/** Removes the first members of an app, in the order of their ids. */
export const deleteFirstMembers = command<{ appId: number; top: number }>()((q, value) =>
  q
    .deleteFrom('members')
    .where('app_id', '=', value('appId'))
    .where('user_id', 'in', (sub) =>
      sub
        .selectFrom('members')
        .select('user_id')
        .where('app_id', '=', value('appId'))
        .orderBy('user_id')
        .limit(rowCount(value('top'))),
    ),
);

type MemberListParameters = { appId: number; userId: number; question: readonly string[]; tag: string };

/** The members of an app. Names are ordered by their keys; the empty key of a missing name comes first. */
export const memberList = list<MemberListParameters>()({
  name: 'members',
  filters: {
    suspended: [false, true, null],
    trashed: [false, true, null],
    hasQuestion: [false, true],
    hasTag: [false, true],
    visibility: userVisibilities,
  },
  rows: (q, value, { suspended, trashed, hasQuestion, hasTag, visibility }) =>
    q
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select(memberColumns)
      .where('members.app_id', '=', value('appId'))
      .$if(suspended === false, (part) => part.where('users.suspended_at', 'is', null))
      .$if(suspended === true, (part) => part.where('users.suspended_at', 'is not', null))
      .$if(trashed === false, (part) => part.where('users.trashed_at', 'is', null))
      .$if(trashed === true, (part) => part.where('users.trashed_at', 'is not', null))
      .$if(hasTag, (part) =>
        part.where(isTaggedFor(visibility, value('userId'), { tag: value('tag'), isAlone: !hasQuestion })),
      )
      .$if(hasQuestion, (part) =>
        part.where(matchesSearch(sql.ref('users.id'), searchIndexFor(visibility), value('question'))),
      ),
  orders: {
    id: [],
    uid: [{ by: sql`users.uid`, isText: true }],
    name: [{ by: sql`users.name_key`, isText: true }],
    display_name: [{ by: sql`users.display_name_key`, isText: true }],
    access: [{ by: sql`members.access`, isText: true }],
    created_at: [{ by: sql`members.created_at` }],
  },
  id: sql`members.user_id`,
});
