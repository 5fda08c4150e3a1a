import { sql } from 'kysely';
import { command, query } from '../../db/statement.ts';

/** How many items of a user were approved in an app. */
export const approvedCount = query<{ appId: number; userId: number }>()((q, value) =>
  q
    .selectFrom('approved_counts')
    .select('count')
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId')),
);

/** Counts one more approved item. */
export const addApproved = command<{ appId: number; userId: number }>()((q, value) =>
  q
    .insertInto('approved_counts')
    .values({ app_id: value('appId'), user_id: value('userId'), count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'user_id']).doUpdateSet({ count: sql`approved_counts.count + 1` }),
    ),
);
