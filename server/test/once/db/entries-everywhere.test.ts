import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { planOn } from 'confab-testing/stores/plans.ts';
import { entryList } from '../../../src/features/entries/entry-list.store.ts';

const appCount = 2000;
const visibleApps = 1000;
const postCount = 1000;
const commentCount = 60_000;
const wordCount = 3000;
const pageRows = 26;
const reader = 2;

const settings = {
  scope: 'visible',
  kind: 'post',
  trashed: false,
  search: 'none',
  hasTag: false,
  hasAuthor: false,
} as const;
const asked = {
  ...{ kind: 'post' as const, parentType: '', parentId: 0, appId: 0, appIds: [], userId: reader },
  ...{ directoryId: 0, question: [], needles: [], tag: '', top: pageRows, skip: 0, afterId: 0 },
};

// What somebody sees in all their apps together is read row by row, whatever PostgreSQL takes its tables for.
describe('the entries of all apps that a user sees', () => {
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
    await stores.postgres.query(`
      insert into users (uid, display_name, created_at) select 'u' || n, 'User', 1 from generate_series(1, 10) as n;
      insert into apps (type, uid, access, created_at, created_by_id)
        select case when n > ${appCount - 2} then 'posts' else 'comments' end, 'a' || n, 'none', 1, 1
          from generate_series(1, ${appCount}) as n;
      insert into members (app_id, user_id, access, role, created_at)
        select id, ${reader}, 'read', 'member', 1 from apps where id > ${appCount - visibleApps};
      insert into entries (kind, app_id, parent_type, parent_id, content, created_at, created_by_id)
        select 'post', ${appCount} - n % 2, 'app', ${appCount} - n % 2, '{}', n, 1 from generate_series(1, ${postCount}) as n;
      insert into entries (kind, app_id, parent_type, parent_id, content, created_at, created_by_id)
        select 'comment', 1 + n % ${appCount}, 'app', 1 + n % ${appCount}, '{}', n, 1
          from generate_series(1, ${commentCount}) as n;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select parent_type, parent_id, kind, app_id, count(*) from entries group by 1, 2, 3, 4;
      insert into entry_search (rowid, words)
        select id, 'word' || id % ${wordCount} || case when id % 100 = 7 then ' rare' else ' common' end from entries where id <= 20000;
      analyze`);
  });
  after(() => stores.close());

  it('are read until there are enough for a page', async () => {
    for (const descending of [false, true]) {
      const [page] = entryList.probes({ order: 'id', descending, settings });
      assert.ok(page !== undefined);
      const plan = await planOn(stores, page, { parameters: asked });
      assert.ok(plan.read('entries') <= 10 * pageRows, plan.text);
    }
  });

  it('are not all read for a word that few have', async () => {
    const searched = { ...settings, kind: 'comment', search: 'few' } as const;
    const parameters = { ...asked, kind: 'comment' as const, question: ['"rare"'] };
    for (const order of ['id', 'created_at'] as const) {
      const page = entryList.page({ order, descending: true, settings: searched });
      const plan = await planOn(stores, page, { parameters });
      assert.ok(plan.read('entry_search') <= 500, plan.text);
    }
  });
});
