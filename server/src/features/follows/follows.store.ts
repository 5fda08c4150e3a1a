import { sql } from 'kysely';
import { userColumns } from '../../access/user/user.sql.ts';
import { cachedByShape, command, query } from '../../db/statement.ts';
import { isKnown, type UserVisibility } from '../users/users.sql.ts';

type Follow = { userId: number; followedId: number };

/** Makes a user follow another; changes no row where they do already. */
export const insertFollow = command<Follow>()((q, value) =>
  q
    .insertInto('follows')
    .values({ user_id: value('userId'), followed_id: value('followedId') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Ends that a user follows another. */
export const deleteFollow = command<Follow>()((q, value) =>
  q
    .deleteFrom('follows')
    .where('user_id', '=', value('userId'))
    .where('followed_id', '=', value('followedId')),
);

/** A user whom a viewer may know, by id or by uid, and whether the viewer follows them (0 or 1). */
export const knownUser = cachedByShape((shape: { visibility: UserVisibility; by: 'id' | 'uid' }) =>
  query<{ userId: number; directoryId: number; id: number; uid: string }>()((q, value) =>
    q
      .selectFrom('users')
      .select(userColumns)
      .select(
        sql<number>`case when exists (select 1 from follows where follows.user_id = ${value('userId')}
          and follows.followed_id = users.id) then 1 else 0 end`.as('isFollowed'),
      )
      .$if(shape.by === 'id', (part) => part.where('users.id', '=', value('id')))
      .$if(shape.by === 'uid', (part) => part.where('users.uid', '=', value('uid')))
      .where(isKnown(shape.visibility, { userId: value('userId'), directoryId: value('directoryId') })),
  ),
);
