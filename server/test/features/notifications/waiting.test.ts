import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, type Person, usePeople } from 'confab-testing/fixtures.ts';
import { notificationFaults, notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();
const [author, grace, linus] = usePeople(server, 'Author', 'Grace', 'Linus');

/** An app in which everything waits for Grace and Linus. */
async function heldApp(name = 'Letters') {
  const members = { moderator: [grace, linus] };
  return await makeApp(server, { access: 'write', approval: 'everything', name, members });
}

/** What a moderator hears of an app, the newest first. */
async function heard(by: Person, commentIds: readonly number[]) {
  await settledLog(server);
  const all = await notificationsOf(server, by.token);
  return (
    all
      // One about nothing that is there would stay unread for ever.
      .filter(({ link }) => link === undefined || commentIds.includes(link.id))
      .map(({ link, plain, is_unread }) => ({ id: link?.id, plain, is_unread }))
  );
}

const decide = (id: number, what: 'approve' | 'trash', by: Person = grace) =>
  by.call('POST', `/api/comments/${id}/${what}`);

// Who moderates hears that something waits, until there is a decision, and never what nobody has approved says.
describe('notifications of what waits for approval', () => {
  test('reach every moderator, without a word of the text, and nobody else', async () => {
    const app = await heldApp();
    const text = `terrible words for [Author](@u${author.id})`;
    const { id } = await makeComment(author, app.id, { text });
    const sentence = { id, plain: 'A comment waits for approval in Letters', is_unread: true };
    assert.deepEqual(await heard(grace, [id]), [sentence]);
    assert.deepEqual(await heard(linus, [id]), [sentence]);
    assert.deepEqual(await heard(author, [id]), []);
    assert.deepEqual(notificationFaults(server), []);
  });

  for (const what of ['approve', 'trash'] as const)
    test(`are withdrawn from all once a moderator decides to ${what}`, async () => {
      const app = await heldApp();
      const { id } = await makeComment(author, app.id, { text: 'words' });
      assert.equal((await heard(linus, [id])).length, 1);
      assert.equal((await decide(id, what)).status, 200);
      assert.deepEqual(await heard(grace, [id]), []);
      assert.deepEqual(await heard(linus, [id]), []);
      assert.deepEqual(notificationFaults(server), []);
    });

  test('come once for a burst, and go on to what still waits', async () => {
    const app = await heldApp();
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1)
      ids.push((await makeComment(author, app.id, { text: `words ${count}` })).id);
    const [first = 0, second = 0, ...rest] = ids;
    assert.deepEqual(
      (await heard(linus, ids)).map(({ id }) => id),
      [first],
    );
    await makeComment(author, app.id, { text: 'one more' });
    assert.equal((await heard(linus, ids)).length, 1);
    await decide(first, 'approve');
    assert.deepEqual(
      (await heard(linus, ids)).map(({ id }) => id),
      [second],
    );
    for (const id of [second, ...rest]) await decide(id, 'trash');
    assert.deepEqual(await heard(linus, ids), []);
    assert.deepEqual(notificationFaults(server), []);
  });

  test('say nothing of what was decided before they are read', async () => {
    const app = await heldApp();
    const { id } = await makeComment(author, app.id, { text: 'words' });
    await decide(id, 'approve');
    assert.deepEqual(
      (await heard(linus, [id])).filter(({ plain }) => plain.includes('waits')),
      [],
    );
  });

  test('reach users with the role of a moderator on a page that nobody manages', async () => {
    const { id: userId } = linus;
    await server.call('PATCH', `/api/users/${userId}`, { role: 'moderator' });
    const app = await makeApp(server, { access: 'write', approval: 'newcomers', name: 'A page' });
    const { id } = await makeComment(author, app.id, { text: 'words' });
    assert.equal((await heard(linus, [id])).length, 1);
    assert.deepEqual(await heard(grace, [id]), []);
  });
});
