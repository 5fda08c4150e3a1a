import { sql } from 'kysely';
import { numbersOf } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/** The fields of some posts besides those of every entry, in one statement. */
export const postFacts = query<{ ids: readonly number[]; userId: number }>()((q, value) =>
  q.selectFrom(numbersOf(value('ids'), 'given')).select([
    sql<number>`given.value`.as('id'),
    sql<number>`coalesce((select live from tallies where parent_type = 'post' and parent_id = given.value
        and kind = 'comment'), 0)`.as('commentCount'),
    sql<number>`exists (select 1 from subscriptions where entity_type = 'post' and entity_id = given.value
        and subscriptions.user_id = ${value('userId')})`.as('isSubscribed'),
  ]),
);
