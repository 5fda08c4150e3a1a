import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { isFound } from '../../db/filters.ts';
import { type Bind, type Builder, command, query, shaped } from '../../db/statement.ts';

/** Inserts a directory unless its name is taken: no row comes back then. */
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
      .limit(1)
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
      .limit(1)
      .as('firstApp'),
  ]),
);

/** The parts of a request that change the text of a list statement; each has few values. */
export type DirectoryListShape = {
  readonly order: 'id' | 'name' | 'created_at';
  readonly descending: boolean;
  readonly hasQuestion: boolean;
  readonly isLimited: boolean;
};

/** `id` is the one directory that a limited list may show. */
export type DirectoryListParameters = { id: number; question: string; top: number; skip: number };

function filtered(q: Builder, value: Bind<DirectoryListParameters>, shape: DirectoryListShape) {
  return q
    .selectFrom('directories')
    .$if(shape.isLimited, (part) => part.where('directories.id', '=', value('id')))
    .$if(shape.hasQuestion, (part) =>
      part.where(isFound(sql.ref('directories.id'), 'directory', value('question'))),
    );
}

/** The statement of one page, by the JSON text of a `DirectoryListShape`. */
export const listDirectories = shaped((key: string) => {
  const shape = JSON.parse(key) as DirectoryListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  return query<DirectoryListParameters>()((q, value) =>
    filtered(q, value, shape)
      .select(['directories.id', 'directories.name'])
      .orderBy(shape.order === 'name' ? 'directories.name_key' : `directories.${shape.order}`, direction)
      .$if(shape.order !== 'id', (part) => part.orderBy('directories.id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});

/** The statement that counts what `listDirectories` lists. */
export const countDirectories = shaped((key: string) => {
  const shape = JSON.parse(key) as DirectoryListShape;
  return query<DirectoryListParameters>()((q, value) =>
    filtered(q, value, shape).select((part) => part.fn.countAll<number>().as('count')),
  );
});
