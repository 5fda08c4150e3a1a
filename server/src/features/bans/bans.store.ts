import { sql } from 'kysely';
import { list } from '../../db/list.ts';
import { command, insertRow, query, updateRow } from '../../db/statement.ts';

const banColumns = ['id', 'address', 'reason', 'created_at as createdAt', 'expires_at as expiresAt'] as const;

/** The bans in force. */
export const bansInForce = query<{ now: number }>()((q, value) =>
  q.selectFrom('bans').select(['address', 'expires_at as expiresAt']).where('expires_at', '>', value('now')),
);

/** How many bans are in force. */
export const countBans = query<{ now: number }>()((q, value) =>
  q
    .selectFrom('bans')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('expires_at', '>', value('now')),
);

/** The ban of a network, in force or not. */
export const banOfAddress = query<{ address: string }>()((q, value) =>
  q.selectFrom('bans').select(banColumns).where('address', '=', value('address')),
);

/** A ban in force. */
export const banById = query<{ id: number; now: number }>()((q, value) =>
  q
    .selectFrom('bans')
    .select(banColumns)
    .where('id', '=', value('id'))
    .where('expires_at', '>', value('now')),
);

/** Adds a ban. */
export const insertBan = insertRow('bans', ['address', 'reason', 'created_at', 'expires_at']);

/** Gives a ban another reason and time. */
export const changeBan = updateRow('bans', ['reason', 'created_at', 'expires_at']);

/** Ends a ban. */
export const deleteBan = command<{ id: number }>()((q, value) =>
  q.deleteFrom('bans').where('id', '=', value('id')),
);

/** The bans in force. */
export const banList = list<{ now: number }>()({
  name: 'bans',
  filters: {},
  candidates: (q, value) => q.selectFrom('bans').where('bans.expires_at', '>', value('now')),
  byIds: (q, ids) => q.selectFrom('bans').select(banColumns).where('id', 'in', ids),
  orders: { id: [], expires_at: [{ by: sql`bans.expires_at` }] },
  id: sql`bans.id`,
});
