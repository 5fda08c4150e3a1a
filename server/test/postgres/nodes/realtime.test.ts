import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { watchApp } from 'confab-testing/network/app-watch.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { closedWith, connectLive, type Live } from 'confab-testing/network/live.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import type { TestServer } from 'confab-testing/server.ts';
import type { Db } from '../../../src/db/db.ts';
import type { Parameters } from '../../../src/db/statement.ts';
import { userOfToken } from '../../../src/features/credentials/credentials.store.ts';
import { changesAfter, eventsAfter, shownEventsAfter } from '../../../src/realtime/log.store.ts';

/** The read after which node A pauses until the test releases it. */
type Stop = {
  readonly fits: (query: unknown, parameters: Parameters, rows: readonly unknown[]) => boolean;
  readonly isReached: PromiseWithResolvers<void>;
  readonly goOn: PromiseWithResolvers<void>;
};

let nodes: Nodes;
let stops: readonly Stop[] = [];

function stopWhere(fits: Stop['fits']): Stop {
  const stop = { fits, isReached: Promise.withResolvers<void>(), goOn: Promise.withResolvers<void>() };
  stops = [...stops, stop];
  return stop;
}

async function pass(query: unknown, parameters: Parameters, rows: readonly unknown[]): Promise<void> {
  const stop = stops.find((each) => each.fits(query, parameters, rows));
  if (stop === undefined) return;
  stops = stops.filter((each) => each !== stop);
  stop.isReached.resolve();
  await stop.goOn.promise;
}

function stoppable(db: Db): Db {
  const get: Db['read']['get'] = async (query, parameters) => {
    const row = await db.read.get(query, parameters);
    await pass(query, parameters, [row]);
    return row;
  };
  const all: Db['read']['all'] = async (query, parameters) => {
    const rows = await db.read.all(query, parameters);
    await pass(query, parameters, rows);
    return rows;
  };
  return {
    read: { get, all },
    readForList: async () => ({ get, all }),
    readLong: (_asked, work) => work({ get, all }),
    write: (work, kind) => db.write(work, kind),
    onCommit: (topic, listener) => db.onCommit(topic, listener),
    listenToPeers: () => db.listenToPeers(),
    ...(db.peers === undefined ? {} : { peers: db.peers }),
    forgetDeleted: () => db.forgetDeleted(),
    health: () => db.health(),
    close: () => db.close(),
  };
}

before(async () => {
  nodes = await startNodes(
    { a: { wrapDb: stoppable } },
    { CONFAB_COMMENTS_TYPING: 'yes', CONFAB_COMMENTS_PRESENCE: 'yes' },
  );
});
after(() => nodes.close());

function either(n: number): TestServer {
  return n % 2 === 0 ? nodes.a : nodes.b;
}

/** A comment in an app that all users can read: when it arrives, everything before it has arrived. */
async function settled(live: Live, mark: number): Promise<void> {
  const { id } = await makeComment(nodes.b, mark);
  await live.waitFor(`a${mark}:comment_created`, ({ comment }) => comment.id === id);
}

