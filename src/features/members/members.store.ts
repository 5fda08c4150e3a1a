import { sql } from 'kysely';
import { amongFirst, anyOf, numberIn, numbersOf, recordsOf, rowCount, textIn } from '../../db/dialect.ts';
import { isFound } from '../../db/filters.ts';
import { type Bind, type Builder, command, query, shaped } from '../../db/statement.ts';
import { hasTag, isSeen, type Sight, wordsFor } from '../users/users.sql.ts';

/** A member of an app, with the columns that clients see. */
export type MemberRow = {
  readonly id: number;
  readonly uid: string;
  readonly access: string;
  readonly displayName: string;
  readonly pictureUrl: string | null;
  readonly isBot: number;
  readonly isActive: number;
  readonly markedId: number | null;
  readonly markedAt: number | null;
  readonly deliveredAt: number | null;
};

const memberColumns = [
  'users.id',
  'users.uid',
  'members.access',
  'users.display_name as displayName',
  'users.picture_url as pictureUrl',
  'users.is_bot as isBot',
  'users.is_active as isActive',
  'members.marked_id as markedId',
  'members.marked_at as markedAt',
  'members.delivered_at as deliveredAt',
] as const;

/**
 * The first members of each of some apps, at most `top` each, in one statement. Each app's members are read along the
 * key until there are enough, so a large app costs as much as a small one. That needs the ids of the apps in a table of
 * their own: given a condition on a column instead, both engines read every member of every app.
 */
export const firstMembersOf = query<{ appIds: readonly number[]; top: number }>()((q, value) =>
  q
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(memberColumns)
    .select('members.app_id as appId')
    .innerJoin(numbersOf(value('appIds'), 'asked'), (join) =>
      join.on(sql<boolean>`members.app_id = asked.value`).on(
        amongFirst(
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
export const usersForMembership = shaped((sight: Sight) =>
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
        'members.marked_id as markedId',
        'members.marked_at as markedAt',
        'members.delivered_at as deliveredAt',
        sql<number>`case when ${isSeen(sight, { userId: value('userId'), directoryId: value('directoryId') })} then 1 else 0 end`.as(
          'isSeen',
        ),
      ])
      .where((where) =>
        where.or([
          anyOf(sql.ref('users.id'), value('ids')) as never,
          anyOf(sql.ref('users.uid'), value('uids')) as never,
        ]),
      ),
  ),
);

/**
 * Adds or changes many members at once: `members` is a JSON array of objects with `userId` and `access`. Two lists
 * joined by position would be slow, because SQLite would read the second once for each item of the first.
 */
export const upsertMembers = command<{
  appId: number;
  members: string;
  role: 'manager' | 'member';
  at: number;
}>()((q, value) =>
  q
    .insertInto('members')
    .columns(['app_id', 'user_id', 'access', 'role', 'created_at'])
    .expression(
      q
        .selectFrom(recordsOf(value('members'), 'given'))
        .select([
          sql<number>`${value('appId')}`.as('app_id'),
          numberIn('given', 'userId').as('user_id'),
          textIn('given', 'access').as('access'),
          sql<string>`${value('role')}`.as('role'),
          sql<number>`${value('at')}`.as('created_at'),
        ])
        // Without a condition here, SQLite takes `on conflict` for the condition of a join.
        .where(sql.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'user_id']).doUpdateSet({ access: sql`excluded.access` }),
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

/** The parts of a request that change the text of a member list statement. */
export type MemberListShape = {
  readonly order: 'id' | 'uid' | 'name' | 'display_name' | 'access' | 'created_at';
  readonly descending: boolean;
  readonly suspended: boolean | null;
  readonly trashed: boolean | null;
  readonly hasQuestion: boolean;
  readonly hasTag: boolean;
  /** How far the caller sees. */
  readonly sight: Sight;
};

/** The parameters of every member list; those a shape does not use are ignored. */
export type MemberListParameters = {
  appId: number;
  userId: number;
  question: string;
  tag: string;
  top: number;
  skip: number;
};

function filtered(q: Builder, value: Bind<MemberListParameters>, shape: MemberListShape) {
  return q
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.app_id', '=', value('appId'))
    .$if(shape.suspended === false, (part) => part.where('users.suspended_at', 'is', null))
    .$if(shape.suspended === true, (part) => part.where('users.suspended_at', 'is not', null))
    .$if(shape.trashed === false, (part) => part.where('users.trashed_at', 'is', null))
    .$if(shape.trashed === true, (part) => part.where('users.trashed_at', 'is not', null))
    .$if(shape.hasTag, (part) =>
      part.where(hasTag(shape.sight, value('userId'), { tag: value('tag'), isAlone: !shape.hasQuestion })),
    )
    .$if(shape.hasQuestion, (part) =>
      part.where(isFound(sql.ref('users.id'), wordsFor(shape.sight), value('question'))),
    );
}

/** The column of each order. Names are ordered by their keys; the empty key of a missing name comes first. */
const orderColumns = {
  id: 'members.user_id',
  uid: 'users.uid',
  name: 'users.name_key',
  display_name: 'users.display_name_key',
  access: 'members.access',
  created_at: 'members.created_at',
} as const satisfies { [O in MemberListShape['order']]: string };

/** A page of members. */
export const listMembers = shaped((key: string) => {
  const shape = JSON.parse(key) as MemberListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  return query<MemberListParameters>()((q, value) =>
    filtered(q, value, shape)
      .select(memberColumns)
      .orderBy(orderColumns[shape.order], direction)
      .$if(shape.order !== 'id', (part) => part.orderBy('members.user_id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});

/** How many members a filtered list has. */
export const countMembers = shaped((key: string) => {
  const shape = JSON.parse(key) as MemberListShape;
  return query<MemberListParameters>()((q, value) =>
    filtered(q, value, shape).select((part) => part.fn.countAll<number>().as('count')),
  );
});
