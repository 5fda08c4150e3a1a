import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AppFields, makeApp, makeComment, makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { closedWith, connectLive, type Live } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { useServer } from 'confab-testing/server.ts';

let now = Date.parse('2026-11-21T08:00:00Z');
const server = useServer({}, { clock: { now: () => now } });

type Change = {
  readonly name: string;
  readonly of: AppFields;
  readonly end: (app: number, uid: string) => Promise<unknown>;
};

const changes: readonly Change[] = [
  {
    name: 'a member is removed',
    of: {},
    end: (app, uid) => server.call('DELETE', `/api/apps/${app}/members/${uid}`),
  },
  {
    name: 'a member is left without access',
    of: { access: 'read' },
    end: (app, uid) => server.call('PUT', `/api/apps/${app}/members/${uid}`, { access: 'none' }),
  },
  {
    name: 'the app is trashed',
    of: {},
    end: (app) => server.call('POST', `/api/apps/${app}/trash`),
  },
];

/** Waits for an event of an app that all users can read: when it arrives, everything before it has arrived. */
async function settled(lives: readonly Live[], mark: number): Promise<void> {
  const channel = `a${mark}:comment_created`;
  const { id } = await makeComment(server, mark);
  for (const live of lives) await live.waitFor(channel, ({ comment }) => comment.id === id);
}

// A user who cannot see an app receives none of its events, whether access ended before subscribing or after.
describe('access', () => {
  test('is checked for each event, so subscribing reveals nothing about an app', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const [hidden, mark] = [await makeApp(server), await makeApp(server, { access: 'read' })];
    await server.call('PUT', `/api/apps/${hidden.id}/members/${ada.uid}`);
    const lives = [await connectLive(server, ada.token), await connectLive(server, bob.token)];
    for (const live of lives)
      await live.subscribe(
        `a${hidden.id}:comment_created`,
        `a${hidden.id}:app_updated`,
        'a987654321:comment_created',
        'comment_created',
        `a${mark.id}:comment_created`,
      );
    await makeComment(server, hidden.id);
    await server.call('PATCH', `/api/apps/${hidden.id}`, { name: 'Other' });
    await settled(lives, mark.id);
    const channels = lives.map((live) => live.received.map(([channel]) => channel).sort());
    assert.deepEqual(channels, [
      [
        `a${hidden.id}:app_updated`,
        `a${hidden.id}:comment_created`,
        'comment_created',
        `a${mark.id}:comment_created`,
      ].sort(),
      [`a${mark.id}:comment_created`],
    ]);
    for (const live of lives) await live.stop();
  });

  for (const { name, of, end } of changes)
    test(`ends when ${name}`, async () => {
      const bob = await makeUser(server);
      const [app, mark] = [await makeApp(server, of), await makeApp(server, { access: 'read' })];
      await server.call('PUT', `/api/apps/${app.id}/members/${bob.uid}`);
      const live = await connectLive(server, bob.token);
      const channel = `a${app.id}:comment_created`;
      await live.subscribe(channel, `a${mark.id}:comment_created`);
      const { id } = await makeComment(server, app.id);
      await live.waitFor(channel);
      await end(app.id, bob.uid);
      if (name.includes('trashed')) await server.call('POST', `/api/apps/${app.id}/restore`);
      else await makeComment(server, app.id);
      await settled([live], mark.id);
      assert.deepEqual(
        live.received.filter(([seen]) => seen === channel).map(([, { comment }]) => comment.id),
        [id],
      );
      await live.stop();
    });

  test('ends and begins again with the access of the app and with the directory', async () => {
    await makeDirectory(server, 'guests');
    const bob = await makeUser(server, { directory: 'staff' });
    const [app, mark] = [
      await makeApp(server, { access: 'read' }),
      await makeApp(server, { access: 'read' }),
    ];
    const live = await connectLive(server, bob.token);
    const channel = `a${app.id}:comment_created`;
    await live.subscribe(channel, `a${mark.id}:comment_created`);
    const shown: number[] = [];
    async function change(fields: object, isShown: boolean): Promise<void> {
      assert.equal((await server.call('PATCH', `/api/apps/${app.id}`, fields)).status, 200);
      const { id } = await makeComment(server, app.id);
      if (isShown) shown.push(id);
      // Access is checked when the event is sent.
      await settled([live], mark.id);
    }
    await change({ name: 'x' }, true);
    await change({ access: 'none' }, false);
    await change({ access: 'read' }, true);
    await change({ directory: 'guests' }, false);
    await change({ directory: 'staff' }, true);
    await server.call('PATCH', `/api/users/${bob.uid}`, { directory: 'guests' });
    await change({ name: 'y' }, false);
    await settled([live], mark.id);
    assert.deepEqual(
      live.received.filter(([seen]) => seen === channel).map(([, { comment }]) => comment.id),
      shown,
    );
    await live.stop();
  });

  test('to an event just before it ends has ended as well', async () => {
    const bob = await makeUser(server);
    const [app, mark] = [await makeApp(server), await makeApp(server, { access: 'read' })];
    await server.call('PUT', `/api/apps/${app.id}/members/${bob.uid}`);
    const live = await connectLive(server, bob.token);
    const channel = `a${app.id}:comment_created`;
    await live.subscribe(channel, `a${mark.id}:comment_created`);
    const requests = Array.from({ length: 20 }, () => makeComment(server, app.id));
    const removal = server.call('DELETE', `/api/apps/${app.id}/members/${bob.uid}`);
    await removal;
    const seen = live.ids(channel).length;
    await Promise.all(requests);
    await settled([live], mark.id);
    // Events sent before the response to the removal may still arrive, but none is sent after it.
    assert.ok(live.ids(channel).length <= 20 && live.ids(channel).length >= seen);
    const after = await makeComment(server, app.id);
    await settled([live], mark.id);
    assert.ok(live.received.every(([, { comment }]) => comment.id !== after.id));
    await live.stop();
  });
});