// A client receives every event once, in the order of the log, whichever node it is connected to and whichever
// node wrote the event.
describe('events over nodes', () => {
  test('reach clients of every node in order and once', async () => {
    const bob = await makeUser(nodes.a);
    const app = await makeApp(nodes.a, { access: 'write' });
    const lives = [await connectLive(nodes.a, bob.token), await connectLive(nodes.b, bob.token)];
    const streams = [await readEvents(nodes.a), await readEvents(nodes.b, { as: bob.token })];
    const channel = `a${app.id}:comment_created`;
    for (const live of lives) await live.subscribe(channel);
    const made = await Promise.all(Array.from({ length: 80 }, (_, n) => makeComment(either(n), app.id)));
    const ids = made.map(({ id }) => id).toSorted((x, y) => x - y);
    const last = ids.at(-1);
    for (const live of lives) {
      await live.waitFor(channel, ({ comment }) => comment.id === last);
      assert.deepEqual(
        live.received.map(([, { comment }]) => comment.id),
        ids,
      );
      await live.stop();
    }
    for (const stream of streams) {
      await stream.waitFor(({ comment }) => comment?.id === last);
      const comments = stream.events.filter(({ action }) => action === 'comment_created');
      assert.deepEqual(
        comments.map(({ comment }) => comment.id),
        ids,
      );
      await stream.close();
    }
  });

  test('are said to those who watch the app at another node', async () => {
    const app = await makeApp(nodes.a, { access: 'write', visitors: 'read' });
    const watch = await watchApp(nodes.a, app.id);
    await makeComment(nodes.b, app.id);
    await watch.next('created at the other node');
    await nodes.b.call('PATCH', `/api/apps/${app.id}`, { visitors: null });
    await watch.ended();
    assert.equal(watch.messages.length, 1);
  });

  test('who is writing is said at the other node', async () => {
    const app = await makeApp(nodes.a, { access: 'write', visitors: 'read' });
    const watch = await watchApp(nodes.a, app.id);
    const ada = await makeUser(nodes.a, { name: 'Ada' });
    await nodes.b.call('PUT', `/api/apps/${app.id}/comments/typing`, undefined, { as: ada.token });
    await poll('the name', () => watch.writers.flat().length > 0 || undefined);
    assert.deepEqual(watch.writers, [[], [{ id: ada.id, display_name: 'Ada' }]]);
  });

  test('how many people are present is said of all nodes, and a user counts once', async () => {
    const app = await makeApp(nodes.a, { access: 'write', visitors: 'read' });
    const { token } = await makeUser(nodes.a);
    const query = '?present=true';
    const shows = (watch: Awaited<ReturnType<typeof watchApp>>, count: number) =>
      poll(`${count}, not ${watch.counts}`, () => watch.counts.at(-1) === count || undefined);
    const reader = await watchApp(nodes.a, app.id, { query });
    const other = await watchApp(nodes.b, app.id, { query });
    const users = [
      await watchApp(nodes.a, app.id, { query, as: token }),
      await watchApp(nodes.b, app.id, { query, as: token }),
    ];
    for (const watch of [reader, other, ...users]) await shows(watch, 3);
    // A node that comes later hears of those who are there already, and takes its own with it when it stops.
    const third = await nodes.start();
    const late = await watchApp(third, app.id, { query });
    for (const watch of [late, reader, other]) await shows(watch, 4);
    await third.close();
    for (const watch of [reader, other]) await shows(watch, 3);
    for (const watch of users) await watch.close();
    await shows(reader, 2);
    await other.close();
    await shows(reader, 1);
    assert.ok(
      reader.counts.every((count) => count <= 4),
      `${reader.counts}`,
    );
    await reader.close();
  });

  test('come once to streams that begin during the writing, and to readers of the feed', async () => {
    const bob = await makeUser(nodes.a);
    const app = await makeApp(nodes.a, { access: 'write' });
    const { body } = await nodes.a.call('GET', '/api/events?after=999999999');
    assert.deepEqual(body.data, []);
    const first = await makeComment(nodes.a, app.id);
    let isDone = false;
    const made: number[] = [];
    const writing = Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        for (let k = 0; k < 25; k += 1) made.push((await makeComment(either(n), app.id)).id);
      }),
    ).finally(() => {
      isDone = true;
    });
    const streams = [];
    while (!isDone && streams.length < 24) {
      const as: string = streams.length % 2 === 0 ? bob.token : nodes.a.key;
      streams.push(await readEvents(either(streams.length >> 1), { as, path: '/api/events/stream?after=0' }));
    }
    const feeds = [nodes.a.key, bob.token].map(async (as) => {
      const seen: any[] = [];
      for (let at = 0, more = true; more || !isDone; ) {
        const page = await nodes.b.call('GET', `/api/events?after=${at}&top=7`, undefined, { as });
        seen.push(...page.body.data);
        [at, more] = [page.body.next, page.body.has_more];
      }
      return seen;
    });
    await writing;
    const end = await makeComment(nodes.b, app.id);
    const ids = [first.id, ...made, end.id].toSorted((x, y) => x - y);
    const commentsOf = (events: any[]) =>
      events
        .filter(({ action, comment }) => action === 'comment_created' && comment.app_id === app.id)
        .map(({ comment }) => comment.id);
    assert.ok(streams.length >= 4, `${streams.length} streams`);
    for (const stream of streams) {
      await stream.waitFor(({ comment }) => comment?.id === end.id);
      assert.deepEqual(commentsOf(stream.events), ids);
      await stream.close();
    }
    for (const seen of await Promise.all(feeds)) {
      const positions = seen.map(({ position }) => position);
      assert.deepEqual(
        positions,
        [...new Set(positions)].toSorted((x, y) => x - y),
      );
    }
  });

  test('are missed by no stream that reaches the end of the log while an event is being sent', async () => {
    const app = await makeApp(nodes.a);
    const first = await readEvents(nodes.a);
    const { id } = await makeComment(nodes.a, app.id);
    const { position } = await first.waitFor(({ comment }) => comment?.id === id);
    // The second read has found nothing more, but its result has not arrived yet.
    const page = stopWhere(
      (query, { top, after }) => query === shownEventsAfter && top === 100 && after === position,
    );
    const second = await readEvents(nodes.a, { path: `/api/events/stream?after=${position}` });
    await page.isReached.promise;
    // The tail has the recipients of the next event, but has notified none of them yet.
    let isTelling = false;
    const telling = stopWhere((query, { top }, rows) => {
      if (query === changesAfter && isTelling) return true;
      isTelling ||= query === eventsAfter && top === 200 && rows.length > 0;
      return false;
    });
    const next = await makeComment(nodes.b, app.id);
    await telling.isReached.promise;
    page.goOn.resolve();
    await second.waitFor(({ comment }) => comment?.id === next.id);
    telling.goOn.resolve();
    await first.waitFor(({ comment }) => comment?.id === next.id);
    const last = await makeComment(nodes.b, app.id);
    await second.waitFor(({ comment }) => comment?.id === last.id);
    assert.deepEqual(
      second.events.filter(({ action }) => action === 'comment_created').map(({ comment }) => comment.id),
      [next.id, last.id],
    );
    await first.close();
    await second.close();
  });

  test('reach a connection that was negotiated at another node, once and only for its user', async () => {
    const [bob, eve] = [await makeUser(nodes.a), await makeUser(nodes.a)];
    const path = '/hubs/rtm/negotiate?negotiateVersion=1';
    const { body } = await nodes.a.call('POST', path, undefined, { as: bob.token });
    const open = (as: string) =>
      nodes.b.call('GET', `/hubs/rtm?id=${encodeURIComponent(body.connectionToken)}`, undefined, { as });
    assert.equal((await open(eve.token)).status, 404);
    assert.equal((await open(bob.token)).status, 200);
    const changed = body.connectionToken.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A'));
    assert.equal(
      (await nodes.b.call('GET', `/hubs/rtm?id=${changed}`, undefined, { as: bob.token })).status,
      404,
    );
  });
});

