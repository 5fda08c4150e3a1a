import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { planOn } from 'confab-testing/stores/plans.ts';
import { compile, type Parameters, type Statement } from '../../../src/db/statement.ts';
import { countsOfKeys, keysAfter } from '../../../src/features/anchors/anchors.store.ts';
import { plainPage } from '../../../src/features/entries/plain-page.store.ts';
import { countOfKey, threadList } from '../../../src/features/entries/threads.store.ts';

const pageRows = 26;
const countMax = 1000;
const parent = { parentType: 'app', parentId: 1 };
const place = { top: pageRows, skip: 0, afterId: 0 };
const keys = Array.from({ length: 100 }, (_, index) => `cell ${index * 400 + 1}`);

const shape = {
  ...{ descending: false, isAfter: false, isExpanded: false, isThreaded: true },
  ...{ isSecond: false, isAnchored: true, resolved: null },
};
const page = plainPage(shape);
const listed = threadList.page({ order: 'id', descending: true, settings: { scope: 'anchored' } });

/** An app with 100,000 threads that have a key, half of them the same one; `numbers` has as many rows. */
const content = (numbers: string) => `
  insert into apps (type, uid, access, tags, created_at, created_by_id) values ('comments', 'c', 'write', '[]', 1, 1);
  insert into entries (kind, app_id, parent_type, parent_id, content, attachment_count, option_count, created_at,
      created_by_id, anchor, anchor_key, resolved_at)
    select 'comment', 1, 'app', 1, '{}', 0, 0, n, 1, '{}', case when n % 2 = 0 then 'hot' else 'cell ' || n end,
      case when n % 10 = 0 then n end
    from ${numbers}`;
const count = 100_000;

const statements: readonly {
  readonly name: string;
  readonly statement: Statement<unknown>;
  readonly parameters: Parameters;
  /** The most rows that it may read. */
  readonly most: number;
  /** Whether it reads nothing but the index. */
  readonly isCovered: boolean;
}[] = [
  {
    name: 'a page of the threads with a key, as the engine joins it',
    statement: page,
    parameters: {
      ...{ ...parent, ...place, kind: 'comment', hasCount: 0, replies: 3, anchorKey: 'cell 40001' },
      ...{ end: ']', mark: '\n' },
    },
    most: 20,
    isCovered: false,
  },
  {
    name: 'a page of the threads with a key that half of them have',
    statement: listed,
    parameters: { ...parent, ...place, commentId: 0, anchorKey: 'hot' },
    most: 10 * pageRows,
    isCovered: false,
  },
  {
    name: 'the number of threads with a key',
    statement: countOfKey,
    parameters: { ...parent, anchorKey: 'cell 40001' },
    most: 2,
    isCovered: true,
  },
  {
    name: 'the counts of a hundred keys',
    statement: countsOfKeys,
    parameters: { appId: 1, keys, countMax },
    most: 2 * keys.length,
    isCovered: true,
  },
  {
    name: 'the counts of a key that half of them have',
    statement: countsOfKeys,
    parameters: { appId: 1, keys: ['hot'], countMax },
    most: 2 * countMax,
    isCovered: true,
  },
  {
    name: 'a hundred keys in their order',
    statement: keysAfter,
    parameters: { appId: 1, after: 'cell 5', top: 100 },
    most: 200,
    isCovered: true,
  },
];

// A product gives every cell of a table a key, and a hostile client one to a hundred thousand comments.
describe('threads with a key', () => {
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
    await stores.postgres.query(content(`generate_series(1, ${count}) as n`));
    await stores.postgres.query('vacuum analyze entries');
    stores.sqlite.exec(
      content(
        `(with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${count}) select n from counted)`,
      ),
    );
  });
  after(() => stores.close());

  for (const { name, statement, parameters, most, isCovered } of statements) {
    for (const mode of ['generic', 'custom'] as const)
      it(`read few rows of PostgreSQL for ${name} (${mode})`, async () => {
        const plan = await planOn(stores, statement, { parameters, mode });
        assert.ok(plan.read('entries') <= most, plan.text);
      });

    it(`read their index on SQLite for ${name}`, () => {
      const { sql } = compile(statement, 'sqlite');
      const details = (stores.sqlite.prepare(`explain query plan ${sql}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .filter((detail) => detail.includes('entries'));
      const index = isCovered ? /USING COVERING INDEX entries_anchors/ : /INDEX entries_anchors/;
      assert.ok(
        details.some((detail) => index.test(detail)),
        `${sql}\n${details.join('\n')}`,
      );
      assert.ok(!details.some((detail) => detail.startsWith('SCAN entries')), details.join('\n'));
    });

    it(`are the same on both engines for ${name}`, async () => {
      const { sqlite, postgres } = await stores.ask(statement, parameters);
      const plain = (rows: unknown[]) =>
        JSON.stringify(rows, (_, value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString() : value,
        );
      assert.equal(plain(sqlite), plain(postgres));
      assert.ok(sqlite.length > 0);
    });
  }

  it('are counted up to the most, the newest first', async () => {
    const { sqlite } = await stores.ask(countsOfKeys, {
      appId: 1,
      keys: ['hot', 'none', 'cell 1'],
      countMax,
    });
    assert.deepEqual(
      sqlite.map((row) => ({ ...row })),
      [
        { key: 'hot', count: 1000, openCount: 800 },
        { key: 'none', count: 0, openCount: 0 },
        { key: 'cell 1', count: 1, openCount: 1 },
      ],
    );
  });
});
