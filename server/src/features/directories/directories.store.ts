import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { matchesSearch } from '../../db/filters.ts';
import { list } from '../../db/list.ts';
import { command, query } from '../../db/statement.ts';

/** Inserts a directory; returns no row if its name is taken. */
export const insertDirectory = command<{ name: string; nameKey: string; at: number }>()((q, value) =>
  q
    .insertInto('directories')
    .values({ name: value('name'), name_key: value('nameKey'), created_at: value('at') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id'),
);

/** Renames a directory; the unique name makes it fail when another has it. */
export const renameDirectory = command<{ id: number; name: string; nameKey: string }>()((q, value) =>
  q
    .updateTable('directories')
    .set({ name: value('name'), name_key: value('nameKey') })
    .where('id', '=', value('id')),
);

/** A visitor in a directory, if there is one. */
export const firstVisitorIn = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('users')
    .select('id')
    .where('directory_id', '=', value('id'))
    .where('way', 'is not', null)
    .limit(sql.lit(1)),
);

/** The users of a product in the directory with a name, the first `top` by id. */
export const productUsersIn = query<{ name: string; top: number }>()((q, value) =>
  q
    .selectFrom('users')
    .innerJoin('directories', 'directories.id', 'users.directory_id')
    .select(['users.id', 'users.uid'])
    .where('directories.name', '=', value('name'))
    .where('users.way', 'is', null)
    .orderBy('users.id')
    .limit(rowCount(value('top'))),
);

/** Deletes a directory; foreign keys make it fail while something belongs to it. */
export const deleteDirectory = command<{ id: number }>()((q, value) =>
  q.deleteFrom('directories').where('id', '=', value('id')),
);

/** How many users and apps belong to a directory, in the trash or not, with the first of each. */
export const usesOfDirectory = query<{ id: number }>()((q, value) =>
  q.selectNoFrom((select) => [
    select
      .selectFrom('users')
      .select((part) => part.fn.countAll<number>().as('users'))
      .where('directory_id', '=', value('id'))
      .as('users'),
    select
      .selectFrom('users')
      .select('uid')
      .where('directory_id', '=', value('id'))
      .orderBy('id')
      .limit(sql.lit(1))
      .as('firstUser'),
    select
      .selectFrom('apps')
      .select((part) => part.fn.countAll<number>().as('apps'))
      .where('directory_id', '=', value('id'))
      .as('apps'),
    select
      .selectFrom('apps')
      .select('uid')
      .where('directory_id', '=', value('id'))
      .orderBy('id')
      .limit(sql.lit(1))
      .as('firstApp'),
  ]),
);

/** The directories. `id` is the one that a user may see: their own. */
export const directoryList = list<{ id: number; question: readonly string[] }>()({
  name: 'directories',
  filters: { hasQuestion: [false, true], isLimited: [false, true] },
  rows: (q, value, { hasQuestion, isLimited }) =>
    q
      .selectFrom('directories')
      .select(['directories.id', 'directories.name'])
      .$if(isLimited, (part) => part.where('directories.id', '=', value('id')))
      .$if(hasQuestion, (part) =>
        part.where(matchesSearch(sql.ref('directories.id'), 'directory', value('question'))),
      ),
  orders: {
    id: [],
    name: [{ by: sql`directories.name_key`, isText: true }],
    created_at: [{ by: sql`directories.created_at` }],
  },
  id: sql`directories.id`,
});
