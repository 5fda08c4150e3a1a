import { sql } from 'kysely';
import { appsFor } from '../../access/access.sql.ts';
import { anyOf, unindexed } from '../../db/dialect.ts';
import { matchesAtMost, matchesSearch, matchesTag } from '../../db/filters.ts';
import { list } from '../../db/list.ts';
import { type Bind, cachedByShape, command, insertRow, query } from '../../db/statement.ts';
import { searchWordsMax } from '../../kernel/search.ts';
import { isVisible, type UserVisibility } from '../users/users.sql.ts';

/** The state of conversations for one user: how far the user has read, and who the other user of a private chat is. */
export const statesOf = query<{ userId: number; ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('apps')
    .leftJoin('members', (join) =>
      join.onRef('members.app_id', '=', 'apps.id').on('members.user_id', '=', value('userId')),
    )
    .leftJoin('entries', 'entries.id', 'apps.last_message_id')
    .leftJoin('private_chats', (join) =>
      join
        .onRef('private_chats.app_id', '=', 'apps.id')
        .on((on) =>
          on.or([
            on('private_chats.first_id', '=', value('userId')),
            on('private_chats.second_id', '=', value('userId')),
          ]),
        ),
    )
    .leftJoin('users as other', (join) =>
      join.on(
        sql<boolean>`other.id = case when private_chats.first_id = ${value('userId')}
          then private_chats.second_id else private_chats.first_id end`,
      ),
    )
    .select([
      'apps.id',
      'apps.last_message_id as lastMessageId',
      'entries.created_at as lastMessageAt',
      'members.marked_id as markedId',
      'members.delivered_at as deliveredAt',
      'members.pinned_at as pinnedAt',
      'members.wrote_id as wroteId',
      'other.display_name as otherName',
      'other.picture_url as otherPictureUrl',
    ])
    .where(anyOf(sql.ref('apps.id'), value('ids'))),
);

/** Whether an entry is a message of an app, in the trash or not. */
export const messageInApp = query<{ appId: number; id: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select('id')
    .where('id', '=', value('id'))
    .where('kind', '=', 'message')
    .where('app_id', '=', value('appId')),
);

/**
 * The users with some ids and uids whom the caller can invite: visible to the caller, not suspended and not in the
 * trash.
 */
export const invitableUsers = cachedByShape((visibility: UserVisibility) =>
  query<{
    userId: number;
    directoryId: number;
    ids: readonly number[];
    uids: readonly string[];
  }>()((q, value) =>
    q
      .selectFrom('users')
      .select(['id', 'uid'])
      .where((where) =>
        where.or([anyOf(sql.ref('users.id'), value('ids')), anyOf(sql.ref('users.uid'), value('uids'))]),
      )
      .where(isVisible(visibility, { userId: value('userId'), directoryId: value('directoryId') }))
      .where('suspended_at', 'is', null)
      .where('trashed_at', 'is', null),
  ),
);

/** The agent with an id or a uid with whom the caller can talk: visible to them, not suspended and not in the trash. */
export const invitableAgents = cachedByShape((visibility: UserVisibility) =>
  query<{ userId: number; directoryId: number; id: number; uid: string }>()((q, value) =>
    q
      .selectFrom('users')
      .select('id')
      .where((where) =>
        where.or([where('users.id', '=', value('id')), where('users.uid', '=', value('uid'))]),
      )
      .where(isVisible(visibility, { userId: value('userId'), directoryId: value('directoryId') }))
      .where('is_bot', '=', 1)
      .where('suspended_at', 'is', null)
      .where('trashed_at', 'is', null),
  ),
);

/** A user who can write in an app, as a member of it. */
export const writingMember = query<{ appId: number; userId: number }>()((q, value) =>
  q
    .selectFrom('members')
    .select('user_id as userId')
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where('access', '=', 'write'),
);

/** The private chat of two users, the lower id first. */
export const privateChatOf = query<{ firstId: number; secondId: number }>()((q, value) =>
  q
    .selectFrom('private_chats')
    .select('app_id as appId')
    .where('first_id', '=', value('firstId'))
    .where('second_id', '=', value('secondId')),
);

/** Makes an app the private chat of two users; the primary key makes it fail when they have one. */
export const insertPrivateChat = insertRow('private_chats', ['first_id', 'second_id', 'app_id']);

type Member = { appId: number; userId: number };

/** Moves a mark forward; changes no row when the mark is already there or later. */
export const moveMark = command<Member & { id: number; at: number }>()((q, value) =>
  q
    .updateTable('members')
    .set({ marked_id: value('id'), marked_at: value('at') })
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where(sql<number>`coalesce(marked_id, 0)`, '<', value('id')),
);

/** Removes a mark, so that everything is unread; changes no row when there is none. */
export const clearMark = command<Member>()((q, value) =>
  q
    .updateTable('members')
    .set({ marked_id: null, marked_at: null, wrote_id: null })
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where((where) => where.or([where('marked_id', 'is not', null), where('wrote_id', 'is not', null)])),
);

/** Sets when messages were delivered to a member; changes no row when the stored time is as late or later. */
export const setDelivered = command<Member & { at: number }>()((q, value) =>
  q
    .updateTable('members')
    .set({ delivered_at: value('at') })
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where(sql<number>`coalesce(delivered_at, 0)`, '<', value('at')),
);

