import { query } from '../../db/statement.ts';
import { embedColumns } from './embed.sql.ts';

/** One embed. */
export const embedById = query<{ id: number }>()((q, value) =>
  q.selectFrom('embeds').select(embedColumns).where('id', '=', value('id')),
);
