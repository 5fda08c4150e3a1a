import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { type AppWatch, watchApp } from 'confab-testing/network/app-watch.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type TestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { signInGuest } from 'confab-testing/visitors.ts';

const signIn = { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' };
const open = { access: 'write', visitors: 'write' };

const typeIn = (server: TestServer, app: number | string, as: string | null) =>
  server.call('PUT', `/api/apps/${app}/comments/typing`, undefined, { as });

/** The names of all whom a watch was told of. */
const namesIn = ({ writers }: AppWatch) => writers.flat().map(({ display_name: name }) => name);

async function hears(watch: AppWatch, name: string): Promise<void> {
  await poll(`that ${name} is writing`, () => namesIn(watch).includes(name) || undefined);
}

// Everyone who reads an app sees who is writing in it, where the operator wants it; nothing of it is stored.
describe('writing a comment where it is shown', () => {
  const server = useServer({ ...signIn, CONFAB_COMMENTS_TYPING: 'yes' });
  const store = useStoreWatch(server);

  test('is said to readers without a credential and to users, and not to oneself', async () => {
    const ada = await makeUser(server, { name: 'Ada' });
    const app = await makeApp(server, open);
    const guest = await signInGuest(server);
    const [reader, own, other] = [
      await watchApp(server, app.id),
      await watchApp(server, app.id, { as: ada.token }),
      await watchApp(server, app.id, { as: guest.access_token }),
    ];
    store.hasCommitted();
    assert.equal((await typeIn(server, app.uid, ada.token)).status, 204);
    await hears(reader, 'Ada');
    await hears(other, 'Ada');
    assert.equal((await typeIn(server, app.id, guest.access_token)).status, 204);
    const { display_name: name, id } = guest.user;
    await hears(own, name);
    assert.deepEqual(own.writers, [[], [{ id, display_name: name }]]);
    await hears(reader, name);
    assert.ok(!namesIn(other).includes(name));
    assert.equal(store.hasCommitted(), false);
    assert.deepEqual(reader.messages, []);
  });

  test('is said at most once a second, of at most ten', async () => {
    const people = await Promise.all(Array.from({ length: 14 }, () => makeUser(server)));
    const app = await makeApp(server, open);
    const watch = await watchApp(server, app.id);
    const begun = performance.now();
    for (const { token } of people) await typeIn(server, app.id, token);
    for (const { token } of people) await typeIn(server, app.id, token);
    await makeComment(server, app.id);
    await watch.next('created');
    await poll('the names', () => watch.writers.length > 1 || undefined);
    const secondsMax = Math.ceil((performance.now() - begun) / 1000);
    assert.ok(watch.writers.length <= secondsMax + 2, `${watch.writers.length} in ${secondsMax} s`);
    assert.ok(watch.writers.every((each) => each.length <= 10));
  });

  test('is not said of those whose comments would be held', async () => {
    const app = await makeApp(server, open);
    await server.call('PATCH', `/api/apps/${app.id}`, { approval: 'guests' });
    const watch = await watchApp(server, app.id);
    const guest = await signInGuest(server);
    const ada = await makeUser(server, { name: 'Ada' });
    assert.equal((await typeIn(server, app.id, guest.access_token)).status, 204);
    await typeIn(server, app.id, ada.token);
    await hears(watch, 'Ada');
    assert.deepEqual(namesIn(watch), ['Ada']);
  });

  test('is refused without a credential, without the right to write, and elsewhere', async () => {
    const { token } = await makeUser(server);
    const [app, readable, posts] = [
      await makeApp(server, open),
      await makeApp(server, { access: 'read' }),
      await makeApp(server, { access: 'write', type: 'posts' }),
    ];
    assertProblem(await typeIn(server, app.id, null), 401, 'unauthorized');
    assertProblem(await typeIn(server, app.id, server.key), 401, 'user_required');
    assertProblem(await typeIn(server, readable.id, token), 403, 'write_forbidden');
    assert.equal((await typeIn(server, posts.id, token)).status, 400);
    assertProblem(await typeIn(server, 999_999, token), 404, 'not_found');
  });
});

// Pages say nothing of it unless the operator wants them to; users with live connections hear of it as of all typing.
describe('writing a comment where it is not shown', () => {
  const server = useServer(signIn);

  test('is said to live connections alone', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, open);
    const watch = await watchApp(server, app.id);
    const live = await connectLive(server, bob.token);
    const channel = `a${app.id}:typing`;
    await live.subscribe(channel);
    await typeIn(server, app.id, ada.token);
    const { actor, entity, type } = await live.waitFor(channel);
    assert.deepEqual([actor.id, entity, type], [ada.id, { id: app.id, type: 'app' }, 'comment']);
    await makeComment(server, app.id);
    await watch.next('created');
    assert.deepEqual(watch.writers, []);
    await live.stop();
  });
});
