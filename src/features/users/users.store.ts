import { sql } from 'kysely';
import { anyOf, atLeast, lastCharacters, nullsLowest, rowCount, textsOf } from '../../db/dialect.ts';
import { isFound } from '../../db/filters.ts';
import { type Bind, type Builder, command, query, shaped } from '../../db/statement.ts';
import { userColumns } from '../access/user.sql.ts';
import { hasTag, type Sight, sharesApp, systemUserId, wordsFor } from './users.sql.ts';

/** Some users by id. */
export const usersByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('users')
    .select(userColumns)
    .where(anyOf(sql.ref('users.id'), value('ids'))),
);

/** The columns of a user that change, in the names features use. */
export type UserValues = {
  uid: string;
  displayName: string;
  displayNameKey: string;
  email: string | null;
  givenName: string | null;
  middleName: string | null;
  familyName: string | null;
  name: string | null;
  nameKey: string;
  nickname: string | null;
  phoneNumber: string | null;
  comment: string | null;
  directoryId: number | null;
  pictureId: number | null;
  pictureUrl: string | null;
  metadata: string | null;
  tags: string;
  isBot: number;
  suspendedAt: number | null;
};

function columns(value: Bind<UserValues>) {
  return {
    uid: value('uid'),
    display_name: value('displayName'),
    display_name_key: value('displayNameKey'),
    email: value('email'),
    given_name: value('givenName'),
    middle_name: value('middleName'),
    family_name: value('familyName'),
    name: value('name'),
    name_key: value('nameKey'),
    nickname: value('nickname'),
    phone_number: value('phoneNumber'),
    comment: value('comment'),
    directory_id: value('directoryId'),
    picture_id: value('pictureId'),
    picture_url: value('pictureUrl'),
    metadata: value('metadata'),
    tags: value('tags'),
    is_bot: value('isBot'),
    suspended_at: value('suspendedAt'),
  };
}

/** Inserts a user unless the uid is taken: no row comes back then. */
export const insertUser = command<UserValues & { at: number }>()((q, value) =>
  q
    .insertInto('users')
    .values({ ...columns(value as Bind<UserValues>), created_at: value('at') })
    .onConflict((conflict) => conflict.column('uid').doNothing())
    .returning('id'),
);

/** Rewrites what can change of a user; the unique uid makes it fail when another has it. */
export const updateUser = command<UserValues & { id: number; at: number }>()((q, value) =>
  q
    .updateTable('users')
    .set({ ...columns(value as Bind<UserValues>), modified_at: value('at') })
    .where('id', '=', value('id')),
);

/** Puts a user in the trash, or restores them with null. */
export const setUserTrashed = command<{ id: number; trashedAt: number | null }>()((q, value) =>
  q
    .updateTable('users')
    .set({ trashed_at: value('trashedAt') })
    .where('id', '=', value('id')),
);

/** Revokes every access token of a user. */
export const deleteTokens = command<{ userId: number }>()((q, value) =>
  q.deleteFrom('access_tokens').where('user_id', '=', value('userId')),
);

/** Deletes the tags of a user. */
export const deleteUserTags = command<{ id: number }>()((q, value) =>
  q.deleteFrom('user_tags').where('user_id', '=', value('id')),
);

/** Adds the tags of a user. */
export const insertUserTags = command<{ id: number; tags: readonly string[] }>()((q, value) =>
  q
    .insertInto('user_tags')
    .columns(['user_id', 'tag'])
    .expression(
      q
        .selectFrom(textsOf(value('tags'), 'given'))
        .select([sql<number>`${value('id')}`.as('user_id'), sql<string>`given.value`.as('tag')]),
    ),
);

/**
 * Adds `by` to the number of members of every app the user belongs to. A row of counts may be missing where the user
 * was never counted, so it is inserted; it cannot begin below zero.
 */
