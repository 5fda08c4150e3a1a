import { sql } from 'kysely';
import { isInVisibleApp, visibleTo } from '../../access/access.sql.ts';
import { filesFor } from '../../access/file/file.sql.ts';
import { unindexed } from '../../db/dialect.ts';
import { matchesSearch, matchesTag } from '../../db/filters.ts';
import { list, type Settings } from '../../db/list.ts';
import { type Bind, type Builder, cachedByShape, query } from '../../db/statement.ts';

// A literal rather than a parameter: the partial index is used only for a condition that is literally its own.
const ofAnApp = sql<boolean>`files.parent_type = 'app'`;

type FileListParameters = {
  appId: number;
  userId: number;
  directoryId: number;
  question: readonly string[];
  tag: string;
};

const filters = {
  scope: ['app', 'visible', 'all'],
  trashed: [false, true, null],
  hasQuestion: [false, true],
  hasTag: [false, true],
} as const;

type FileSettings = Settings<typeof filters>;

/** The files of apps with the conditions of the filters, of all apps. */
function filtered(
  q: Builder,
  value: Bind<FileListParameters>,
  { trashed, hasQuestion, hasTag }: FileSettings,
) {
  return (
    q
      .selectFrom('files')
      .where(ofAnApp)
      .$if(trashed === false, (part) => part.where('files.trashed_at', 'is', null))
      .$if(trashed === true, (part) => part.where('files.trashed_at', 'is not', null))
      // As in `entry-list.store.ts`: held files are in the trash as well, and in no list.
      .$if(trashed !== false, (part) =>
        part.where(sql<boolean>`(files.held_at is null or files.trashed_at is null)`),
      )
      .$if(hasTag, (part) =>
        part.where(matchesTag(sql.ref('files.id'), 'file', { tag: value('tag'), isAlone: !hasQuestion })),
      )
      .$if(hasQuestion, (part) => part.where(matchesSearch(sql.ref('files.id'), 'file', value('question'))))
  );
}

/** Files: of one app, those that a user may see, or all. `userId` is the caller's. */
export const fileList = list<FileListParameters>()({
  name: 'files',
  filters,
  candidates(q, value, settings) {
    const { scope, hasQuestion, hasTag } = settings;
    const viewer = { userId: value('userId'), directoryId: value('directoryId') };
    const appId = sql.ref('files.app_id');
    return (
      filtered(q, value, settings)
        .$if(scope === 'app', (part) => part.where('files.app_id', '=', value('appId')))
        // Checked for each file in the order of the list, so that the first page does not wait for all of them.
        .$if(scope !== 'app', (part) =>
          part.where(
            sql<boolean>`exists (select 1 from apps where apps.id = files.app_id and apps.trashed_at is null)`,
          ),
        )
        // As in `entry-list.store.ts`: the results of a search or a tag are read once, not once for each app.
        .$if(scope === 'visible', (part) =>
          part.where(visibleTo(hasQuestion || hasTag ? unindexed(appId) : appId, viewer)),
        )
    );
  },
  probe: {
    isFor: ({ scope, hasQuestion, hasTag }) => scope === 'visible' && !hasQuestion && !hasTag,
    rows: filtered,
    isVisible: (id, value) => {
      const viewer = { userId: value('userId'), directoryId: value('directoryId') };
      return sql`(select ${isInVisibleApp(sql.ref('files.app_id'), viewer)} from files where files.id = ${id})`;
    },
  },
  byIds: (q, ids, value) => filesFor(q, value).where('files.id', 'in', ids),
  orders: {
    id: [],
    name: [{ by: sql`files.name_key`, isText: true }],
    size: [{ by: sql`(select size from blobs where blobs.id = files.blob_id)` }],
    created_at: [{ by: sql`files.created_at` }],
    modified_at: [{ by: sql`files.modified_at`, hasNulls: true }],
    timestamp: [{ by: sql`coalesce(files.modified_at, files.created_at)` }],
  },
  id: sql`files.id`,
});

/** How many files all visible apps have, from the stored counts. */
export const countAllFiles = cachedByShape((scope: 'visible' | 'all') =>
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
