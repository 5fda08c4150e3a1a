import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { queryOf } from '../../src/db/postgres-connection.ts';
import { entryList } from '../../src/features/entries/entries.store.ts';
import { type BothStores, openBothStores } from '../support/both-stores.ts';

const appComments = 20_000;
const postComments = 2000;
const pageRows = 26;

const settings = {
  scope: 'below',
  trashed: false,
  hasQuestion: false,
  isFew: false,
  isSmall: false,
  hasTag: false,
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

/** The part of a plan of PostgreSQL that counts. */
type Step = {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
};

/** How many entries the steps of a plan have read. */
function entriesRead(step: Step): number {
  const read = (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
  const own = step['Relation Name'] === 'entries' ? read : 0;
  return (step.Plans ?? []).reduce((sum, part) => sum + entriesRead(part), own);
}

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
      for (const mode of ['force_generic_plan', 'force_custom_plan'])
        it(`are read from an index by ${order}${descending ? ' from the last' : ''} (${mode})`, async () => {
          const page = entryList.page({ order, descending, settings });
          const { text, values = [] } = queryOf(page, { parameters: asked }, { url: '', isPrepared: false });
          const given = values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join();
          await stores.postgres.query(`set plan_cache_mode = ${mode}; prepare page as ${text}`);
          const { rows } = await stores.postgres.query(
            `explain (analyze, format json) execute page (${given})`,
          );
          await stores.postgres.query('deallocate page');
          const plan: unknown = rows[0]['QUERY PLAN'];
          const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Step }];
          // The few that were changed may be sorted; otherwise a page is found, and shown.
          assert.ok(entriesRead(Plan) <= 10 * pageRows, JSON.stringify(plan));
        });
});
