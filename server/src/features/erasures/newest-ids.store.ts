import { sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import { insertRow, query, type RowOf } from '../../db/statement.ts';

const tables = ['users', 'entries', 'reactions', 'revisions', 'events'] as const;
const columns = [...tables, 'notifications', 'kept_answers as keptAnswers'] as const;

/** The newest ids at a moment; 0 for a table that had no rows yet. */
export type LastIds = RowOf<'newest_ids', typeof columns>;

const maxOf = (table: string) => sql<number>`coalesce((select max(id) from ${sql.table(table)}), 0)`;

/** The newest ids now. */
export const presentIds = query()((q) =>
  q.selectNoFrom([
    ...tables.map((table) => maxOf(table).as(table)),
    maxOf('kept_answers').as('keptAnswers'),
    // A notification keeps its id when it moves from one table to the other.
    sql<number>`coalesce((select max(id) from (select max(id) as id from notifications
      union all select max(id) from hidden_notifications) as newest), 0)`.as('notifications'),
  ]),
);

/** Notes newest ids. */
export const insertIds = insertRow('newest_ids', [...tables, 'notifications', 'kept_answers']);

/** The position of the log up to which newest ids were noted last. */
export const lastNoted = query()((q) =>
  q.selectFrom('newest_ids').select('events').orderBy('id', 'desc').limit(sql.lit(1)),
);

/** The ids that were noted last before a user was there. */
export const idsBefore = query<{ userId: number }>()((q, value) =>
  q
    .selectFrom('newest_ids')
    .select(columns)
    .where('users', '<', value('userId'))
    .orderBy('users', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
);

/** The users whose accounts have become a part of some others, or are about to. */
export const joinedInto = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('erasures')
    .select('user_id as userId')
    .where('heir_id', 'is not', null)
    .where(anyOf(sql.ref('heir_id'), value('ids'))),
);
