import { command } from '../../db/statement.ts';

/** Notes a message as the newest of its app, unless a newer one is there. */
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
 * Looks up the newest message of an app again, after one was trashed, restored or removed. The index of the entries of
 * an app is walked from its end and gives the trash as well, so only the messages in the trash after it are skipped.
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
        .limit(1),
    })
    .where('id', '=', value('appId')),
);

/** Notes the newest message that a member wrote; changes no row for one who is no member. */
export const setWrote = command<{ appId: number; userId: number; id: number }>()((q, value) =>
  q
    .updateTable('members')
    .set({ wrote_id: value('id') })
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where((where) => where.or([where('wrote_id', 'is', null), where('wrote_id', '<', value('id'))])),
);
