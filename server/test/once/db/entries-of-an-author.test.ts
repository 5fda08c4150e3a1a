import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { planOn } from 'confab-testing/stores/plans.ts';
import { compile } from '../../../src/db/statement.ts';
import { entryList } from '../../../src/features/entries/entry-list.store.ts';

const pageRows = 26;
const settings = { kind: 'comment', trashed: false, search: 'none', hasTag: false, hasAuthor: true } as const;
const asked = {
  ...{ kind: 'comment' as const, parentType: '', parentId: 0, appId: 0, appIds: [], authorId: 3 },
  ...{ userId: 2, directoryId: 0, question: [], needles: [], tag: '', top: pageRows, skip: 0, afterId: 0 },
};

// A moderator reads what one user wrote, who wrote little of what the store has and long ago.
describe('the comments of an author', () => {
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
    await stores.postgres.query(`
      insert into users (uid, display_name, created_at) select 'u' || n, 'U', 1 from generate_series(1, 300) as n;
      insert into apps (type, uid, access, created_at, created_by_id) values
        ('comments', 'c', 'write', 1, 1), ('comments', 'd', 'write', 1, 1);
      insert into entries (kind, app_id, parent_type, parent_id, content, created_at, created_by_id)
        select 'comment', 1 + n % 2, 'app', 1 + n % 2, '{}', n, case when n <= 100 then 3 else 4 + n % 200 end
          from generate_series(1, 20000) as n;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select parent_type, parent_id, kind, app_id, count(*) from entries group by 1, 2, 3, 4;
      analyze`);
  });
  after(() => stores.close());

  for (const scope of ['all', 'visible'] as const) {
    const page = (order: string, descending: boolean) =>
      entryList.page({ order, descending, settings: { ...settings, scope } });

    for (const mode of ['generic', 'custom'] as const)
      it(`are read from an index where the list has ${scope} comments (${mode})`, async () => {
        const shown = await planOn(stores, page('id', true), { parameters: asked, mode });
        assert.ok(shown.read('entries') <= 10 * pageRows, shown.text);
        const count = entryList.count({ ...settings, scope });
        const counted = await planOn(stores, count, { parameters: asked, mode });
        assert.ok(counted.read('entries') <= 200, counted.text);
      });

    it(`are read from that index on SQLite as well where the list has ${scope} comments`, () => {
      const statements = [
        ...entryList.orders.flatMap((order) => [page(order, false), page(order, true)]),
        entryList.count({ ...settings, scope }),
      ];
      for (const statement of statements) {
        const { sql } = compile(statement, 'sqlite');
        const plan = stores.sqlite.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
        const details = plan.map(({ detail }) => detail);
        assert.ok(
          details.some((detail) => /entries USING (?:COVERING )?INDEX entries_author/.test(detail)),
          `${sql}\n${details.join('\n')}`,
        );
      }
    });
  }
});