/** Pins a conversation for a member; changes no row when it is pinned. */
export const pin = command<Member & { at: number }>()((q, value) =>
  q
    .updateTable('members')
    .set({ pinned_at: value('at') })
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where('pinned_at', 'is', null),
);

/** Unpins a conversation for a member; changes no row when it is not pinned. */
export const unpin = command<Member>()((q, value) =>
  q
    .updateTable('members')
    .set({ pinned_at: null })
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where('pinned_at', 'is not', null),
);

const isUnread = sql<boolean>`(apps.last_message_id > coalesce(members.marked_id, 0)
  and apps.last_message_id > coalesce(members.wrote_id, 0))`;

/** How many conversations of each type a user has not read, in one pass over the user's memberships. */
export const countUnread = query<{ userId: number; types: readonly string[] }>()((q, value) =>
  q
    .selectFrom('members')
    .innerJoin('apps', 'apps.id', 'members.app_id')
    .select(['apps.type', (part) => part.fn.countAll<number>().as('count')])
    .where('members.user_id', '=', value('userId'))
    .where('members.access', '<>', 'none')
    .where('apps.trashed_at', 'is', null)
    .where(anyOf(sql.ref('apps.type'), value('types')))
    .where(isUnread)
    .groupBy('apps.type'),
);

/** The parameters of every list; those that a setting does not use may hold anything. The terms are `question0` and so on. */
export type ConversationListParameters = {
  userId: number;
  types: readonly string[];
  tag: string;
  memberId: number;
  memberUid: string;
  [question: `question${number}`]: readonly string[];
};

/**
 * A term that finds at most this many users is matched through their memberships, any other through the members of the
 * conversations. A hundred rooms of 5,000 users have 500,000 members to look up, which takes 70 ms when none of them
 * matches; where more users match, a few members of such a room are enough to find one.
 */
const foundUsersMax = 500;

/**
 * True when each term is in the name of the conversation or among the names of its other members. The matches of a term
 * are found once for the statement.
 */
function isNamed(value: Bind<ConversationListParameters>, terms: number) {
  const named = Array.from({ length: terms }, (_, index) => {
    const question = value(`question${index}`);
    const isOther = sql`others.user_id <> ${value('userId')}`;
    return sql<boolean>`(${matchesSearch(sql.ref('apps.id'), 'app', question)}
      or case when ${matchesAtMost(foundUsersMax, 'public_user', question)}
        then apps.id in (select others.app_id from members as others
          where ${matchesSearch(sql.ref('others.user_id'), 'public_user', question)} and ${isOther})
        else exists (select 1 from members as others where others.app_id = apps.id and ${isOther}
          and ${matchesSearch(unindexed(sql.ref('others.user_id')), 'public_user', question)}) end)`;
  });
  return sql<boolean>`(${sql.join(named, sql` and `)})`;
}

const pinnedAt = sql`coalesce(members.pinned_at, 0)`;
const lastMessageId = sql`coalesce(apps.last_message_id, 0)`;
const createdAt = sql`apps.created_at`;

/**
 * The conversations of a user. The statement starts from the memberships, which one index contains, so the cost depends
 * only on their number.
 */
export const conversationList = list<ConversationListParameters>()({
  name: 'conversations',
  filters: {
    trashed: [false, true, null],
    unread: [null, true, false],
    hasTag: [false, true],
    hasMember: [false, true],
    // The fewest and most terms of a search.
    terms: [0, 1, searchWordsMax] as [number, ...number[]],
  },
  candidates: (q, value, { trashed, unread, hasTag, hasMember, terms }) =>
    q
      .selectFrom('members')
      .innerJoin('apps', 'apps.id', 'members.app_id')
      .where('members.user_id', '=', value('userId'))
      .where('members.access', '<>', 'none')
      .where('apps.deleted_at', 'is', null)
      .where(anyOf(sql.ref('apps.type'), value('types')))
      .$if(trashed === false, (part) => part.where('apps.trashed_at', 'is', null))
      .$if(trashed === true, (part) => part.where('apps.trashed_at', 'is not', null))
      .$if(unread === true, (part) => part.where(isUnread))
      .$if(unread === false, (part) => part.where(sql<boolean>`${isUnread} is not true`))
      .$if(hasTag, (part) =>
        part.where(matchesTag(sql.ref('apps.id'), 'app', { tag: value('tag'), isAlone: terms === 0 })),
      )
      .$if(hasMember, (part) =>
        part.where((where) =>
          where.exists(
            where
              .selectFrom('members as fellow')
              .innerJoin('users', 'users.id', 'fellow.user_id')
              .select('fellow.user_id')
              .whereRef('fellow.app_id', '=', 'apps.id')
              .where((which) =>
                which.or([
                  which('users.id', '=', value('memberId')),
                  which('users.uid', '=', value('memberUid')),
                ]),
              ),
          ),
        ),
      )
      .$if(terms > 0, (part) => part.where(isNamed(value, terms))),
  byIds: (q, ids, value) => appsFor(q, value).where('apps.id', 'in', ids),
  orders: {
    pinned_at: [{ by: pinnedAt }, { by: lastMessageId }, { by: createdAt }],
    last_message_id: [{ by: lastMessageId }],
    name: [{ by: sql`apps.name_key`, isText: true }],
    created_at: [{ by: createdAt }],
    id: [],
  },
  id: sql`apps.id`,
});
