import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { searchExpression, searchNeedles } from '../../../src/db/dialect.ts';
import { entryWords, scopeWord } from '../../../src/features/entries/entry-index.ts';
import { appsWithEntries, entryList, wayToSearch } from '../../../src/features/entries/entry-list.store.ts';
import { parseQuestion, searchWords } from '../../../src/kernel/search.ts';

type Row = {
  readonly id: number;
  readonly kind: 'comment' | 'post';
  readonly appId: number;
  readonly parentType: 'app' | 'post';
  readonly parentId: number;
  readonly plain: string;
  readonly createdAt: number;
  readonly modifiedAt: number | null;
  readonly isTrashed: boolean;
};

const apps = [1, 2, 3, 4];
const closedApp = 3;
const trashedApp = 4;
/** Counts more comments than have their texts read, and has none. */
const manyApp = 9;
/** Of a user who is a member of nothing. */
const viewer = { userId: 1, directoryId: 0 };

function drawn(): Row[] {
  const random = seededRandom(11);
  const rows: Row[] = [];
  const words = ['fox', 'foxes', 'dog', 'red', 'blue'];
  for (let id = 1; id <= 400; id += 1) {
    // The second app has comments of its own, and as on attachments some on something in it; the others have posts.
    const posts = rows.filter(({ kind, appId }) => kind === 'post' || appId === 2);
    const on = random.oneIn(2) ? random.pick(posts) : undefined;
    const appId = on?.appId ?? random.pick(apps) ?? 1;
    rows.push({
      id,
      kind: on === undefined && appId !== 2 ? 'post' : 'comment',
      appId,
      parentType: on === undefined ? 'app' : 'post',
      parentId: on?.id ?? appId,
      plain: Array.from({ length: 3 }, () => random.pick(words)).join(' '),
      createdAt: random.integer(1, 1000),
      modifiedAt: random.oneIn(3) ? random.integer(1, 1000) : null,
      isTrashed: random.oneIn(5),
    });
  }
  return rows;
}

