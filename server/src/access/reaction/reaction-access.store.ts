import { query } from '../../db/statement.ts';
import { reactionColumns } from './reaction.sql.ts';

/** A reaction by its id. */
export const reactionById = query<{ id: number }>()((q, value) =>
  q.selectFrom('reactions').select(reactionColumns).where('id', '=', value('id')),
);
