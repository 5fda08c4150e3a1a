import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { planOn } from 'confab-testing/stores/plans.ts';
import { compile } from '../../../src/db/statement.ts';
import { feedList } from '../../../src/features/posts/feed.store.ts';

const pageRows = 26;
const plain = { trashed: false, hasQuestion: false, hasTag: false, isNewer: false } as const;
const asked = {
  ...{ appIds: [2, 3], newerThan: 39_950, userId: 2, directoryId: 0, question: [], tag: '' },
  ...{ top: pageRows, skip: 0, afterId: 0 },
};

/** User 2 follows ten users, who wrote little of what the store has and long ago; two apps have little of it as well. */
describe('the posts of a feed', () => {
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
    await stores.postgres.query(`
      insert into users (uid, display_name, created_at) select 'u' || n, 'U', 1 from generate_series(1, 300) as n;
      insert into follows (user_id, followed_id) select 2, 10 + n from generate_series(1, 10) as n;
      insert into apps (type, uid, access, created_at, created_by_id)
        select 'posts', 'p' || n, 'write', 1, 1 from generate_series(1, 3) as n;
      insert into entries (kind, app_id, parent_type, parent_id, content, created_at, created_by_id)
        select case when n % 2 = 0 then 'post' else 'comment' end, app, 'app', app, '{}', n,
          case when n <= 200 then 11 + n % 10 else 30 + n % 200 end
          from (select n, case when n <= 100 then 2 + n / 2 % 2 else 1 end as app from generate_series(1, 40000) as n) as made;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select parent_type, parent_id, kind, app_id, count(*) from entries group by 1, 2, 3, 4;
      analyze`);
  });
  after(() => stores.close());

  const feeds = {
    followed: {
      settings: { ...plain, apps: 'visible', isFollowed: true },
      index: 'entries_posts_author',
      most: 100,
    },
    'followed in some apps': {
      settings: { ...plain, apps: 'given', isFollowed: true },
      index: 'entries_posts_author',
      most: 100,
    },
    'of some apps': {
      settings: { ...plain, apps: 'given', isFollowed: false },
      index: 'entries_parent',
      most: 50,
    },
    'newer in some apps': {
      settings: { ...plain, apps: 'given', isFollowed: false, isNewer: true },
      index: 'entries_parent',
      most: 50,
    },
    newer: {
      settings: { ...plain, apps: 'visible', isFollowed: false, isNewer: true },
      index: 'entries_kind',
      most: 60,
    },
  } as const;

  for (const [name, { settings, index, most }] of Object.entries(feeds)) {
    const page = feedList.page({ order: 'id', descending: true, settings });
    const count = feedList.count(settings);

    // A plan for any apps reads this small table as a whole, to look up the rows of the page in it.
    for (const mode of settings.isFollowed ? (['generic', 'custom'] as const) : (['custom'] as const))
      it(`${name} are read from an index (${mode})`, async () => {
        for (const statement of [page, count]) {
          const shown = await planOn(stores, statement, { parameters: asked, mode });
          assert.ok(shown.read('entries') <= most + pageRows, shown.text);
        }
      });

    it(`${name} are read from that index on SQLite as well`, () => {
      for (const statement of [page, count]) {
        const { sql } = compile(statement, 'sqlite');
        const plan = stores.sqlite.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
        const details = plan.map(({ detail }) => detail);
        const isRead = details.some((detail) =>
          new RegExp(`entries USING (COVERING )?INDEX ${index}`).test(detail),
        );
        assert.ok(isRead, `${sql}\n${details.join('\n')}`);
      }
    });
  }
});
