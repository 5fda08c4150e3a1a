import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { watchApp } from 'confab-testing/network/app-watch.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { createAppChanges } from '../../src/events/app-changes.ts';
import { clientLimits } from '../../src/http/limits/client-limits.ts';
import { createPlaces } from '../../src/http/limits/places.ts';
import { visitorWatchesMaxOf } from '../../src/http/limits/reader-room.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { visitor } from '../../src/kernel/principal.ts';
import { startWatches } from '../../src/realtime/watches.ts';

const open = { access: 'write', visitors: 'read' };

/** Shorter than what clients have, because each message waits for it. */
const watchEveryMs = 300;

// A watch reports every change in its app, and nothing else.
describe('watching an app', () => {
  const server = useServer({}, { limits: { watchEveryMs } });

  test('says of each kind of change that there was one', async () => {
    const app = await makeApp(server, open);
    const watch = await watchApp(server, app.id);
    assert.equal(watch.status, 200);
    const { token } = await makeUser(server);
    const { id } = await makeComment(server, app.id);
    await watch.next('created');
    const at = `/api/comments/${id}`;
    await server.call('PATCH', at, { text: 'other words' });
    await watch.next('edited');
    await server.call('POST', `${at}/reactions`, { content: '🎉' }, { as: token });
    await watch.next('reacted to');
    await server.call('POST', `${at}/hold`);
    await watch.next('held');
    await server.call('POST', `${at}/approve`);
    await watch.next('approved');
    await server.call('POST', `${at}/trash`);
    await watch.next('in the trash');
    await server.call('POST', `${at}/restore`);
    await watch.next('restored');
    await server.call('DELETE', at);
    await watch.next('deleted');
    const gaps = watch.messages.slice(1).map((time, index) => time - (watch.messages[index] ?? 0));
    // The last one may have been late on its way here.
    assert.ok(Math.min(...gaps) > watchEveryMs / 2, `${gaps}`);
    assert.equal(clientLimits.watchEveryMs, 1000);
  });

  test('says it once for many changes', async () => {
    const app = await makeApp(server, open);
    const watch = await watchApp(server, app.uid);
    const begun = performance.now();
    await Promise.all(Array.from({ length: 40 }, () => makeComment(server, app.id)));
    await watch.next('created');
    const { id } = await makeComment(server, app.id);
    await watch.next('created');
    assert.ok(id > 0);
    const messagesMax = Math.ceil((performance.now() - begun) / watchEveryMs) + 1;
    assert.ok(watch.messages.length <= messagesMax, `${watch.messages.length} of ${messagesMax}`);
  });

  test('says nothing of other apps', async () => {
    const [app, other] = [await makeApp(server, open), await makeApp(server, open)];
    const watches = [await watchApp(server, app.id), await watchApp(server, other.id)] as const;
    await makeComment(server, other.id);
    await watches[1].next('created');
    await makeComment(server, app.id);
    await watches[0].next('created');
    assert.deepEqual([watches[0].messages.length, watches[1].messages.length], [1, 1]);
  });

  test('says that an author has another name', async () => {
    const { uid, token } = await makeUser(server, { name: 'Ada' });
    const app = await makeApp(server, open);
    await makeComment(server, app.id, {}, { as: token });
    const watch = await watchApp(server, app.id);
    await server.call('PATCH', `/api/users/${uid}`, { name: 'Ada King' });
    await watch.next('renamed');
    assert.equal(watch.messages.length, 1);
  });

  test('is for pages of any origin and for no cache', async () => {
    const app = await makeApp(server, open);
    const { headers } = await watchApp(server, app.id, { headers: { origin: 'https://a.example' } });
    assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('access-control-allow-origin'), '*');
  });

  test('takes the token of a user in the query, and an API key', async () => {
    const app = await makeApp(server, { access: 'read' });
    const { token } = await makeUser(server);
    const watches = [
      await watchApp(server, app.id, { as: server.key }),
      await watchApp(server, app.id, { as: token }),
    ];
    const response = await fetch(`${server.url}/api/apps/${app.id}/changes?access_token=${token}`);
    assert.equal(response.status, 200);
    await response.body?.cancel();
    await makeComment(server, app.id);
    for (const watch of watches) await watch.next('created');
    assert.equal(watches[1]?.headers.get('access-control-allow-origin'), null);
  });

  test('is refused like reading', async () => {
    const app = await makeApp(server, { access: 'none' });
    const { token } = await makeUser(server);
    assertProblem(await watchApp(server, app.id), 401, 'unauthorized');
    assertProblem(await watchApp(server, app.id, { as: token }), 404, 'not_found');
    assertProblem(await watchApp(server, 999_999), 401, 'unauthorized');
    assertProblem(await watchApp(server, 999_999, { as: server.key }), 404, 'not_found');
  });
});

