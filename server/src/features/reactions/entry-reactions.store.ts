import { sql } from 'kysely';
import { reactionColumns } from '../../access/reaction/reaction.sql.ts';
import { anyOf } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/** The reactions to some entries, in the order in which they were added. */
export const reactionsOf = query<{ entryIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('reactions')
    .select(reactionColumns)
    .where(anyOf(sql.ref('entry_id'), value('entryIds')))
    .orderBy('entry_id')
    .orderBy('id'),
);
