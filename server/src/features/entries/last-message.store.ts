import { sql } from 'kysely';
import { command } from '../../db/statement.ts';

/**
 * Records the newest message of an app again after one was trashed, held, shown again or removed. The index of the entries of an
 * app is read backwards and includes the trash, so it reads only the trashed messages that are newer than the result.
 */
export const findLastMessage = command<{ appId: number }>()((q, value) =>
  q
    .updateTable('apps')
    .set({
      last_message_id: q
        .selectFrom('entries')
        .select('entries.id')
        .where('parent_type', '=', 'app')
        .where('parent_id', '=', value('appId'))
        .where('kind', '=', 'message')
        .where('trashed_at', 'is', null)
        .orderBy('entries.id', 'desc')
        .limit(sql.lit(1)),
    })
    .where('id', '=', value('appId')),
);
