import { type SqlBool, sql } from 'kysely';
import { anyOf, numbersOf } from '../db/dialect.ts';
import { command, insertRow, insertSelected, query, updateRow } from '../db/statement.ts';

/** Adds a node that expires at a time. */
export const insertNode = insertRow('nodes', ['id', 'until']);

/** Extends the time at which a node expires; changes no row when another node has removed it. */
export const renewNode = updateRow('nodes', ['until']);

/** The expired nodes, except one. */
export const expiredNodes = query<{ id: string; now: number }>()((q, value) =>
  q.selectFrom('nodes').select('id').where('until', '<=', value('now')).where('id', '<>', value('id')),
);

/** The users of some nodes. */
export const usersOfNodes = query<{ ids: readonly string[] }>()((q, value) =>
  q
    .selectFrom('presence')
    .select('user_id as id')
    .where(anyOf(sql.ref('node_id'), value('ids'))),
);

/** Deletes some nodes; the schema deletes their users. */
export const deleteNodes = command<{ ids: readonly string[] }>()((q, value) =>
  q.deleteFrom('nodes').where(anyOf(sql.ref('id'), value('ids'))),
);

/** Deletes every node. */
export const deleteAllNodes = command()((q) => q.deleteFrom('nodes'));

/** Records that some users have a live connection to a node. */
export const insertPresence = command<{ nodeId: string; ids: readonly number[] }>()((q, value) =>
  insertSelected(q, 'presence', {
    from: q
      .selectFrom(numbersOf(value('ids'), 'given'))
      // SQLite reads `on conflict` as the condition of a join otherwise.
      .where(sql<SqlBool>`true`),
    values: { node_id: value('nodeId'), user_id: sql<number>`given.value` },
  }).onConflict((conflict) => conflict.doNothing()),
);

/** Records that some users have lost their live connection to a node. */
export const deletePresence = command<{ nodeId: string; ids: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('presence')
    .where('node_id', '=', value('nodeId'))
    .where(anyOf(sql.ref('user_id'), value('ids'))),
);

/** Marks some users as present. */
export const setActive = command<{ ids: readonly number[] }>()((q, value) =>
  q
    .updateTable('users')
    .set({ is_active: 1 })
    .where(anyOf(sql.ref('id'), value('ids')))
    .where('is_active', '=', 0),
);

/** Marks the users among `ids` who are connected to no node as away. */
export const setAway = command<{ ids: readonly number[] }>()((q, value) =>
  q
    .updateTable('users')
    .set({ is_active: 0 })
    .where(anyOf(sql.ref('id'), value('ids')))
    .where('is_active', '=', 1)
    .where(sql<SqlBool>`not exists (select 1 from presence where presence.user_id = users.id)`),
);

/** Marks all users as away. */
export const setAllAway = command()((q) =>
  q.updateTable('users').set({ is_active: 0 }).where('is_active', '=', 1),
);

/** The pairs of a user of `ids` and a user of `otherIds` who share an app. */
export const sharedAppPairs = query<{ ids: readonly number[]; otherIds: readonly number[] }>()((q, value) =>
  q
    .selectFrom('members as mine')
    .innerJoin('members as theirs', 'theirs.app_id', 'mine.app_id')
    .innerJoin('apps', 'apps.id', 'mine.app_id')
    .select(['mine.user_id as id', 'theirs.user_id as otherId'])
    .distinct()
    .where(anyOf(sql.ref('mine.user_id'), value('ids')))
    .where(anyOf(sql.ref('theirs.user_id'), value('otherIds')))
    .where('mine.access', '<>', 'none')
    .where('theirs.access', '<>', 'none')
    .where('apps.trashed_at', 'is', null)
    .where('apps.deleted_at', 'is', null),
);

/** The users with a live connection to another node than this one. */
export const presentElsewhere = query<{ nodeId: string }>()((q, value) =>
  q
    .selectFrom('users')
    .select(['id', 'directory_id as directoryId'])
    .where('id', 'in', (sub) =>
      sub.selectFrom('presence').select('user_id').where('node_id', '<>', value('nodeId')),
    )
    .orderBy('id'),
);
