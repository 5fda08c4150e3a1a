import { sql } from 'kysely';
import { command } from '../../db/statement.ts';

/** Records a message as the newest of its app, unless a newer one is recorded. */
export const setLastMessage = command<{ appId: number; id: number }>()((q, value) =>
  q
    .updateTable('apps')
    .set({ last_message_id: value('id') })
    .where('id', '=', value('appId'))
    .where((where) =>
      where.or([where('last_message_id', 'is', null), where('last_message_id', '<', value('id'))]),
    ),
);

/**
 * Records the newest message of an app again after one was trashed, restored or removed. The index of the entries of an
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

/** Records the newest message that a member wrote; changes no row for a user who is not a member. */
export const setWrote = command<{ appId: number; userId: number; id: number }>()((q, value) =>
  q
    .updateTable('members')
    .set({ wrote_id: value('id') })
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where((where) => where.or([where('wrote_id', 'is', null), where('wrote_id', '<', value('id'))])),
);
