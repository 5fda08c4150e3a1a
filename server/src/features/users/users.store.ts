import { sql } from 'kysely';
import { userColumns } from '../../access/user/user.sql.ts';
import { anyOf, atLeast, lastCharacters, textsOf } from '../../db/dialect.ts';
import { matchesSearch } from '../../db/filters.ts';
import { list } from '../../db/list.ts';
import { type Bind, command, insertSelected, query, updateRow } from '../../db/statement.ts';
import { addCounts } from '../../db/tallies.ts';
import { isTaggedFor, searchIndexFor, sharesApp, systemUserId, userVisibilities } from './users.sql.ts';

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
  role: string | null;
  isBot: number;
  isTrusted: number;
  suspendedAt: number | null;
  way: string | null;
  skeleton: string;
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
    role: value('role'),
    is_bot: value('isBot'),
    is_trusted: value('isTrusted'),
    suspended_at: value('suspendedAt'),
    way: value('way'),
    skeleton: value('skeleton'),
  };
}

/** Inserts a user; returns no row if the uid is taken. */
export const insertUser = command<UserValues & { at: number }>()((q, value) =>
  q
    .insertInto('users')
    .values({ ...columns(value as Bind<UserValues>), created_at: value('at') })
    .onConflict((conflict) => conflict.column('uid').doNothing())
    .returning('id'),
);

/** Writes the changeable fields of a user; the unique uid makes it fail when another user has it. */
export const updateUser = command<UserValues & { id: number; at: number }>()((q, value) =>
  q
    .updateTable('users')
    .set({ ...columns(value as Bind<UserValues>), modified_at: value('at') })
    .where('id', '=', value('id')),
);

/** Puts a user in the trash, or restores them with null. */
export const setUserTrashed = updateRow('users', ['trashed_at']);

/** Refuses tokens of an identity provider that were issued to the user earlier. */
export const setTokensFrom = updateRow('users', ['tokens_from']);

/** Revokes every access token that was issued to a user here. */
export const deleteTokens = command<{ userId: number }>()((q, value) =>
  q.deleteFrom('access_tokens').where('user_id', '=', value('userId')),
);

/** Ends everything by which a visitor has signed in. */
export const deleteVisitorSecrets = command<{ userId: number }>()((q, value) =>
  q.deleteFrom('visitor_secrets').where('user_id', '=', value('userId')),
);

/** Forgets by what a visitor was known again. */
export const deleteIdentities = command<{ userId: number }>()((q, value) =>
  q.deleteFrom('sign_in_identities').where('user_id', '=', value('userId')),
);

/** Forgets the network from which a visitor signed in. */
export const deleteVisitorAddress = command<{ userId: number }>()((q, value) =>
  q.deleteFrom('visitor_addresses').where('user_id', '=', value('userId')),
);

/** The networks from which some visitors last signed in, where that was after `since`. */
export const addressesOfVisitors = query<{ ids: readonly number[]; since: number }>()((q, value) =>
  q
    .selectFrom('visitor_addresses')
    .select(['user_id as userId', 'address', 'used_at as usedAt'])
    .where(anyOf(sql.ref('user_id'), value('ids')))
    .where('used_at', '>', value('since')),
);

/** How many items of some users were approved, in all apps; users without any are left out. */
export const approvedOfUsers = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('approved_counts')
    .select(['user_id as userId', sql<number>`cast(sum(count) as integer)`.as('count')])
    .where(anyOf(sql.ref('user_id'), value('ids')))
    .groupBy('user_id'),
);

/** Forgets what was sent to the mailbox of a visitor, and to those that they wanted to add. */
export const deleteSignInMails = command<{ userId: number; email: string | null }>()((q, value) =>
  q
    .deleteFrom('sign_in_requests')
    .where((where) =>
      where.or([where('email', '=', value('email')), where('user_id', '=', value('userId'))]),
    ),
);

/** The ways in which a visitor can sign in again. */
export const waysOfVisitor = query<{ userId: number }>()((q, value) =>
  q
    .selectFrom('sign_in_identities')
    .select('way')
    .distinct()
    .where('user_id', '=', value('userId'))
    .orderBy('way'),
);

/** Deletes the tags of a user. */
export const deleteUserTags = command<{ id: number }>()((q, value) =>
  q.deleteFrom('user_tags').where('user_id', '=', value('id')),
);

