import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addMembers,
  makeApp,
  makeComment,
  makePost,
  makeUser,
  type Person,
} from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

async function toldTo({ token }: Person): Promise<string[]> {
  await settledLog(server);
  return (await notificationsOf(server, token)).map(({ plain }) => plain).reverse();
}

async function world() {
  const [ada, bob] = [await makeUser(server, { name: 'Ada' }), await makeUser(server, { name: 'Bob' })];
  const app = await makeApp(server, { access: 'write', name: 'Plans' });
  return { ada, bob, app, mention: `[Bob](@u${bob.id})` };
}

// A mentioned user is notified once, if they may read the text.
describe('a mention', () => {
  test('is rendered and notifies the mentioned user once for each text', async () => {
    const { ada, bob, app, mention } = await world();
    const comment = await makeComment(ada, app.id, { text: `${mention} and ${mention}` });
    assert.match(comment.html ?? '', new RegExp(`<span class="mention" data-user-id="${bob.id}">Bob</span>`));
    assert.equal(comment.plain, 'Bob and Bob');
    assert.deepEqual(await toldTo(bob), ['Ada mentioned you in Plans: Bob and Bob']);
  });

  test('works in posts and messages', async () => {
    const { ada, bob, mention } = await world();
    const posts = await makeApp(server, { type: 'posts', access: 'write', name: 'News' });
    const chat = await makeApp(server, { type: 'chat', access: 'write', name: 'Talk' });
    const as = { as: ada.token };
    await server.call('POST', `/api/apps/${posts.id}/posts`, { text: mention }, as);
    await server.call('POST', `/api/apps/${chat.id}/messages`, { text: mention }, as);
    assert.deepEqual(await toldTo(bob), ['Ada mentioned you in News: Bob', 'Ada mentioned you in Talk: Bob']);
  });

  test('is the strongest of several reasons, with one notification for each event', async () => {
    const { ada, bob, app, mention } = await world();
    const posts = await makeApp(server, { type: 'posts', access: 'write', name: 'News' });
    for (const id of [app.id, posts.id]) await bob.call('POST', `/api/apps/${id}/subscribe`);
    const first = await makeComment(bob, app.id, { text: 'first' });
    const metadata = { parent_id: first.id };
    await makeComment(ada, app.id, { text: mention, metadata });
    await makeComment(ada, app.id, { text: 'no mention', metadata });
    const post = await makePost(bob, posts.id);
    await ada.call('POST', `/api/posts/${post}/comments`, { text: 'on it' });
    assert.deepEqual(await toldTo(bob), [
      'Ada mentioned you in Plans: Bob',
      'Ada replied to your comment in Plans: no mention',
      'Ada commented on your post in News: on it',
    ]);
  });

  test('of oneself, of an unknown user, in code, or of a user who may not read the app notifies nobody', async () => {
    const { ada, bob, mention } = await world();
    const closed = await makeApp(server, { name: 'Closed', members: { write: [ada] } });
    const text = `[me](@u${ada.id}) ${mention} [x](@u987654321) [x](@u0) [x](@u1) \`[x](@u${ada.id})\``;
    await makeComment(ada, closed.id, { text });
    // Who may read is judged when the log is read.
    await settledLog(server);
    await addMembers(server, closed.id, { write: [bob] });
    await makeComment(ada, closed.id, { text: `\`${mention}\`` });
    assert.deepEqual([await toldTo(ada), await toldTo(bob)], [[], []]);
  });

  test('that an edit adds notifies users who were not notified before', async () => {
    const { ada, bob, app, mention } = await world();
    const eve = await makeUser(server, { name: 'Eve' });
    const comment = await makeComment(ada, app.id, { text: mention });
    for (const text of ['none', `${mention} [Eve](@u${eve.id})`, `${mention} [Eve](@u${eve.id}) again`])
      await ada.call('PATCH', `/api/comments/${comment.id}`, { text });
    assert.deepEqual(await toldTo(bob), ['Ada mentioned you in Plans: Bob']);
    assert.deepEqual(await toldTo(eve), ['Ada mentioned you in Plans: Bob Eve']);
  });

  test('of a hundred users notifies the first fifty', async () => {
    const { ada, bob, app } = await world();
    const many = Array.from({ length: 49 }, (_, i) => `[x](@u${900_000 + i})`).join(' ');
    await makeComment(ada, app.id, { text: `${many} [Bob](@u${bob.id})` });
    await makeComment(ada, app.id, { text: `${many} [x](@u999999) [Bob](@u${bob.id})` });
    assert.equal((await toldTo(bob)).length, 1);
  });

  test('shortens a long text', async () => {
    const { ada, bob, app, mention } = await world();
    await makeComment(ada, app.id, { text: `${mention}\n\n${'👩‍👩‍👧'.repeat(300)}` });
    await makeComment(ada, app.id, { text: `${mention} ${'a '.repeat(20_000)}` });
    const [emoji = '', words = ''] = await toldTo(bob);
    // 136 code points are left: 27 families of five, and one that would be cut.
    assert.equal(emoji, `Ada mentioned you in Plans: Bob ${'👩‍👩‍👧'.repeat(27)}…`);
    assert.ok(words.endsWith('a a…') && words.length < 200);
  });
});
