import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { HeldClock } from 'confab-testing/harness/held-clock.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import { before } from 'confab-testing/server.ts';

// A node goes on with the rights that a caller had at the last request, and answers by those of now.
describe('a request through one node, after another one has changed what its caller may do', () => {
  let nodes: Nodes;
  const clock = new HeldClock(Date.now());
  const logged: string[] = [];
  before(async () => {
    const logTo = { write: (line: string) => void logged.push(line) };
    nodes = await startNodes({ a: { clock }, b: { clock, logsRequests: true, logTo } });
  });
  after(() => nodes.close());

  /** Asks through the second node, makes a change through the first, and returns what the second answers then. */
  async function seenAfter(
    change: (on: { app: number; user: { id: number; token: string } }) => Promise<unknown>,
  ): Promise<{ status: number; app: number; comment: number }> {
    const { a, b } = nodes;
    const user = await makeUser(a);
    const app = (await makeApp(a, { access: 'none', members: { write: [user] } })).id;
    const comment = (await makeComment(a, app, { text: 'for members' })).id;
    await makeComment(a, app, { text: 'on the next page' });
    const list = () => b.call('GET', `/api/apps/${app}/comments?top=1`, undefined, { as: user.token });
    for (let asked = 0; asked < 2; asked += 1) {
      const { status, headers } = await list();
      assert.equal(status, 200);
      assert.ok(headers.has('link') && headers.has('allow'));
    }
    await change({ app, user });
    const [one, { status, headers }] = await Promise.all([
      b.call('GET', `/api/comments/${comment}`, undefined, { as: user.token }),
      list(),
    ]);
    assert.equal(one.status, status);
    // A refusal says nothing of the page that the caller would have had.
    assert.deepEqual([headers.has('link'), headers.has('allow')], [status === 200, status === 200]);
    return { status, app, comment };
  }

  test('is refused where it has removed the member', async () => {
    const { status } = await seenAfter(async ({ app, user }) => {
      const removed = await nodes.a.call('DELETE', `/api/apps/${app}/members/${user.id}`);
      assert.equal(removed.status, 204);
    });
    assert.equal(status, 404);
  });

  test('is refused where it has put the app in the trash', async () => {
    const { status } = await seenAfter(({ app }) => nodes.a.call('POST', `/api/apps/${app}/trash`));
    assert.equal(status, 404);
  });

  test('is refused where it has revoked the token', async () => {
    const { status } = await seenAfter(({ user }) => nodes.a.call('DELETE', `/api/users/${user.id}/tokens`));
    assert.equal(status, 401);
    // The log does not name a caller whom nobody has identified.
    const refusals = await poll('both refusals in the log', () => {
      const lines = logged
        .join('')
        .split('\n')
        .filter((line) => line.includes('"status":401'));
      return lines.length >= 2 ? lines : undefined;
    });
    assert.deepEqual(
      refusals.filter((line) => line.includes('"user_id"')),
      [],
    );
  });

  test('is refused where it has put the user in the trash', async () => {
    const { status } = await seenAfter(({ user }) => nodes.a.call('POST', `/api/users/${user.id}/trash`));
    assert.equal(status, 401);
  });

  test('has what the app is called now', async () => {
    const { app } = await seenAfter(({ app }) =>
      nodes.a.call('PATCH', `/api/apps/${app}`, { name: 'Renamed' }),
    );
    const name = async () => (await nodes.b.read(`/api/apps/${app}`)).name;
    assert.equal(await name(), 'Renamed');
    await nodes.a.call('PATCH', `/api/apps/${app}`, { name: 'Again' });
    assert.equal(await name(), 'Again');
  });

  test('answers at once who has been let in', async () => {
    const { a, b } = nodes;
    const user = await makeUser(a);
    const app = (await makeApp(a, { access: 'none' })).id;
    const status = async () =>
      (await b.call('GET', `/api/apps/${app}`, undefined, { as: user.token })).status;
    assert.equal(await status(), 404);
    assert.equal(await status(), 404);
    await a.call('PUT', `/api/apps/${app}/members/${user.id}`, { access: 'read' });
    assert.equal(await status(), 200);
  });

  test('is no use of a key that it has revoked', async () => {
    const { a, b } = nodes;
    const { keys } = a.running;
    const [revoked, other] = [await keys.create('revoked'), await keys.create('other')];
    const keyOf = async (name: string) => (await keys.list()).find((key) => key.name === name);
    const used = (name: string) =>
      poll(`the use of ${name}`, async () => (await keyOf(name))?.lastUsedAt ?? undefined);
    const status = async (as: string) => (await b.call('GET', '/api/site', undefined, { as })).status;
    assert.equal(await status(revoked), 200);
    const last = await used('revoked');
    await keys.revoke((await keyOf('revoked'))?.id ?? 0);
    clock.move(3_600_000);
    assert.equal(await status(revoked), 401);
    // What is noted later is stored later.
    assert.equal(await status(other), 200);
    await used('other');
    assert.equal(await used('revoked'), last);
  });
});