// A connection ends when the credential that opened it ends.
describe('a connection', () => {
  const ends: { [name: string]: (uid: string) => Promise<unknown> } = {
    'the tokens are revoked': (uid) => server.call('DELETE', `/api/users/${uid}/tokens`),
    'the user is suspended': (uid) => server.call('PATCH', `/api/users/${uid}`, { is_suspended: true }),
    'the user is trashed': (uid) => server.call('POST', `/api/users/${uid}/trash`),
  };
  for (const [name, end] of Object.entries(ends))
    for (const carrier of ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)
      test(`over ${carrier} ends when ${name}`, async () => {
        const bob = await makeUser(server);
        const app = await makeApp(server, { access: 'read' });
        const live = await connectLive(server, bob.token, { carrier });
        await live.subscribe(`a${app.id}:comment_created`);
        const { status } = (await end(bob.uid)) as { status: number };
        assert.ok(status < 300, String(status));
        await makeComment(server, app.id);
        assert.match(await closedWith(live), /Unauthorized|401/);
        assert.deepEqual(live.received, []);
        await assert.rejects(connectLive(server, bob.token), /Unauthorized|401/);
      });

  test('ends when its token expires', async () => {
    const { uid } = await makeUser(server);
    const { body } = await server.call('POST', `/api/users/${uid}/tokens`, { expires_in: 60 });
    const live = await connectLive(server, body.access_token);
    await live.subscribe('message_created');
    now += 61_000;
    assert.match(await closedWith(live), /Unauthorized/);
  });

  test('stays when another token of the user or another user changes', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'read' });
    const live = await connectLive(server, bob.token);
    await live.subscribe(`a${app.id}:comment_created`);
    await server.call('DELETE', `/api/users/${ada.uid}/tokens`);
    await server.call('PATCH', `/api/users/${bob.uid}`, { name: 'Bob' });
    const { id } = await makeComment(server, app.id);
    assert.equal((await live.waitFor(`a${app.id}:comment_created`)).comment.id, id);
    await live.stop();
    assert.equal(await poll('the end', () => (live.state.closed ? true : undefined)), true);
  });
});
