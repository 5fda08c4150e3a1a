import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { watchStore } from 'confab-testing/stores/store-watch.ts';

let statements: string[] = [];
const server = useServer({}, { onStatement: (sql) => statements.push(sql) });

/** Ada does to Bob, in two apps, whatever notifies him. */
describe('the list of notifications by type and app', () => {
  let ada: Person;
  let bob: Person;
  let pages: { readonly id: number; readonly uid: string };
  let news: { readonly id: number; readonly uid: string };
  let closed: { readonly id: number; readonly uid: string };

  before(async () => {
    [ada, bob] = [await makeUser(server, { name: 'Ada' }), await makeUser(server, { name: 'Bob' })];
    pages = await makeApp(server, { access: 'write', name: 'Pages' });
    news = await makeApp(server, { type: 'posts', access: 'write', name: 'News' });
    closed = await makeApp(server, { access: 'write', name: 'Closed' });
    await bob.call('POST', `/api/apps/${news.id}/subscribe`);
    const own = await makeComment(bob, pages.id, { text: 'What for lunch?' });
    await makeComment(ada, pages.id, { text: 'Soup', reply_to: own.id });
    await ada.call('POST', `/api/comments/${own.id}/reactions`, { content: '👍' });
    await makeComment(ada, pages.id, { text: `[Bob](@u${bob.id}) look` });
    await ada.create(`/api/apps/${news.id}/posts`, { text: 'something new' });
    await makeComment(ada, closed.id, { text: `[Bob](@u${bob.id}) secret` });
    // A notification of the host product about nothing here.
    await inSecondForm(server).create('/api/notifications', { user: bob.id, template: 'The soup is ready' });
    await settledLog(server);
    await server.call('PATCH', `/api/apps/${closed.id}`, { access: 'none' });
  });

  const list = async (query: string) => await bob.read(`/api/notifications?order_by=id&${query}`);
  const words = async (query: string) =>
    ((await list(query)).data as { plain: string }[]).map(({ plain }) => plain);

  test('has what is of the type, and counts it', async () => {
    const counts = { '': 6, 'type=mention': 2, 'type=reaction': 1, 'type=activity': 3, 'type=other': 6 };
    for (const [query, expected] of Object.entries(counts)) {
      const { data, count } = await list(query);
      assert.deepEqual([data.length, count], [expected, expected], query);
    }
    assert.deepEqual(await words('type=activity&action=comment_created'), [
      'Ada replied to your comment in Pages: Soup',
    ]);
    assert.deepEqual(await words('type=mention&action=post_created'), []);
    assert.deepEqual(await words('type=mention&q=look'), ['Ada mentioned you in Pages: Bob look']);
    // A type has no influence on what notifications do not have.
    for (const none of ['tag=x', 'trashed=true', 'action=no_such'])
      assert.equal((await list(`type=activity&${none}`)).count, 0, none);
  });

  test('has what is about the app, by its id or uid', async () => {
    for (const app of [pages.id, pages.uid]) assert.equal((await list(`app=${app}`)).count, 3);
    assert.deepEqual(await words(`app=${news.uid}`), ['Ada posted in News: something new']);
    assert.deepEqual(await words(`app=${pages.id}&type=reaction`), [
      'Ada reacted to your comment in Pages: 👍',
    ]);
    assert.equal((await list(`app=${pages.id}&unread=true&action=comment_created`)).count, 2);
    // What is about nothing is about no app either.
    for (const app of [closed.id, closed.uid, 'none', '0', '-1', '9007199254740992', "'"]) {
      const { data, count } = await list(`app=${encodeURIComponent(app)}`);
      assert.deepEqual([data, count], [[], 0], String(app));
    }
  });

  test('is read from the index of what limits it most', async () => {
    const indexes = {
      'type=mention': 'notifications_type',
      'type=mention&action=comment_created': 'notifications_type',
      'type=activity&action=comment_created': 'notifications_action',
      'type=mention&unread=true': 'notifications_unread',
      [`app=${pages.id}`]: 'notifications_app',
      [`app=${pages.id}&type=mention&action=comment_created`]: 'notifications_app',
    };
    const watch = watchStore(server.folder);
    try {
      for (const [query, index] of Object.entries(indexes)) {
        statements = [];
        await bob.read(`/api/notifications?${query}`);
        // The page and its count.
        const own = statements.filter((sql) => /from "notifications"/.test(sql) && /"users"/.test(sql));
        assert.equal(own.length, 2, query);
        for (const sql of own) {
          const { scans, sorts, steps } = watch.plan(sql);
          // PostgreSQL chooses by how many rows there are, and these are few.
          const expected = new RegExp(engine === 'sqlite' ? `\\b${index}\\b` : '\\bnotifications_');
          assert.ok(
            steps.some((step) => expected.test(step)),
            [query, ...steps].join('\n'),
          );
          assert.deepEqual([scans, sorts], [[], []], steps.join('\n'));
        }
      }
    } finally {
      watch.close();
    }
  });
});