/** Adds the tags of a user. */
export const insertUserTags = command<{ id: number; tags: readonly string[] }>()((q, value) =>
  insertSelected(q, 'user_tags', {
    from: q.selectFrom(textsOf(value('tags'), 'given')),
    values: { user_id: value('id'), tag: sql<string>`given.value` },
  }),
);

/**
 * Adds `by` to the number of members of every app the user belongs to. A row of counts may be missing where the user
 * was never counted, so it is inserted; it cannot begin below zero.
 */
export const changeMemberCounts = command<{ userId: number; by: number }>()((q, value) =>
  addCounts(q, {
    from: q.selectFrom('members').where('user_id', '=', value('userId')),
    values: {
      parent_type: sql<string>`'app'`,
      parent_id: sql.ref('app_id'),
      kind: sql<string>`'member'`,
      app_id: sql.ref('app_id'),
      live: atLeast(value('by'), 0),
    },
    by: sql<number>`${value('by')}`,
  }),
);

// A literal form of `erasedUid`. Erased users are in the trash, so the lists that leave it out need no condition.
const isNotErased = sql<boolean>`users.uid <> 'erased ' || cast(users.id as text)`;

/** Users. Names are ordered by their keys; the empty key of a missing name comes first. */
export const userList = list<{
  userId: number;
  directoryId: number;
  way: string;
  question: readonly string[];
  tag: string;
}>()({
  name: 'users',
  filters: {
    // The users of every directory, of one, or of none.
    directories: ['every', 'one', 'none'],
    // Everybody, the users of the product, all visitors, or those of one way of signing in.
    ways: ['every', 'none', 'visitor', 'one'],
    suspended: [false, true, null],
    trashed: [false, true, null],
    hasQuestion: [false, true],
    hasTag: [false, true],
    visibility: userVisibilities,
  },
  candidates: (q, value, { directories, ways, suspended, trashed, hasQuestion, hasTag, visibility }) =>
    q
      .selectFrom('users')
      .where('users.id', '<>', systemUserId)
      .$if(trashed !== false, (part) => part.where(isNotErased))
      .$if(directories === 'one', (part) => part.where('users.directory_id', '=', value('directoryId')))
      .$if(directories === 'none', (part) => part.where('users.directory_id', 'is', null))
      .$if(ways === 'none', (part) => part.where('users.way', 'is', null))
      .$if(ways === 'visitor', (part) => part.where('users.way', 'is not', null))
      .$if(ways === 'one', (part) => part.where('users.way', '=', value('way')))
      .$if(suspended === false, (part) => part.where('users.suspended_at', 'is', null))
      .$if(suspended === true, (part) => part.where('users.suspended_at', 'is not', null))
      .$if(trashed === false, (part) => part.where('users.trashed_at', 'is', null))
      .$if(trashed === true, (part) => part.where('users.trashed_at', 'is not', null))
      .$if(visibility === 'shared', (part) => part.where(sharesApp({ userId: value('userId') })))
      .$if(hasTag, (part) =>
        part.where(isTaggedFor(visibility, value('userId'), { tag: value('tag'), isAlone: !hasQuestion })),
      )
      .$if(hasQuestion, (part) =>
        part.where(matchesSearch(sql.ref('users.id'), searchIndexFor(visibility), value('question'))),
      ),
  byIds: (q, ids) => q.selectFrom('users').select(userColumns).where('users.id', 'in', ids),
  orders: {
    id: [],
    uid: [{ by: sql`users.uid`, isText: true }],
    name: [{ by: sql`users.name_key`, isText: true }],
    display_name: [{ by: sql`users.display_name_key`, isText: true }],
    email: [{ by: sql`users.email`, isText: true, hasNulls: true }],
    created_at: [{ by: sql`users.created_at` }],
    modified_at: [{ by: sql`users.modified_at`, hasNulls: true }],
  },
  id: sql`users.id`,
});

/**
 * Rewrites the addresses of pictures of users or apps that are blobs for another public address. `base` is their new
 * beginning, `tail` the number of characters that stay.
 */
const readdress = (table: 'users' | 'apps') =>
  command<{ publicUrl: string; base: string; tail: number }>()((q, value) =>
    q
      .updateTable(table)
      .set({
        picture_url: sql<string>`${value('publicUrl')} || ${lastCharacters(sql.ref('picture_url'), value('tail'))}`,
      })
      .where('picture_id', 'is not', null)
      .where(sql<boolean>`substr(picture_url, 1, length(${value('base')})) <> ${value('base')}`),
  );

/** The statements that do so, for users and for apps. */
export const readdressPictures = [readdress('users'), readdress('apps')] as const;