// A watch ends with the right of its caller to read the app.
describe('a watch ends', () => {
  let now = Date.parse('2026-11-26T08:00:00Z');
  const server = useServer({}, { clock: { now: () => now } });

  async function assertEndedBy(change: (app: { id: number; uid: string }) => Promise<{ status: number }>) {
    const app = await makeApp(server, open);
    const watch = await watchApp(server, app.id);
    const { status } = await change(app);
    assert.ok(status < 300, `${status}`);
    await watch.ended();
    assert.equal(watch.messages.length, 0);
  }

  test('where visitors are shut out', () =>
    assertEndedBy(({ id }) => server.call('PATCH', `/api/apps/${id}`, { visitors: null })));
  test('where users are shut out', () =>
    assertEndedBy(({ id }) => server.call('PATCH', `/api/apps/${id}`, { access: 'none' })));
  test('with the app in the trash', () =>
    assertEndedBy(({ id }) => server.call('POST', `/api/apps/${id}/trash`)));
  test('with the app', () => assertEndedBy(({ id }) => server.call('DELETE', `/api/apps/${id}`)));
  test('where the app moves into a directory', async () => {
    await server.create('/api/directories', { name: 'watched' });
    await assertEndedBy(({ id }) => server.call('PATCH', `/api/apps/${id}`, { directory: 'watched' }));
  });

  test('of a key, with the app in the trash', async () => {
    const app = await makeApp(server);
    const watch = await watchApp(server, app.id, { as: server.key });
    await server.call('POST', `/api/apps/${app.id}/trash`);
    await watch.ended();
    assert.equal(watch.messages.length, 0);
  });

  test('with the membership of its user, and others do not', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'none', members: { read: [ada, bob] } });
    const watches = [
      await watchApp(server, app.id, { as: ada.token }),
      await watchApp(server, app.id, { as: bob.token }),
    ] as const;
    await server.call('DELETE', `/api/apps/${app.id}/members/${ada.uid}`);
    await watches[0].ended();
    await watches[1].next('a member less');
    assert.equal(watches[1].state.ended, false);
  });

  test('with its token', async () => {
    const app = await makeApp(server, { access: 'read' });
    const { uid } = await makeUser(server);
    const { body } = await server.call('POST', `/api/users/${uid}/tokens`, { expires_in: 60 });
    const watch = await watchApp(server, app.id, { as: body.access_token });
    now += 61_000;
    await watch.ended();
    assert.equal(watch.messages.length, 0);
  });

  test('with the server', async () => {
    const app = await makeApp(server, open);
    const watch = await watchApp(server, app.id);
    await server.restart();
    assert.equal(watch.state.ended, true);
    const next = await watchApp(server, app.id);
    await makeComment(server, app.id);
    await next.next('created');
  });
});

