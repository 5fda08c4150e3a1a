import { sql } from 'kysely';
import { userColumns } from '../../access/user/user.sql.ts';
import { matchesSearch } from '../../db/filters.ts';
import { list } from '../../db/list.ts';
import { isVisible, searchIndexFor, userVisibilities } from '../users/users.sql.ts';
import { membershipColumns } from './members.sql.ts';

type PeopleParameters = { appId: number; userId: number; directoryId: number; question: readonly string[] };

/** The users whom a caller sees and the members of an app, each with their membership, or those who have none. */
export const peopleList = list<PeopleParameters>()({
  name: 'people',
  filters: {
    member: [null, false, true],
    agent: [null, false, true],
    isOfOthers: [false, true],
    hasQuestion: [false, true],
    visibility: userVisibilities,
  },
  rows: (q, value, { member, agent, isOfOthers, hasQuestion, visibility }) => {
    const viewer = { userId: value('userId'), directoryId: value('directoryId') };
    const isSeen = isVisible(visibility, viewer);
    return q
      .selectFrom('users')
      .leftJoin('members', (join) =>
        join.onRef('members.user_id', '=', 'users.id').on('members.app_id', '=', value('appId')),
      )
      .select(userColumns)
      .select(membershipColumns)
      .where('users.suspended_at', 'is', null)
      .where('users.trashed_at', 'is', null)
      .where('users.way', 'is', null)
      .$if(member === null, (part) =>
        part.where((where) => where.or([where('members.user_id', 'is not', null), isSeen])),
      )
      .$if(member === false, (part) => part.where('members.user_id', 'is', null).where(isSeen))
      .$if(member === true, (part) => part.where('members.user_id', 'is not', null))
      .$if(agent !== null, (part) => part.where('users.is_bot', '=', sql.lit(agent === true ? 1 : 0)))
      .$if(isOfOthers, (part) => part.where('users.id', '<>', value('userId')))
      .$if(hasQuestion, (part) =>
        part.where(matchesSearch(sql.ref('users.id'), searchIndexFor(visibility), value('question'))),
      );
  },
  orders: {
    id: [],
    uid: [{ by: sql`users.uid`, isText: true }],
    name: [{ by: sql`users.name_key`, isText: true }],
    display_name: [{ by: sql`users.display_name_key`, isText: true }],
  },
  id: sql`users.id`,
});
