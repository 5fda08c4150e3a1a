import { sql } from 'kysely';
import { mayRead } from '../../access/access.sql.ts';
import { matchesSearch, matchesTag } from '../../db/filters.ts';
import { list } from '../../db/list.ts';
import { command } from '../../db/statement.ts';

type Star = { userId: number; appId: number };

/** Stars an app for a user; changes no row when it is starred already. */
export const insertStar = command<Star>()((q, value) =>
  q
    .insertInto('stars')
    .values({ user_id: value('userId'), app_id: value('appId') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Removes a star. */
export const deleteStar = command<Star>()((q, value) =>
  q.deleteFrom('stars').where('user_id', '=', value('userId')).where('app_id', '=', value('appId')),
);

/** The apps that a user has starred and may read. */
export const starList = list<{
  userId: number;
  directoryId: number;
  question: readonly string[];
  tag: string;
}>()({
  name: 'stars',
  filters: { hasQuestion: [false, true], hasTag: [false, true] },
  rows(q, value, { hasQuestion, hasTag }) {
    const person = {
      userId: sql<number>`${value('userId')}`,
      directoryId: sql<number>`${value('directoryId')}`,
    };
    const appId = sql.ref('stars.app_id');
    return q
      .selectFrom('stars')
      .select('stars.app_id as id')
      .where('stars.user_id', '=', value('userId'))
      .where(mayRead(appId, person))
      .$if(hasTag, (part) =>
        part.where(matchesTag(appId, 'app', { tag: value('tag'), isAlone: !hasQuestion })),
      )
      .$if(hasQuestion, (part) => part.where(matchesSearch(appId, 'app', value('question'))));
  },
  orders: { id: [] },
  id: sql`stars.app_id`,
});
