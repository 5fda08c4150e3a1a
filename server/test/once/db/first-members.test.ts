import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { planOn } from 'confab-testing/stores/plans.ts';
import { compile } from '../../../src/db/statement.ts';
import { firstMembersOf } from '../../../src/features/members/members.store.ts';

const appCount = 20;
const memberCount = 1000;
const top = 25;
const asked = { appIds: Array.from({ length: appCount }, (_, index) => index + 1), top };

/** A page of apps with their first members costs the same however many members the apps have. */
describe('the first members of apps', () => {
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
        `insert into users (uid, display_name, created_at) select 'u' || n, 'User', 1 from ${counted(memberCount)}`,
        `insert into apps (type, uid, access, created_at, created_by_id) select 'chat_room', 'a' || n, 'none', 1, 1 from ${counted(appCount)}`,
        `insert into members (app_id, user_id, access, created_at) select apps.id, users.id, 'write', 1 from apps, users where users.id > 1`,
        'update users set suspended_at = 1 where id % 7 = 3',
        'update users set trashed_at = 1 where id % 11 = 5',
        'analyze',
      ])
        await run(text);
  });
  after(() => stores.close());

  it('are those with the lowest ids who are neither suspended nor in the trash', async () => {
    const ids = Array.from({ length: memberCount }, (_, index) => index + 2)
      .filter((id) => id % 7 !== 3 && id % 11 !== 5)
      .slice(0, top);
    const { sqlite, postgres } = await stores.ask(firstMembersOf, asked);
    assert.deepEqual(
      sqlite.map(({ appId, id }) => [appId, id]),
      asked.appIds.flatMap((appId) => ids.map((id) => [appId, id])),
    );
    assert.deepEqual(postgres, sqlite);
  });

  it('are looked up on SQLite, each by its key', () => {
    const steps = stores.sqlite.prepare(`explain query plan ${compile(firstMembersOf, 'sqlite').sql}`).all();
    const ofMembers = steps.map(({ detail }) => String(detail)).filter((step) => / members /.test(step));
    assert.equal(ofMembers.length, 1);
    assert.match(ofMembers[0] ?? '', /\(app_id=\? AND user_id=\?\)$/);
  });

  it('are the only members that PostgreSQL reads', async () => {
    const plan = await planOn(stores, firstMembersOf, { parameters: asked });
    // Twice each: to find the first ones, with those between them who are not listed, and to show them.
    assert.ok(plan.read('members') <= appCount * top * 3, plan.text);
  });
});
