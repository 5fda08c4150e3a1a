import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { planOn } from 'confab-testing/stores/plans.ts';
import type { AnyList } from '../../../../generate/list-statements.ts';
import type { Statement } from '../../../../src/db/statement.ts';
import { appList } from '../../../../src/features/apps/apps.store.ts';
import { entryList } from '../../../../src/features/entries/entry-list.store.ts';
import { fileList } from '../../../../src/features/files/file-lists.store.ts';

const appCount = 8000;
const commentCount = 40_000;
const fileCount = 8000;
const pageRows = 26;
/** How many rows of all users a page is looked for among, in each of the two halves of an order by what may be empty. */
const probedMax = 1000;
const firstAt = 1000;

/** Sees all closed apps, every second app, or the open apps alone. */
const readers = { ofAll: 2, ofHalf: 3, ofNone: 4 } as const;
const directory = 1;

const plain = { trashed: false, hasQuestion: false, hasTag: false } as const;
const lists = [
  {
    list: entryList as unknown as AnyList,
    settings: {
      trashed: false,
      search: 'none',
      hasTag: false,
      hasAuthor: false,
      scope: 'visible',
      kind: 'comment',
    },
  },
  { list: appList as unknown as AnyList, settings: { ...plain, hasTypes: false, isLimited: true } },
  { list: fileList as unknown as AnyList, settings: { ...plain, scope: 'visible' } },
] as const;

const asked = {
  ...{ kind: 'comment', parentType: '', parentId: 0, appId: 0, appIds: [], userId: readers.ofAll },
  ...{ directoryId: directory, question: [], needles: [], tag: '', types: [], top: pageRows, skip: 0 },
};

/** The statements of a page in every order, in both directions, at the beginning and after a cursor in the middle. */
type Page = {
  readonly name: string;
  readonly page: Statement<{ id: number }>;
  readonly probes: readonly Statement<{ id: number }>[];
  readonly parameters: typeof asked;
};

function pagesOf(trashed: boolean | null): Page[] {
  return lists.flatMap(({ list, settings }) =>
    list.orders.flatMap((order) =>
      [false, true].flatMap((descending) =>
        ([undefined, 'indexed'] as const).map((cursor) => {
          const shape = { order, descending, after: cursor, settings: { ...settings, trashed } as never };
          const isText = list.partsOf(order)[0]?.isText === true;
          const cut = { key0: isText ? 'n4' : firstAt + 4000, afterId: 4000 };
          return {
            name: `${list.name} by ${order}${descending ? ' desc' : ''}${cursor ? ' after a cursor' : ''}`,
            page: list.page(shape) as Statement<{ id: number }>,
            probes: list.probes(shape) as readonly Statement<{ id: number }>[],
            parameters: { ...asked, ...(cursor === undefined ? {} : cut) },
          };
        }),
      ),
    ),
  );
}

/** The rows of a store, as statements for both engines. */
function content(): string[] {
  const numbers = (count: number) =>
    `with recursive s (n) as (select 1 union all select n + 1 from s where n < ${count})`;
  const modified = `case when n % 5 = 0 then ${firstAt} + n end`;
  const trashed = `case when n % 50 = 7 then 1 end`;
  return [
    `insert into users (uid, display_name, created_at) ${numbers(9)} select 'u' || n, 'User', 1 from s`,
    `insert into directories (name, created_at) values ('d', 1), ('other', 1)`,
    // The last are open: to everyone, to the directory, and to another.
    `insert into apps (type, uid, name_key, display_name_key, access, directory_id, created_at, created_by_id,
        modified_at, trashed_at)
      ${numbers(appCount)} select 'comments', 'n' || n, 'n' || n, 'n' || n,
        case when n > ${appCount - 300} then 'read' else 'none' end, nullif(n % 3, 0), ${firstAt} + n, 1,
        ${modified}, ${trashed} from s`,
    `insert into members (app_id, user_id, access, role, created_at)
      select id, ${readers.ofAll}, 'read', 'member', 1 from apps where id <= ${appCount - 200}`,
    // One without access sees nothing of an open app either.
    `insert into members (app_id, user_id, access, role, created_at)
      select id, ${readers.ofHalf}, case when id % 8 = 0 then 'none' else 'read' end, 'member', 1 from apps where id % 2 = 0`,
    `insert into entries (kind, app_id, parent_type, parent_id, content, created_at, created_by_id, modified_at, trashed_at)
      ${numbers(commentCount)} select 'comment', 1 + n % ${appCount}, 'app', 1 + n % ${appCount}, '{}', ${firstAt} + n, 1,
        ${modified}, ${trashed} from s`,
    `insert into tallies (parent_type, parent_id, kind, app_id, live, is_hidden)
      select parent_type, parent_id, kind, app_id, count(*), case when app_id % 11 = 0 then 1 else 0 end
        from entries group by 1, 2, 3, 4`,
    `insert into blobs (key, name, media_type, size, created_at, created_by_id)
      ${numbers(fileCount)} select 'k' || n, 'n' || n, 'text/plain', n, 1, 1 from s`,
    `insert into files (app_id, parent_type, parent_id, blob_id, name, name_key, created_at, created_by_id, modified_at, trashed_at)
      ${numbers(fileCount)} select n, 'app', n, n, 'n' || n, 'n' || n, ${firstAt} + n, 1, ${modified}, ${trashed} from s`,
    'analyze',
  ];
}

// What a user sees of many apps is looked for in the order of the page, and read from the user's apps only if it is rare.
describe('a page of what a user sees in all apps', () => {
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
    for (const statement of content()) {
      await stores.postgres.query(statement);
      stores.sqlite.exec(statement);
    }
  });
  after(() => stores.close());

  it('is the same, wherever it is found', async () => {
    const filled = [0, 0];
    for (const trashed of [false, null])
      for (const { name, page, probes, parameters } of pagesOf(trashed))
        for (const userId of Object.values(readers)) {
          const right = await stores.ask(page, { ...parameters, userId });
          assert.deepEqual(right.sqlite, right.postgres, name);
          // The apps that a user sees are read as quickly as they are probed.
          assert.equal(probes.length, name.startsWith('apps ') ? 1 : filled.length, name);
          for (const [index, statement] of probes.entries()) {
            const found = await stores.ask(statement, { ...parameters, userId });
            assert.deepEqual(found.sqlite, found.postgres, name);
            if (found.sqlite.length < pageRows) continue;
            filled[index] = (filled[index] ?? 0) + 1;
            assert.deepEqual(found.sqlite, right.sqlite, `${name} for ${userId}, ${trashed}`);
          }
        }
    const [first = 0, second = 0] = filled;
    assert.ok(first > 200 && second > 200, `${filled} pages were found`);
  });

  it('never reads all apps of a user who sees many of them', async () => {
    for (const { name, probes, parameters } of pagesOf(false))
      for (const mode of ['custom', 'generic'] as const) {
        const [first] = probes;
        // The size of a file is in another table, so all files are read and sorted.
        if (first === undefined || name.startsWith('files by size')) continue;
        const plan = await planOn(stores, first, { parameters, mode });
        const read = (table: string) => `${name}: ${plan.read(table)} ${table}, ${mode}\n${plan.text}`;
        assert.ok(plan.read('members') <= probedMax, read('members'));
        assert.ok(plan.read('entries') <= 3 * probedMax, read('entries'));
        // Not knowing how many rows a page has, PostgreSQL may scan a table as small as these.
        for (const table of mode === 'custom' ? ['apps', 'files'] : [])
          assert.ok(plan.read(table) <= 3 * probedMax, read(table));
      }
  });
});