/** Every way to run a search (scan, read and sort, count from indexes, read the texts) gives the results that the texts imply. */
describe('a search of entries', () => {
  const rows = drawn();
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
    const run = async (text: string) => {
      stores.sqlite.exec(text);
      await stores.postgres.query(text);
    };
    for (const id of apps)
      await run(`insert into apps (id, type, uid, access, created_at, created_by_id, trashed_at)
        values (${id}, 'posts', 'app-${id}', '${id === closedApp ? 'none' : 'read'}', 1, 1,
        ${id === trashedApp ? 1 : null})`);
    for (const row of rows) {
      await run(`insert into entries (id, kind, app_id, parent_type, parent_id, content, created_at, created_by_id,
        modified_at, trashed_at) values (${row.id}, '${row.kind}', ${row.appId}, '${row.parentType}', ${row.parentId},
        '${JSON.stringify({ plain: row.plain })}', ${row.createdAt}, 1, ${row.modifiedAt}, ${row.isTrashed ? 1 : null})`);
      await run(
        `insert into entry_search (rowid, words) values (${row.id}, '${entryWords(row, { plain: row.plain })}')`,
      );
    }
    await run(`insert into tallies (parent_type, parent_id, kind, app_id, live, trashed, is_hidden)
      select parent_type, parent_id, kind, app_id, count(*), 0, 0 from entries group by 1, 2, 3, 4`);
    await run(`insert into tallies (parent_type, parent_id, kind, app_id, live, trashed, is_hidden)
      values ('app', ${manyApp}, 'comment', ${manyApp}, 1500, 501, 0)`);
    await run(`update tallies set is_hidden = 1 where parent_type = 'post'
      and parent_id in (select id from entries where trashed_at is not null)`);
  });
  after(() => stores.close());

  const isBelowTrash = ({ parentType, parentId }: Row) =>
    parentType === 'post' && rows[parentId - 1]?.isTrashed === true;
  const isFound = ({ plain }: Row, q: string) =>
    q.split(' ').every((word) => ` ${searchWords(plain)}`.includes(` ${word}`));

  const post =
    rows.find(({ kind, isTrashed, appId }) => kind === 'post' && !isTrashed && appId === 1)?.id ?? 0;
  const scopes = {
    'an app': {
      settings: { scope: 'app' },
      parameters: { parentType: 'app', parentId: 2, appId: 2 },
      words: [scopeWord('comment', 'app', 2)],
      has: (row: Row) => row.parentType === 'app' && row.appId === 2,
    },
    'a post': {
      settings: { scope: 'parent' },
      parameters: { parentType: 'post', parentId: post, appId: 1 },
      words: [scopeWord('comment', 'post', post)],
      has: (row: Row) => row.parentType === 'post' && row.parentId === post,
    },
    'the posts of an app': {
      settings: { scope: 'below' },
      parameters: { appId: 1 },
      words: [scopeWord('comment', 'app', 1)],
      has: (row: Row) => row.parentType === 'post' && row.appId === 1 && !isBelowTrash(row),
    },
    'all apps': {
      settings: { scope: 'all' },
      parameters: {},
      words: undefined,
      has: (row: Row) => row.appId !== trashedApp && !isBelowTrash(row),
    },
    'the apps of a user': {
      settings: { scope: 'visible' },
      parameters: {},
      words: undefined,
      has: (row: Row) => row.appId !== trashedApp && row.appId !== closedApp && !isBelowTrash(row),
    },
    'some apps': {
      settings: { scope: 'apps' },
      parameters: { appIds: [1, 2] },
      words: [1, 2].map((id) => scopeWord('comment', 'app', id)),
      has: (row: Row) => row.appId <= 2 && !isBelowTrash(row),
    },
  } as const;
  const none = { parentType: '', parentId: 0, appId: 0, appIds: [], ...viewer, tag: '' };
  const by = {
    id: () => 0,
    created_at: (row: Row) => row.createdAt,
    modified_at: (row: Row) => row.modifiedAt ?? 0,
  };

  const searches = ['index', 'few', 'texts'] as const;

  for (const [name, { settings, parameters, words, has }] of Object.entries(scopes))
    for (const trashed of [false, true, null])
      it(`in ${name}, trashed ${trashed}`, async () => {
        for (const q of ['fo', 'fox', 'red dog', 'cat']) {
          const question = searchExpression(parseQuestion(q) ?? [], words);
          const needles = searchNeedles(parseQuestion(q) ?? []);
          const given = { ...none, kind: 'comment', ...parameters, question, needles } as const;
          const all = rows.filter(
            (row) =>
              row.kind === 'comment' &&
              has(row) &&
              isFound(row, q) &&
              (trashed === null || row.isTrashed === trashed),
          );
          for (const search of searches) {
            // Only the texts of a parent are few.
            if (search === 'texts' && settings.scope !== 'app' && settings.scope !== 'parent') continue;
            const shape = {
              ...settings,
              kind: 'comment',
              trashed,
              search,
              hasTag: false,
              hasAuthor: false,
            } as const;
            const counts = await stores.ask(entryList.count(shape), given);
            assert.equal(counts.sqlite[0]?.count, all.length, q);
            assert.equal(counts.postgres[0]?.count, all.length, q);
            for (const order of ['id', 'created_at', 'modified_at'] as const)
              for (const descending of [false, true]) {
                const sign = descending ? -1 : 1;
                const sorted = all.toSorted((a, b) => sign * (by[order](a) - by[order](b) || a.id - b.id));
                const page = entryList.page({ order, descending, settings: shape });
                const found = await stores.ask(page, { ...given, top: 10, skip: 5 });
                const expected = sorted.slice(5, 15).map(({ id }) => id);
                assert.deepEqual(
                  found.sqlite.map(({ id }) => id),
                  expected,
                  `${q} by ${order}`,
                );
                assert.deepEqual(
                  found.postgres.map(({ id }) => id),
                  expected,
                  `${q} by ${order}`,
                );
              }
          }
        }
      });

  it('finds the apps to search', async () => {
    for (const [scope, expected] of [
      ['all', [1, 2, 3]],
      ['visible', [1, 2]],
    ] as const) {
      const { sqlite, postgres } = await stores.ask(appsWithEntries(scope), {
        kind: 'comment',
        ...viewer,
        top: 9,
      });
      for (const found of [sqlite, postgres])
        assert.deepEqual(
          found.map(({ id }) => id).sort((a, b) => a - b),
          expected,
        );
    }
  });

  it('reads texts only of a parent with few entries, and on SQLite only for a prefix', async () => {
    const comments = { kind: 'comment', parentType: 'app', parentId: 2 } as const;
    const everywhere = { kind: 'comment', parentType: '', parentId: 0 } as const;
    for (const [scope, q, { isCount = 0, isById = 0 }, expected] of [
      [comments, 'fox', {}, ['texts', 'texts']],
      [comments, 'red "fox dog"', { isById: 1 }, ['texts', 'texts']],
      [comments, '"fox"', {}, ['few', 'texts']],
      // SQLite walks its index by id, whatever it finds.
      [comments, '"fox"', { isById: 1 }, ['index', 'texts']],
      [comments, '"fox"', { isCount: 1 }, ['index', 'texts']],
      [{ ...comments, parentId: manyApp }, 'fox', {}, ['few', 'few']],
      [everywhere, 'fox', {}, ['few', 'few']],
      [everywhere, 'fox', { isById: 1 }, ['index', 'few']],
      [everywhere, 'fox', { isCount: 1 }, ['index', 'index']],
    ] as const) {
      const question = searchExpression(parseQuestion(q) ?? []);
      const { sqlite, postgres } = await stores.ask(wayToSearch, { ...scope, question, isCount, isById });
      assert.deepEqual(
        [sqlite, postgres].map(([row]) => row?.search),
        expected,
        `${scope.parentType} ${q}`,
      );
    }
  });
});
