import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { planOn } from 'confab-testing/stores/plans.ts';
import { compile } from '../../../src/db/statement.ts';
import { reportList } from '../../../src/features/reports/reports.store.ts';

const appCount = 4000;
const reportCount = 40_000;
/** The reports of the two apps that the moderator has a role in, of which one in ten is resolved. */
const ownCount = (2 * reportCount) / appCount;

const shape = {
  order: 'reported_at',
  descending: true,
  settings: { reach: 'roles', state: 'open', hasApp: false, hasAuthor: false, hasReason: false, held: null },
} as const;
const asked = { userId: 2, directoryId: 0, appId: 0, authorId: 0, reason: '', top: 26, skip: 0, afterId: 0 };

/** A moderator of a few apps does not wait for the reports of all others. */
describe('the queue of a moderator', () => {
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
    const lite = (count: number) =>
      `(with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${count}) select n from counted)`;
    const post = (count: number) => `(select generate_series(1, ${count}) as n) as counted`;
    for (const [counted, run] of [
      [lite, async (text: string) => stores.sqlite.exec(text)],
      [post, async (text: string) => void (await stores.postgres.query(text))],
    ] as const)
      for (const text of [
        `insert into users (uid, display_name, created_at) select 'u' || n, 'User', 1 from ${counted(10)}`,
        `insert into apps (type, uid, access, created_at, created_by_id) select 'comments', 'a' || n, 'write', 1, 1 from ${counted(appCount)}`,
        `insert into members (app_id, user_id, access, role, created_at)
           select apps.id, users.id, 'write', 'member', 1 from apps, users where users.id > 1`,
        `update members set role = 'moderator' where user_id = 2 and app_id in (7, 207)`,
        `insert into reports (app_id, entity_type, entity_id, author_id, is_open, report_count, new_count, reasons, text_ids,
           created_at, reported_at, held) select 1 + n % ${appCount}, 'comment', n, 3, case when n / ${appCount} % 10 = 0 then 0 else 1 end,
           1, 1, '[]', '[]', n, n,
           case when n % 7 = 0 then '{"reason":"approval"}' end from ${counted(reportCount)}`,
        'analyze',
      ])
        await run(text);
  });
  after(() => stores.close());

  it('is the same on both engines', async () => {
    const { sqlite, postgres } = await stores.ask(reportList.page(shape), asked);
    assert.ok(sqlite.length > 10);
    assert.ok(sqlite.every(({ appId, isOpen }) => [7, 207].includes(appId) && isOpen === 1));
    assert.deepEqual(postgres, sqlite);
  });

  it('is found on SQLite by the roles of the user and the reports of these apps', () => {
    const { sql } = compile(reportList.page(shape), 'sqlite');
    const steps = stores.sqlite.prepare(`explain query plan ${sql}`).all();
    const plan = steps.map(({ detail }) => String(detail)).join('\n');
    assert.match(plan, /reports USING (?:COVERING )?INDEX reports_app \(app_id=\? AND is_open=\?\)/);
    assert.match(plan, /members USING INDEX members_moderated \(user_id=\?\)/);
  });

  it('of what is held is found on SQLite by an index of that alone', async () => {
    for (const [reach, index] of [
      ['roles', /reports_app_held \(app_id=\?\)/],
      ['all', /reports_held(?!_)/],
    ] as const) {
      const held = { ...shape, settings: { ...shape.settings, reach, state: null, held: true } } as const;
      const steps = stores.sqlite
        .prepare(`explain query plan ${compile(reportList.page(held), 'sqlite').sql}`)
        .all();
      assert.match(steps.map(({ detail }) => String(detail)).join('\n'), index);
      const { sqlite, postgres } = await stores.ask(reportList.page(held), asked);
      assert.ok(sqlite.length > 1 && sqlite.every((report) => report.held !== null));
      assert.deepEqual(postgres, sqlite);
    }
  });

  it('of what one user wrote is found on SQLite by the index of authors', () => {
    const settings = { ...shape.settings, reach: 'all', state: null, hasAuthor: true } as const;
    const { sql } = compile(reportList.page({ ...shape, settings }), 'sqlite');
    const steps = stores.sqlite.prepare(`explain query plan ${sql}`).all();
    const plan = steps.map(({ detail }) => String(detail)).join('\n');
    assert.match(plan, /reports USING (?:COVERING )?INDEX reports_author \(author_id=\?\)/);
  });

  it('makes PostgreSQL read no more than the reports of these apps', async () => {
    const plan = await planOn(stores, reportList.page(shape), { parameters: asked });
    // Twice each: to find those of the page, and to show them.
    assert.ok(plan.read('reports') <= 2 * ownCount, plan.text);
    assert.ok(plan.read('members') <= 10, plan.text);
  });
});
