import { command, query } from '../../db/statement.ts';

/** Whether something has counted. */
export const countedGuest = query<{ hash: Uint8Array }>()((q, value) =>
  q.selectFrom('counted_guests').select('expires_at as expiresAt').where('hash', '=', value('hash')),
);

/** Notes that something has counted; changes no row where it has before. */
export const insertCountedGuest = command<{
  hash: Uint8Array;
  reactionId: number | null;
  expiresAt: number;
}>()((q, value) =>
  q
    .insertInto('counted_guests')
    .values({ hash: value('hash'), reaction_id: value('reactionId'), expires_at: value('expiresAt') })
    .onConflict((conflict) => conflict.column('hash').doNothing()),
);

/** Lets what one reaction has counted be that of another. */
export const moveCountedGuest = command<{ from: number; to: number }>()((q, value) =>
  q
    .updateTable('counted_guests')
    .set({ reaction_id: value('to') })
    .where('reaction_id', '=', value('from')),
);

/** Forgets what a reaction has counted. */
export const deleteCountedGuest = command<{ reactionId: number }>()((q, value) =>
  q.deleteFrom('counted_guests').where('reaction_id', '=', value('reactionId')),
);
