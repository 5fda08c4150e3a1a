import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useServer } from 'confab-testing/server.ts';

// The reference client creates its editor when it knows the current user, and offers mentions only if it knows by
// then that the server supports them.
describe('the responses that the reference client requests at once', () => {
  const server = useServer();

  /** Sends these requests concurrently in this order; returns them in the order of their responses. */
  async function ask(token: string, paths: readonly string[]): Promise<string[]> {
    const answered: string[] = [];
    const sending = { as: token, headers: { 'x-weavy-source': '@weavy/uikit-web@21.1.2' } };
    await Promise.all(
      paths.map(async (path) => {
        assert.equal((await server.call('GET', path, undefined, sending)).status, 200);
        answered.push(path);
      }),
    );
    return answered;
  }

  const [caller, features] = ['/api/user', '/api/features/comments'] as const;

  test('end with the caller, whichever was requested first', async () => {
    const token = await server.token('first');
    assert.deepEqual(await ask(token, [caller, features]), [features, caller]);
    assert.deepEqual(await ask(token, [features, caller]), [features, caller]);
  });

  test('end with the caller for each of several pages of one user', async () => {
    const token = await server.token('several');
    const answered = await ask(token, [caller, caller, caller, features, features, features]);
    assert.deepEqual(answered, [features, features, features, caller, caller, caller]);
  });

  test('do not wait for requests of another user', async () => {
    const [one, other] = [await server.token('one'), await server.token('other')];
    const [mine] = await Promise.all([ask(one, [caller, features]), ask(other, [features])]);
    assert.deepEqual(mine, [features, caller]);
  });

  test('come without the features where no client requests them', async () => {
    assert.deepEqual(await ask(await server.token('alone'), [caller]), [caller]);
  });
});
