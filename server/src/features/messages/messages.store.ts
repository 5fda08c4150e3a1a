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

/** Records the newest message that a member wrote; changes no row for a user who is not a member. */
export const setWrote = command<{ appId: number; userId: number; id: number }>()((q, value) =>
  q
    .updateTable('members')
    .set({ wrote_id: value('id') })
    .where('app_id', '=', value('appId'))
    .where('user_id', '=', value('userId'))
    .where((where) => where.or([where('wrote_id', 'is', null), where('wrote_id', '<', value('id'))])),
);
