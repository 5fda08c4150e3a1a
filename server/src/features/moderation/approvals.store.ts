import { sql } from 'kysely';
import { wholeNumber } from '../../db/dialect.ts';
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

/** Notes that something of a user waits for approval in an app. */
export const insertWaiting = command<{ appId: number; userId: number }>()((q, value) =>
  q
    .insertInto('approved_counts')
    .values({ app_id: value('appId'), user_id: value('userId'), count: 0 })
    .onConflict((conflict) => conflict.columns(['app_id', 'user_id']).doNothing()),
);

/** An app in which something of a user has waited, and that holds what they write; the rule is that of `approvalFor`. */
export const appThatHolds = query<{ userId: number; isTrusted: number; isGuest: number }>()((q, value) =>
  q
    .selectFrom('approved_counts')
    .innerJoin('apps', 'apps.id', 'approved_counts.app_id')
    .select('apps.id')
    .where('approved_counts.user_id', '=', value('userId'))
    .where((where) =>
      where.or([
        where('apps.approval', '=', 'everything'),
        where.and([
          sql<boolean>`${wholeNumber(value('isTrusted'))} = 0`,
          where.or([
            where.and([
              where('apps.approval', '=', 'guests'),
              sql<boolean>`${wholeNumber(value('isGuest'))} = 1`,
            ]),
            where.and([
              where('apps.approval', '=', 'newcomers'),
              sql<boolean>`approved_counts.count < coalesce(apps.approval_count, 1)`,
            ]),
          ]),
        ]),
      ]),
    )
    .limit(sql.lit(1)),
);
