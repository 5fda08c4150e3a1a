import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

const mail = (as: string) => server.as(as).call('GET', '/api/user/mail');
const choose = (body: object, as: string) => server.as(as).call('PATCH', '/api/user/mail', body);

// Each user chooses what they are sent; a server that sends none keeps the choice.
describe('the settings of mail', () => {
  test('are everything at first, and what the user chooses then', async () => {
    const { token } = await makeUser(server, { email: 'ada@example.com' });
    assert.deepEqual((await mail(token)).body, {
      address: 'ada@example.com',
      is_refused: false,
      mail: 'all',
      new_comments: false,
    });
    for (const choice of ['direct', 'none', 'all']) {
      assert.equal((await choose({ mail: choice }, token)).body.mail, choice);
      assert.equal((await mail(token)).body.mail, choice);
    }
  });

  test('have no address for a user without one', async () => {
    const { token } = await makeUser(server);
    assert.deepEqual((await mail(token)).body, { is_refused: false, mail: 'all', new_comments: false });
  });

  test('stay as they are, without an event, when nothing changes', async () => {
    const { token } = await makeUser(server);
    await choose({ mail: 'none' }, token);
    watch.hasChanged();
    for (const body of [{ mail: 'none' }, { new_comments: false }, {}])
      assert.equal((await choose(body, token)).status, 200);
    assert.equal(watch.hasChanged(), false);
  });

  test('take only what is a choice', async () => {
    const { token } = await makeUser(server);
    for (const wrong of ['some', '', null]) assert.equal((await choose({ mail: wrong }, token)).status, 422);
    assert.equal((await choose({ mail: 1 }, token)).status, 400);
  });
});
