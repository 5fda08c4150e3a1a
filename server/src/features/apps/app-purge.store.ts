import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

/** A deleted app that still has rows. */
export const deletedApp = query()((q) =>
  q.selectFrom('apps').select('id').where('deleted_at', 'is not', null).orderBy('id').limit(sql.lit(1)),
);

/** Removes the first stars of an app. */
export const deleteStarsOfApp = command<{ id: number; top: number }>()((q, value) =>
  q
    .deleteFrom('stars')
    .where('app_id', '=', value('id'))
    .where('user_id', 'in', (sub) =>
      sub
        .selectFrom('stars')
        .select('user_id')
        .where('app_id', '=', value('id'))
        .limit(rowCount(value('top'))),
    ),
);

/** Removes the row of an app; the schema refuses while anything is left in it. */
export const deleteAppRow = command<{ id: number }>()((q, value) =>
  q.deleteFrom('apps').where('id', '=', value('id')),
);
