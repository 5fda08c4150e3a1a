import { sql } from 'kysely';
import { numbersOf } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

/** What some posts show besides the fields of every entry, in one statement. */
export const postFacts = query<{ ids: readonly number[]; userId: number }>()((q, value) =>
  q.selectFrom(numbersOf(value('ids'), 'given')).select([
    sql<number>`given.value`.as('id'),
    sql<number>`coalesce((select live from tallies where parent_type = 'post' and parent_id = given.value
        and kind = 'comment'), 0)`.as('commentCount'),
    sql<number>`exists (select 1 from subscriptions where entity_type = 'post' and entity_id = given.value
        and subscriptions.user_id = ${value('userId')})`.as('isSubscribed'),
  ]),
);

/** Subscribes a user to a post; changes no row when they are subscribed already. */
export const subscribeToPost = command<{ userId: number; id: number }>()((q, value) =>
  q
    .insertInto('subscriptions')
    .values({ user_id: value('userId'), entity_type: 'post', entity_id: value('id') })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Ends the subscription of a user; changes no row when there is none. */
export const unsubscribeFromPost = command<{ userId: number; id: number }>()((q, value) =>
  q
    .deleteFrom('subscriptions')
    .where('entity_type', '=', 'post')
    .where('entity_id', '=', value('id'))
    .where('user_id', '=', value('userId')),
);
