import { type Expression, sql } from 'kysely';
import { nullsLowest, rowCount, unindexed } from '../../db/dialect.ts';
import { isFound, isTagged } from '../../db/filters.ts';
import { type Bind, type Builder, query, shaped } from '../../db/statement.ts';
import { visibleTo } from '../access/access.sql.ts';
import { filesFor } from '../access/file.sql.ts';

// Written out and not bound: an index of these files alone is used only for a condition that is its own.
const ofAnApp = sql<boolean>`files.parent_type = 'app'`;

/** What decides the text of a file list statement; every part has few values. */
export type FileListShape = {
  readonly scope: 'app' | 'visible' | 'all';
  readonly order: 'id' | 'name' | 'size' | 'created_at' | 'modified_at' | 'timestamp';
  readonly descending: boolean;
  readonly trashed: boolean | null;
  readonly hasQuestion: boolean;
  readonly hasTag: boolean;
};

/** The parameters of every file list; those a shape does not use are ignored. `userId` is the caller's. */
export type FileListParameters = {
  appId: number;
  userId: number;
  directoryId: number;
  question: string;
  tag: string;
  top: number;
  skip: number;
};

const orderColumns: { readonly [O in FileListShape['order']]: Expression<unknown> } = {
  id: sql.ref('files.id'),
  name: sql.ref('files.name_key'),
  size: sql`(select size from blobs where blobs.id = files.blob_id)`,
  created_at: sql.ref('files.created_at'),
  modified_at: sql.ref('files.modified_at'),
  timestamp: sql`coalesce(files.modified_at, files.created_at)`,
};

function filtered(q: Builder, value: Bind<FileListParameters>, shape: FileListShape) {
  const viewer = { userId: value('userId'), directoryId: value('directoryId') };
  return (
    q
      .selectFrom('files')
      .where(ofAnApp)
      .$if(shape.scope === 'app', (part) => part.where('files.app_id', '=', value('appId')))
      // Checked for each file in the order of the list, so that the first page does not wait for all of them.
      .$if(shape.scope !== 'app', (part) =>
        part.where(
          sql<boolean>`exists (select 1 from apps where apps.id = files.app_id and apps.trashed_at is null)`,
        ),
      )
      // As in `entries.store.ts`: the matches of a question or a tag are read once, not once for each app.
      .$if(shape.scope === 'visible', (part) =>
        part.where(
          visibleTo(
            shape.hasQuestion || shape.hasTag ? unindexed(sql.ref('files.app_id')) : sql.ref('files.app_id'),
            viewer,
          ),
        ),
      )
      .$if(shape.trashed === false, (part) => part.where('files.trashed_at', 'is', null))
      .$if(shape.trashed === true, (part) => part.where('files.trashed_at', 'is not', null))
      .$if(shape.hasTag, (part) =>
        part.where(isTagged(sql.ref('files.id'), 'file', { tag: value('tag'), isAlone: !shape.hasQuestion })),
      )
      .$if(shape.hasQuestion, (part) => part.where(isFound(sql.ref('files.id'), 'file', value('question'))))
  );
}

/** A page of files. The ids come from an index first, so that skipping does not read rows. */
export const listFiles = shaped((key: string) => {
  const shape = JSON.parse(key) as FileListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  const first = shape.order === 'modified_at' ? nullsLowest(direction) : direction;
  const order = orderColumns[shape.order];
  return query<FileListParameters>()((q, value) => {
    const ids = filtered(q, value, shape)
      .select('files.id')
      .orderBy(order, first)
      .$if(shape.order !== 'id', (part) => part.orderBy('files.id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip')));
    return filesFor(q, value)
      .where('files.id', 'in', ids)
      .orderBy(order, first)
      .$if(shape.order !== 'id', (part) => part.orderBy('files.id', direction));
  });
});

/** How many files a list with a question or a tag has. */
export const countFiles = shaped((key: string) => {
  const shape = JSON.parse(key) as FileListShape;
  return query<FileListParameters>()((q, value) =>
    filtered(q, value, shape).select((part) => part.fn.countAll<number>().as('count')),
  );
});

/** How many files all visible apps have, from their maintained counts. */
export const countAllFiles = shaped((scope: 'visible' | 'all') =>
  query<{ userId: number; directoryId: number }>()((q, value) =>
    q
      .selectFrom('tallies')
      .innerJoin('apps', 'apps.id', 'tallies.app_id')
      .select([
        sql<number>`coalesce(sum(tallies.live), 0)`.as('live'),
        sql<number>`coalesce(sum(tallies.trashed), 0)`.as('trashed'),
      ])
      .where('tallies.kind', '=', 'file')
      .where('apps.trashed_at', 'is', null)
      .$if(scope === 'visible', (part) =>
        part.where(
          visibleTo(sql.ref('apps.id'), { userId: value('userId'), directoryId: value('directoryId') }),
        ),
      ),
  ),
);