// Access that is revoked on one node has ended on every node when the request returns.
describe('rights over nodes', () => {
  test('that are lost keep a client from everything, even from events that were read before and not yet sent', async () => {
    const bob = await makeUser(nodes.a);
    const [app, mark] = [await makeApp(nodes.a), await makeApp(nodes.a, { access: 'read' })];
    await nodes.a.call('PUT', `/api/apps/${app.id}/members/${bob.uid}`);
    const live = await connectLive(nodes.a, bob.token);
    const channel = `a${app.id}:comment_created`;
    await live.subscribe(channel, `a${mark.id}:comment_created`);
    const { id } = await makeComment(nodes.b, app.id);
    await live.waitFor(channel);
    const stop = stopWhere((query, _, rows) => query === eventsAfter && rows.length > 0);
    await makeComment(nodes.b, app.id);
    await stop.isReached.promise;
    const { status } = await nodes.b.call('DELETE', `/api/apps/${app.id}/members/${bob.uid}`);
    assert.equal(status, 204);
    stop.goOn.resolve();
    await settled(live, mark.id);
    assert.deepEqual(
      live.received.filter(([seen]) => seen === channel).map(([, { comment }]) => comment.id),
      [id],
    );
    await live.stop();
  });

  test('that end are refused at the other node once the change was answered', async () => {
    const app = await makeApp(nodes.a);
    const path = `/api/apps/${app.id}`;
    for (let round = 0; round < 20; round += 1) {
      const [one, other] = [either(round), either(round + 1)];
      const bob = await makeUser(one);
      const status = async () => (await other.call('GET', path, undefined, { as: bob.token })).status;
      assert.equal(await status(), 404);
      await one.call('PUT', `${path}/members/${bob.uid}`);
      assert.equal(await status(), 200);
      await one.call('DELETE', `${path}/members/${bob.uid}`);
      assert.equal(await status(), 404);
      await one.call('DELETE', `/api/users/${bob.uid}/tokens`);
      assert.equal(await status(), 401);
    }
  });

  test('end connections of a user to any node with their tokens', async () => {
    const bob = await makeUser(nodes.a);
    const live = await connectLive(nodes.a, bob.token);
    const stream = await readEvents(nodes.a, { as: bob.token });
    assert.equal((await nodes.b.call('DELETE', `/api/users/${bob.uid}/tokens`)).status, 200);
    assert.match(await closedWith(live), /Unauthorized|401/);
    await poll('the end of the stream', () => (stream.state.ended ? true : undefined));
  });

  test('that end while a client connects end its connection', async () => {
    const bob = await makeUser(nodes.a);
    const other = await readEvents(nodes.a);
    const { position } = await (async () => {
      const { id } = await makeApp(nodes.a);
      return await other.waitFor(({ app }) => app?.id === id);
    })();
    const proved = stopWhere((query) => query === userOfToken);
    const opening = connectLive(nodes.a, bob.token, { skipsNegotiation: true });
    await proved.isReached.promise;
    await nodes.b.call('DELETE', `/api/users/${bob.uid}/tokens`);
    // The connected users have been notified, so the tail has looked for connections of Bob and found none.
    await other.waitFor((event) => event.action === 'tokens_revoked' && event.position > position);
    proved.goOn.resolve();
    const live = await opening.catch(() => undefined);
    const ending = live === undefined ? 'Unauthorized' : await closedWith(live);
    assert.match(ending, /Unauthorized|401/);
    await other.close();
  });
});