// Clients without a credential have few places, so that they leave those of users alone.
describe('the places of watches', () => {
  const limits = { visitorWatchesPerAddressMax: 2, visitorWatchesMax: 3, livePerUserMax: 2 };
  const server = useServer({ CONFAB_TRUSTED_PROXIES: '127.0.0.1' }, { limits });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

  test('are few for an address and for all without a credential, and free when a stream ends', async () => {
    const app = await makeApp(server, open);
    const held = [
      await watchApp(server, app.id, from('203.0.113.1')),
      await watchApp(server, app.id, from('203.0.113.1')),
    ];
    const refused = await watchApp(server, app.id, from('203.0.113.1'));
    assertProblem(refused, 429, 'too_many_connections');
    assert.equal(refused.headers.get('retry-after'), '60');
    assert.equal(refused.headers.get('access-control-allow-origin'), '*');
    assert.equal(refused.headers.get('access-control-expose-headers'), 'link, allow, retry-after');
    held.push(await watchApp(server, app.id, from('203.0.113.2')));
    assertProblem(await watchApp(server, app.id, from('203.0.113.3')), 429, 'too_many_connections');
    const { token } = await makeUser(server);
    const own = await watchApp(server, app.id, { as: token, ...from('203.0.113.1') });
    assert.equal(own.status, 200);
    await held[0]?.close();
    const next = await poll('a free place', async () => {
      const tried = await watchApp(server, app.id, from('203.0.113.1'));
      return tried.status === 200 ? tried : undefined;
    });
    held.push(next);
    // Those that the server ends free theirs as well.
    await server.call('PATCH', `/api/apps/${app.id}`, { visitors: null });
    for (const watch of held) await watch.ended();
    await server.call('PATCH', `/api/apps/${app.id}`, { visitors: 'read' });
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.3']) {
      const watch = await watchApp(server, app.id, from(address));
      assert.equal(watch.status, 200);
      held.push(watch);
    }
    for (const watch of held) await watch.close();
  });

  test('of IPv6 are few for a line with many networks, and free again', async () => {
    const places = createPlaces(clientLimits);
    const addressOf = (site: number, subnet: number) =>
      `2001:db8:${site.toString(16)}:${subnet.toString(16)}`;
    const taken: string[] = [];
    const isTaken = (address: string) => {
      try {
        places.assertFree(address);
      } catch {
        return false;
      }
      places.count(address, 1);
      taken.push(address);
      return true;
    };
    const all = (length: number) => Array.from({ length }, (_, index) => index);
    assert.equal(all(10).filter(() => isTaken(addressOf(1, 0))).length, 6);
    assert.equal(all(256).filter((subnet) => isTaken(addressOf(1, subnet))).length, 18);
    assert.equal(all(65_536).filter((subnet) => isTaken(addressOf(1, subnet))).length, 96);
    assert.ok(isTaken(addressOf(2, 0)));
    assert.equal(all(10).filter(() => isTaken('203.0.113.9')).length, 6);
    for (const address of taken.splice(0)) places.count(address, -1);
    assert.equal(all(10).filter(() => isTaken(addressOf(1, 0))).length, 6);
  });

  test('are not taken by HEAD', async () => {
    const app = await makeApp(server, open);
    for (let times = 0; times < 5; times += 1) {
      const { status, text } = await server.call('HEAD', `/api/apps/${app.id}/changes`, undefined, {
        as: null,
      });
      assert.deepEqual([status, text], [200, '']);
    }
    const watch = await poll('a place', async () => {
      const tried = await watchApp(server, app.id, from('203.0.113.9'));
      return tried.status === 200 ? tried : undefined;
    });
    await watch.close();
  });

  test('of a user are among their live connections', async () => {
    const app = await makeApp(server, open);
    const { token } = await makeUser(server);
    for (const _ of [1, 2]) assert.equal((await watchApp(server, app.id, { as: token })).status, 200);
    const refused = await watchApp(server, app.id, { as: token });
    assertProblem(refused, 429, 'too_many_connections');
    assertProblem(
      await server.call('GET', '/api/events/stream', undefined, { as: token }),
      429,
      'too_many_connections',
    );
  });
});

// A page that many read costs the server as much when it changes as they read then.
describe('many readers of an app', () => {
  const readers = 220;
  const server = useServer({ CONFAB_VISITOR_STREAMS: String(readers) }, { limits: { watchEveryMs } });

  test('are told to read at different times, where few read at once, and have a number that a setting limits', async () => {
    const [busy, calm] = [await makeApp(server, open), await makeApp(server, open)];
    const few = [await watchApp(server, calm.id), await watchApp(server, calm.id)];
    const many = await Promise.all(Array.from({ length: readers - 2 }, () => watchApp(server, busy.id)));
    assert.deepEqual(new Set(many.map(({ status }) => status)), new Set([200]));
    assertProblem(await watchApp(server, calm.id), 429, 'too_many_connections');
    await makeComment(server, busy.id);
    await makeComment(server, calm.id);
    for (const watch of [...many, ...few]) await watch.next('created');
    assert.deepEqual(
      few.map(({ withins }) => withins),
      [[undefined], [undefined]],
    );
    assert.deepEqual(new Set(many.map(({ withins }) => withins[0])), new Set([(readers - 2) / 2]));
    for (const watch of many) await watch.close();
  });

  test('are 10,000, or fewer in a small memory, without the setting', () => {
    assert.equal(visitorWatchesMaxOf(undefined, 64e9), 10_000);
    assert.equal(visitorWatchesMaxOf(undefined, 500e6), 5000);
    assert.equal(visitorWatchesMaxOf(7, 500e6), 7);
  });
});

