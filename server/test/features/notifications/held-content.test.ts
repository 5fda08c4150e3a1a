import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, usePeople } from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();
const [author, reader] = usePeople(server, 'Author', 'Reader');

/** The notifications of the reader that show some words, as text. */
async function noticesWith(words: string): Promise<string[]> {
  await settledLog(server);
  const notices = await notificationsOf(server, reader.token);
  return notices.map((notice) => JSON.stringify(notice)).filter((text) => text.includes(words));
}

// Notifications of content come when others see it, and are withheld while they do not.
describe('the notifications of held content', () => {
  test('come when what an app asked to approve is approved', async () => {
    const { id: app } = await makeApp(server, { type: 'posts', access: 'write', approval: 'everything' });
    await reader.call('POST', `/api/apps/${app}/subscribe`);
    const post = await author.create(`/api/apps/${app}/posts`, { text: 'first words' });
    assert.equal((await noticesWith('first words')).length, 0);
    await server.call('POST', `/api/posts/${post.id}/approve`);
    assert.equal((await noticesWith('first words')).length, 1);
  });

  test('are withheld from when it is held until it is approved', async () => {
    const { id: app } = await makeApp(server, { type: 'posts', access: 'write' });
    await reader.call('POST', `/api/apps/${app}/subscribe`);
    const post = await author.create(`/api/apps/${app}/posts`, { text: 'second words' });
    assert.equal((await noticesWith('second words')).length, 1);
    await server.call('POST', `/api/posts/${post.id}/hold`);
    assert.equal((await noticesWith('second words')).length, 0);
    await server.call('POST', `/api/posts/${post.id}/approve`);
    assert.equal((await noticesWith('second words')).length, 1, 'it is told a second time, or not at all');
  });
});
