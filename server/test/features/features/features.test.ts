import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { use, useServer } from 'confab-testing/server.ts';

const server = useServer();
const token = use(() => makeUser(server));

const ask = (set: string, as: string | null = token.token) =>
  server.as(as).call('GET', `/api/features/${set}`);

const texts = [
  'attachments',
  'embeds',
  'meetings',
  'mentions',
  'polls',
  'previews',
  'reactions',
  'thumbnails',
];

/** A client offers what works here and nothing else. */
describe('the features', () => {
  const sets = {
    chat: [...texts, 'receipts', 'typing'],
    comments: texts,
    feeds: ['comments', ...texts],
    files: ['comments', ...texts, 'versions'],
    messenger: [...texts, 'receipts', 'typing'],
  };
  for (const [set, features] of Object.entries(sets))
    test(`of ${set} are a bare list`, async () => {
      const { status, body } = await ask(set);
      assert.equal(status, 200);
      assert.deepEqual(body, features.toSorted());
    });

  for (const set of ['posts', 'Chat', 'toString', '__proto__', '%00'])
    test(`of ${set} do not exist`, async () => {
      assertProblem(await ask(set), 404, 'not_found');
    });

  test('are shown to users', async () => {
    assertProblem(await ask('chat', server.key), 401, 'user_required');
    assertProblem(await ask('chat', null), 401, 'unauthorized');
  });
});