// Each form of a response that HTTP/1 has, besides the one that fetch uses.
describe('the stream of a watch', () => {
  const server = useServer({}, { limits: { watchEveryMs } });

  /** Sends text over a connection; resolves to what has come once it has `count` messages that something has changed. */
  async function converse(text: string, { id, count }: { id: number; count: number }): Promise<string> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(text);
    let answered = '';
    socket.on('data', (data) => {
      answered += data;
    });
    const messages = () => answered.split('event: changed').length - 1;
    await poll('the stream', () => (answered.includes(':\n\n') ? true : undefined));
    for (let sent = 0; sent < count; sent += 1) {
      await makeComment(server, id);
      await poll('a message', () => (messages() > sent ? true : undefined));
    }
    socket.destroy();
    return answered;
  }

  test('is plain for HTTP/1.0', async () => {
    const { id } = await makeApp(server, open);
    const answered = await converse(`GET /api/apps/${id}/changes HTTP/1.0\r\n\r\n`, { id, count: 2 });
    const [head, body] = answered.split('\r\n\r\n');
    assert.doesNotMatch(head ?? '', /transfer-encoding/i);
    assert.equal(body, `:\n\n${'event: changed\ndata: {}\n\n'.repeat(2)}`);
  });

  test('comes behind the response to an earlier request of its connection', async () => {
    const { id } = await makeApp(server, open);
    const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const list = line(`/api/apps/${id}/comments`);
    const answered = await converse(list + list + line(`/api/apps/${id}/changes`), { id, count: 2 });
    const parts = answered.split('HTTP/1.1 200 OK\r\n');
    assert.equal(parts.length, 4);
    const body = parts[3]?.slice((parts[3]?.indexOf('\r\n\r\n') ?? 0) + 4);
    const chunk = '19\r\nevent: changed\ndata: {}\n\n\r\n';
    assert.equal(body, `3\r\n:\n\n\r\n${chunk.repeat(2)}`);
  });
});

// What nobody reads costs the server nothing.
describe('a server', () => {
  const statements: string[] = [];
  const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
  const looks = () => statements.filter((sql) => /"app_id" as "appId", "action" from "events"/.test(sql));

  test('does not read the log while nobody watches', async () => {
    const app = await makeApp(server, open);
    const watch = await watchApp(server, app.id);
    await makeComment(server, app.id);
    await watch.next('created');
    assert.ok(looks().length > 0);
    await watch.close();
    const user = await makeUser(server);
    // The place of the closed stream is free once the server has noticed.
    await poll('the log to be left alone', async () => {
      statements.length = 0;
      await makeComment(server, app.id);
      await user.read('/api/user');
      return looks().length === 0 ? true : undefined;
    });
    for (let times = 0; times < 5; times += 1) await makeComment(server, app.id);
    assert.deepEqual(looks(), []);
  });

  test('cuts a watch whose client does not read', async () => {
    const app = await makeApp(server, open);
    const { db, log } = server.running;
    const watches = startWatches({
      db,
      changes: createAppChanges({ db }),
      clock: systemClock,
      log,
      limits: { ...clientLimits, unreadMs: 10 },
      shows: { typing: false, presence: false },
      assertRoom: () => undefined,
    });
    const opening = { caller: visitor, raw: { clientAddress: undefined }, on: app };
    const body = await watches.open(opening as unknown as Parameters<typeof watches.open>[0]);
    assert.equal(watches.count(), 1);
    await poll('the cut', () => (body.isOver ? true : undefined));
    await poll('the place', () => (watches.count() === 0 ? true : undefined));
    await watches.stop();
  });
});
