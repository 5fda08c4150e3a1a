import { query } from '../../db/statement.ts';
import { optionColumns } from './option.sql.ts';

/** An option with whether the user chose it. */
export const optionById = query<{ id: number; userId: number }>()((q, value) =>
  q
    .selectFrom('options')
    .select(optionColumns(value('userId')))
    .where('id', '=', value('id')),
);