export const changeMemberCounts = command<{ userId: number; by: number }>()((q, value) =>
  q
    .insertInto('tallies')
    .columns(['parent_type', 'parent_id', 'kind', 'app_id', 'live', 'trashed', 'is_hidden'])
    .expression(
      q
        .selectFrom('members')
        .select([
          sql<string>`'app'`.as('parent_type'),
          'app_id as parent_id',
          sql<string>`'member'`.as('kind'),
          'app_id',
          atLeast(value('by'), 0).as('live'),
          sql<number>`0`.as('trashed'),
          sql<number>`0`.as('is_hidden'),
        ])
        .where('user_id', '=', value('userId')),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['parent_type', 'parent_id', 'kind'])
        .doUpdateSet({ live: sql`tallies.live + ${value('by')}` }),
    ),
);

/** What decides the text of a list statement; every part has few values. */
export type UserListShape = {
  readonly order: 'id' | 'uid' | 'name' | 'display_name' | 'email' | 'created_at' | 'modified_at';
  readonly descending: boolean;
  readonly suspended: boolean | null;
  readonly trashed: boolean | null;
  readonly hasQuestion: boolean;
  readonly hasTag: boolean;
  /** The users of every directory, of one, or without one. */
  readonly directories: 'every' | 'one' | 'none';
  /** How far the caller sees. */
  readonly sight: Sight;
};

/** The parameters of a list statement; those that its shape does not use may hold anything. */
export type UserListParameters = {
  userId: number;
  directoryId: number;
  question: string;
  tag: string;
  top: number;
  skip: number;
};

function filtered(q: Builder, value: Bind<UserListParameters>, shape: UserListShape) {
  return q
    .selectFrom('users')
    .where('users.id', '<>', systemUserId)
    .$if(shape.directories === 'one', (part) => part.where('users.directory_id', '=', value('directoryId')))
    .$if(shape.directories === 'none', (part) => part.where('users.directory_id', 'is', null))
    .$if(shape.suspended === false, (part) => part.where('users.suspended_at', 'is', null))
    .$if(shape.suspended === true, (part) => part.where('users.suspended_at', 'is not', null))
    .$if(shape.trashed === false, (part) => part.where('users.trashed_at', 'is', null))
    .$if(shape.trashed === true, (part) => part.where('users.trashed_at', 'is not', null))
    .$if(shape.sight === 'shared', (part) => part.where(sharesApp({ userId: value('userId') })))
    .$if(shape.hasTag, (part) =>
      part.where(hasTag(shape.sight, value('userId'), { tag: value('tag'), isAlone: !shape.hasQuestion })),
    )
    .$if(shape.hasQuestion, (part) =>
      part.where(isFound(sql.ref('users.id'), wordsFor(shape.sight), value('question'))),
    );
}

const nullableOrders: ReadonlySet<UserListShape['order']> = new Set(['email', 'modified_at']);

/** By what users are ordered: names by their keys, of which an empty one, for no name, is the lowest. */
function columnOf({ order }: UserListShape) {
  return order === 'name' || order === 'display_name'
    ? (`users.${order}_key` as const)
    : (`users.${order}` as const);
}

/** The statement of one page, by the JSON text of a `UserListShape`. */
export const listUsers = shaped((key: string) => {
  const shape = JSON.parse(key) as UserListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  return query<UserListParameters>()((q, value) =>
    filtered(q, value, shape)
      .select(userColumns)
      .orderBy(columnOf(shape), nullableOrders.has(shape.order) ? nullsLowest(direction) : direction)
      .$if(shape.order !== 'id', (part) => part.orderBy('users.id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});

/** The statement that counts what `listUsers` lists. */
export const countUsers = shaped((key: string) => {
  const shape = JSON.parse(key) as UserListShape;
  return query<UserListParameters>()((q, value) =>
    filtered(q, value, shape).select((part) => part.fn.countAll<number>().as('count')),
  );
});

/**
 * Puts the addresses of pictures that are blobs beneath another public address. `base` is what they begin with then,
 * `tail` the number of characters that stay.
 */
export const readdressPictures = command<{ publicUrl: string; base: string; tail: number }>()((q, value) =>
  q
    .updateTable('users')
    .set({
      picture_url: sql`${value('publicUrl')} || ${lastCharacters(sql.ref('picture_url'), value('tail'))}`,
    })
    .where('picture_id', 'is not', null)
    .where(sql<boolean>`substr(picture_url, 1, length(${value('base')})) <> ${value('base')}`),
);
