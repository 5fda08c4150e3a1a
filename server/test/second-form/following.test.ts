import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { type Caller, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const closed = useServer({ CONFAB_PEOPLE: 'shared' });
const watch = useStoreWatch(server);

const follow = (by: Caller, user: number | string) => by.call('POST', `/api/users/${user}/follow`);
const unfollow = (by: Caller, user: number | string) => by.call('POST', `/api/users/${user}/unfollow`);
const card = (by: Caller, user: number | string) => inSecondForm(by).call('GET', `/api/users/${user}`);

async function isFollowed(by: Caller, user: number): Promise<boolean> {
  return (await card(by, user)).body.is_followed;
}

describe('following', () => {
  test('is set once and ended once, and only who follows hears of it', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => follow(ada, n % 2 === 0 ? bob.id : bob.uid)),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
    assert.deepEqual([await isFollowed(ada, bob.id), await isFollowed(bob, ada.id)], [true, false]);
    for (let n = 0; n < 2; n += 1) assert.equal((await unfollow(ada, bob.uid)).status, 204);
    assert.equal(await isFollowed(ada, bob.id), false);
    const events = watch.rows(
      `select action, user_id as user from events where entity_type = 'user' and entity_id = ${bob.id}
       and action like '%followed' order by id`,
    );
    assert.deepEqual(
      events.map(({ action, user }) => [action, Number(user)]),
      [
        ['user_followed', ada.id],
        ['user_unfollowed', ada.id],
      ],
    );
  });

  test('shows in its event no more of the user than others see', async () => {
    const ada = await makeUser(server);
    const bob = await makeUser(server, { name: 'Bob', email: 'bob@example.com' });
    await follow(ada, bob.id);
    const [event] = (await ada.read('/api/events?before=9007199254740991&top=1')).data as any[];
    assert.equal(event.action, 'user_followed');
    assert.deepEqual([event.user.display_name, event.user.email], ['Bob', undefined]);
  });

  test('is refused for oneself, and for whom one may not see', async () => {
    const ada = await makeUser(server);
    await makeDirectory(server, 'elsewhere');
    const eve = await makeUser(server, { directory: 'elsewhere' });
    const gone = await makeUser(server);
    await server.call('POST', `/api/users/${gone.id}/trash`);
    for (const act of [follow, unfollow]) {
      const { body } = await act(ada, ada.id);
      assert.deepEqual([body.status, body.errors[0].pointer], [422, '/user']);
      for (const hidden of [eve.id, gone.id, 1, 'nobody', '0', 'a b'])
        assertProblem(await act(ada, hidden), 404, 'not_found');
      assertProblem(await act(server, eve.id), 401, 'user_required');
    }
    assert.deepEqual(watch.rows(`select * from follows where user_id = ${ada.id}`), []);
  });

  test('is erased with either of the two', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    await follow(ada, bob.id);
    await follow(bob, ada.id);
    const { body } = await server.call('DELETE', `/api/users/${ada.id}`);
    const erasure = await poll('the end of the erasure', async () => {
      const read = await server.read(`/api/erasures/${body.id}`);
      return read.state === 'finished' ? read : undefined;
    });
    assert.equal(erasure.counts.follows, 2);
    assert.deepEqual(watch.rows(`select * from follows where ${ada.id} in (user_id, followed_id)`), []);
  });
});

describe('the card of a user', () => {
  test('has for others what they see of each other, and everything for oneself and keys', async () => {
    const ada = await makeUser(server);
    const fields = {
      name: 'Bob',
      nickname: 'Bobby',
      email: 'b@example.com',
      phone_number: '1',
      comment: 'c',
    };
    const bob = await makeUser(server, fields);
    const seen = ({ name, nickname, email, phone_number: phone, comment, is_followed: followed }: any) => [
      ...[name, nickname, email, phone, comment, followed],
    ];
    const all = ['Bob', 'Bobby', 'b@example.com', '1', 'c', undefined];
    const { body } = await card(ada, bob.uid);
    assert.deepEqual(seen(body), ['Bob', 'Bobby', undefined, undefined, undefined, false]);
    assert.deepEqual([body.is_agent, body.directories, body.presence], [false, [], 'away']);
    for (const by of [bob, server]) assert.deepEqual(seen((await card(by, bob.id)).body), all);
    assertProblem(await ada.call('GET', `/api/users/${bob.id}`), 403, 'key_only');
  });

  test('is there for the server and for who was deleted, under the ids that clients know', async () => {
    const ada = await makeUser(server);
    const gone = await makeUser(server);
    await server.call('DELETE', `/api/users/${gone.id}`);
    for (const user of [0, 1]) assert.equal((await card(ada, user)).body.id, 0);
    for (const user of [-1, gone.id]) {
      const { id, name } = (await card(ada, user)).body;
      assert.deepEqual([id, name], [-1, 'Deleted user']);
    }
    assertProblem(await card(ada, 999_999), 404, 'not_found');
    assertProblem(await card(ada, gone.uid), 404, 'not_found');
  });

  test('is that of a member of an app of the caller, whoever made the app, and of no other stranger', async () => {
    const [ada, bob, eve] = [await makeUser(closed), await makeUser(closed), await makeUser(closed)];
    assertProblem(await card(ada, bob.id), 404, 'not_found');
    const app = await makeApp(closed);
    await addMembers(closed, app.id, { read: [ada, bob], none: [eve] });
    assert.equal((await card(ada, bob.id)).status, 200);
    assertProblem(await card(ada, eve.id), 404, 'not_found');
    assert.equal((await follow(ada, bob.id)).status, 204);
    await closed.call('POST', `/api/apps/${app.id}/trash`);
    assertProblem(await card(ada, bob.id), 404, 'not_found');
  });
});
