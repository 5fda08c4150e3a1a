import { sql } from 'kysely';
import { anyOf } from '../db/dialect.ts';
import { command } from '../db/statement.ts';

/** Says of some users whether they have a live connection. */
export const setActive = command<{ ids: readonly number[]; isActive: number }>()((q, value) =>
  q
    .updateTable('users')
    .set({ is_active: value('isActive') })
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** Says of everybody that they have none: at the start of a server, which begins without connections. */
export const setNobodyActive = command()((q) =>
  q.updateTable('users').set({ is_active: 0 }).where('is_active', '=', 1),
);
