import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { planOn } from 'confab-testing/stores/plans.ts';
import { entryList } from '../../../src/features/entries/entry-list.store.ts';

const appComments = 20_000;
const postComments = 2000;
const pageRows = 26;

const settings = {
  scope: 'below',
  kind: 'comment',
  trashed: false,
  search: 'none',
  hasTag: false,
  hasAuthor: false,
} as const;
const asked = {
  ...{
    kind: 'comment' as const,
    parentType: 'app',
    parentId: 0,
    appId: 2,
    appIds: [],
    userId: 1,
    directoryId: 0,
  },
  ...{ question: [], needles: [], tag: '', top: pageRows, skip: 0, afterId: 0 },
};

// A page of the comments on the posts of an app costs the same however many comments the store has.
describe('the comments on the posts of an app', () => {
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
    await stores.postgres.query(`
      insert into apps (type, uid, access, created_at, created_by_id) values
        ('comments', 'c', 'write', 1, 1), ('posts', 'p', 'write', 1, 1);
      insert into entries (kind, app_id, parent_type, parent_id, content, created_at, created_by_id, modified_at)
        select 'comment', 1, 'app', 1, '{}', n, 1, case when n % 20 = 0 then n end
          from generate_series(1, ${appComments}) as n;
      insert into entries (kind, app_id, parent_type, parent_id, content, created_at, created_by_id, modified_at)
        select 'comment', 2, 'post', 1 + n % 50, '{}', n, 1, case when n % 20 = 0 then n end
          from generate_series(1, ${postComments}) as n;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select parent_type, parent_id, kind, app_id, count(*) from entries group by 1, 2, 3, 4;
      analyze`);
  });
  after(() => stores.close());

  for (const order of ['id', 'created_at', 'modified_at'] as const)
    for (const descending of [false, true])
      for (const mode of ['generic', 'custom'] as const)
        it(`are read from an index by ${order}${descending ? ' from the last' : ''} (${mode})`, async () => {
          const page = entryList.page({ order, descending, settings });
          const plan = await planOn(stores, page, { parameters: asked, mode });
          // The few that were changed may be sorted; otherwise a page is found, and shown.
          assert.ok(plan.read('entries') <= 10 * pageRows, plan.text);
        });
});
