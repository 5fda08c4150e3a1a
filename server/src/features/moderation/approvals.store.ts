import { type RawBuilder, sql } from 'kysely';
import { beforeFirst, wholeNumber } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

/**
 * Where the approvals of a user count: on all pages of one host and directory, because nobody manages them, and otherwise
 * in one app, because who manages it decides for no other (decision 0170). The host of a page is what its uid has before
 * the first `~`. Of the row of the table `name`, in the words of the index `members_moderators`.
 */
function placeOf(name: 'apps' | 'here'): RawBuilder<string> {
  const column = (of: 'id' | 'uid' | 'directory_id') => sql.ref<string>(`${name}.${of}`);
  return sql`case when exists (select 1 from members where members.app_id = ${column('id')}
      and coalesce(members.role, '') <> 'member' and coalesce(members.role, 'manager') = 'manager')
    then 'app ' || ${column('id')}
    else 'site ' || coalesce(${column('directory_id')}, 0) || ' ' || ${beforeFirst(column('uid'), sql.lit('~'))} end`;
}

/** How many items of a user were approved where the approvals of an app count. */
export const approvedCount = query<{ appId: number; userId: number }>()((q, value) =>
  q
    .selectFrom('approved_counts')
    .innerJoin('apps', 'apps.id', 'approved_counts.app_id')
    .select(sql<number>`cast(coalesce(sum(approved_counts.count), 0) as integer)`.as('count'))
    .where('approved_counts.user_id', '=', value('userId'))
    .where('approved_counts.count', '>', sql.lit(0))
    .where((where) =>
      where(
        placeOf('apps'),
        '=',
        where
          .selectFrom('apps as here')
          .select(placeOf('here').as('place'))
          .where('here.id', '=', value('appId')),
      ),
    ),
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
export const appThatHolds = query<{ userId: number; isTrusted: number; isGuest: number }>()((q, value) => {
  const waited = q
    .selectFrom('approved_counts')
    .innerJoin('apps', 'apps.id', 'approved_counts.app_id')
    .select([
      'apps.id',
      'apps.approval',
      'apps.approval_count as countMin',
      sql<number>`sum(approved_counts.count) over (partition by ${placeOf('apps')})`.as('count'),
    ])
    .where('approved_counts.user_id', '=', value('userId'));
  return q
    .selectFrom(waited.as('waited'))
    .select('waited.id')
    .where((where) =>
      where.or([
        where('waited.approval', '=', 'everything'),
        where.and([
          sql<boolean>`${wholeNumber(value('isTrusted'))} = 0`,
          where.or([
            where.and([
              where('waited.approval', '=', 'guests'),
              sql<boolean>`${wholeNumber(value('isGuest'))} = 1`,
            ]),
            where.and([
              where('waited.approval', '=', 'newcomers'),
              sql<boolean>`waited.count < coalesce(waited.${sql.id('countMin')}, 1)`,
            ]),
          ]),
        ]),
      ]),
    )
    .limit(sql.lit(1));
});
