import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { type AppWatch, watchApp } from 'confab-testing/network/app-watch.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type TestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { signInGuest } from 'confab-testing/visitors.ts';
import { clientLimits } from '../../../src/http/limits/client-limits.ts';
import { createHeadcount, type People, presentPeople } from '../../../src/realtime/headcount.ts';

const signIn = { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' };
const shown = { ...signIn, CONFAB_COMMENTS_PRESENCE: 'yes' };
const open = { access: 'write', visitors: 'write' };
/** Shorter than what clients have, because each number of people waits for it. */
const pace = { presenceEveryMs: 500, presenceSettleMs: 100 };
const from = (address: string) => ({ 'x-forwarded-for': address });

/** Watches an app as somebody who has it on the screen. */
const come = (
  server: TestServer,
  app: number | string,
  who: { as?: string; headers?: Record<string, string> } = {},
) => watchApp(server, app, { ...who, query: '?present=true' });

async function hears(watch: AppWatch, count: number): Promise<void> {
  await poll(`${count} people, not ${watch.counts}`, () => watch.counts.at(-1) === count || undefined);
}

// Everyone who reads an app knows how many people do, where the operator wants it, and nothing else of them.
describe('how many people are present', () => {
  const server = useServer(shown, { limits: pace });
  const store = useStoreWatch(server);

  test('is said to each who comes, and to the others when somebody comes and goes', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const guest = await signInGuest(server);
    const app = await makeApp(server, open);
    const commits = () => store.hasCommitted();
    commits();
    const reader = await come(server, app.id);
    await hears(reader, 1);
    const first = await come(server, app.uid, { as: ada.token });
    await hears(first, 2);
    // The same user again, another one, a guest with two pages, and another reader.
    const others = [
      await come(server, app.id, { as: ada.token }),
      await come(server, app.id, { as: bob.token }),
      await come(server, app.id, { as: guest.access_token }),
      await come(server, app.id, { as: guest.access_token }),
      await come(server, app.id),
    ];
    assert.equal(others.length, 5);
    for (const watch of [reader, first, ...others]) await hears(watch, 5);
    assert.deepEqual(
      others.map(({ counts }) => counts[0]),
      [2, 3, 4, 4, 5],
    );
    // One of two pages of Ada, and Bob.
    await others[0]?.close();
    await others[1]?.close();
    await hears(reader, 4);
    await first.close();
    await hears(reader, 3);
    assert.deepEqual(reader.messages, []);
    assert.equal(commits(), false);
  });

  test('counts those who say that they are people, and tells no others', async () => {
    const { token } = await makeUser(server);
    const app = await makeApp(server, open);
    const silent = [
      await watchApp(server, app.id),
      await watchApp(server, app.id, { as: token, query: '?present=false' }),
      await come(server, app.id, { as: server.key }),
    ];
    const elsewhere = await come(server, (await makeApp(server, open)).id);
    const reader = await come(server, app.id);
    await hears(reader, 1);
    const other = await come(server, app.id);
    await hears(reader, 2);
    await other.close();
    await hears(reader, 1);
    assert.deepEqual(
      silent.map(({ counts }) => counts),
      [[], [], []],
    );
    assert.deepEqual(elsewhere.counts, [1]);
  });

  test('is said at most at each interval, and not where it is the same again', async () => {
    const app = await makeApp(server, open);
    const reader = await come(server, app.id);
    const begun = performance.now();
    const { token } = await makeUser(server);
    // Whoever reloads the page is there all the time.
    for (let times = 0; times < 3; times += 1) {
      await (await come(server, app.id, { as: token })).close();
      await come(server, app.id, { as: token });
      await hears(reader, 2);
      for (let n = 0; n < 2; n += 1) await (await come(server, app.id)).close();
    }
    const intervalsMax = Math.ceil((performance.now() - begun) / pace.presenceEveryMs);
    assert.ok(reader.counts.length <= intervalsMax + 2, `${reader.counts}`);
    assert.deepEqual([clientLimits.presenceEveryMs, clientLimits.presenceSettleMs], [5000, 1000]);
    const stayed = [...reader.counts];
    await makeComment(server, app.id);
    await reader.next('created');
    assert.deepEqual(reader.counts, stayed);
  });

  test('ends with the right to read the app, and so does being counted', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'none', members: { read: [ada, bob] } });
    assertProblem(await come(server, app.id), 401, 'unauthorized');
    assertProblem(await come(server, app.id, { as: (await makeUser(server)).token }), 404, 'not_found');
    const [own, lost] = [
      await come(server, app.id, { as: ada.token }),
      await come(server, app.id, { as: bob.token }),
    ];
    await hears(own, 2);
    await server.call('DELETE', `/api/apps/${app.id}/members/${bob.uid}`);
    await lost.ended();
    await hears(own, 1);
    const told = lost.counts.length;
    await server.call('POST', `/api/apps/${app.id}/trash`);
    await own.ended();
    assert.equal(lost.counts.length, told);
  });
});

// Nobody seems to be more people than their address may have streams.
describe('the people of an address', () => {
  const limits = { ...pace, visitorWatchesPerAddressMax: 2 };
  const trusting = useServer({ ...shown, CONFAB_TRUSTED_PROXIES: '127.0.0.1' }, { limits });
  const unproxied = useServer(shown, { limits });

  test('are as many as it may have streams', async () => {
    const app = await makeApp(trusting, open);
    const headers = from('203.0.113.1');
    const first = await come(trusting, app.id, { headers });
    await come(trusting, app.id, { headers });
    assertProblem(await come(trusting, app.id, { headers }), 429, 'too_many_connections');
    const { access_token: as } = await signInGuest(trusting);
    assertProblem(await come(trusting, app.id, { as, headers }), 429, 'too_many_connections');
    await hears(first, 2);
    await hears(await come(trusting, app.id, { headers: from('203.0.113.2') }), 3);
  });

  test('are no more where it is not known, of those whom nobody knows', async () => {
    const app = await makeApp(unproxied, open);
    const first = await come(unproxied, app.id);
    for (let n = 0; n < 4; n += 1) await come(unproxied, app.id);
    const guest = await signInGuest(unproxied);
    await hears(await come(unproxied, app.id, { as: guest.access_token }), 2);
    const { token } = await makeUser(unproxied);
    await hears(await come(unproxied, app.id, { as: token }), 3);
    await hears(first, 3);
    assert.ok(
      first.counts.every((count) => count <= 3),
      `${first.counts}`,
    );
  });
});

// Where the operator does not want it, a stream says nothing of it.
describe('how many people are present, where it is not shown,', () => {
  const server = useServer(signIn);

  test('is said to nobody', async () => {
    const app = await makeApp(server, open);
    const { token } = await makeUser(server);
    const watches = [await come(server, app.id), await come(server, app.id, { as: token })];
    await makeComment(server, app.id);
    for (const watch of watches) await watch.next('created');
    assert.deepEqual(
      watches.map(({ counts }) => counts),
      [[], []],
    );
  });
});

/** A node whose notices the others hear. */
function nodesOf(count: number) {
  const notices: string[][] = Array.from({ length: count }, () => []);
  const nodes = notices.map((own) => createHeadcount({ send: (_, text) => void own.push(text) }));
  /** Lets all hear what was sent; returns how many notices it was. */
  const deliver = (now: number) => {
    const sent = notices.map((own) => own.splice(0));
    for (const [from, each] of sent.entries())
      for (const text of each)
        for (const [to, node] of nodes.entries()) if (to !== from) node.hear(text, now);
    return sent.flat();
  };
  return { nodes, deliver };
}

const people = (userIds: readonly number[], others = 0): People => ({ userIds: new Set(userIds), others });
const here = (...apps: readonly [number, People][]) => {
  const all = new Map(apps);
  return () => all;
};
const nobody = people([]);

// A node counts what the others have said, each user once, as long as they say it.
describe('a headcount over nodes', () => {
  test('has each user once, and the readers of all', () => {
    const { nodes, deliver } = nodesOf(3);
    nodes[0]?.notify(here([5, people([1, 2], 3)], [6, people([9])]), 0);
    nodes[1]?.notify(here([5, people([2, 4], 1)]), 0);
    assert.equal(deliver(0).length, 2);
    assert.equal(nodes[2]?.count(5, people([4, 7], 10)), 4 + 14);
    assert.equal(nodes[2]?.count(6, nobody), 1);
    assert.equal(nodes[1]?.count(5, people([2, 4], 1)), 3 + 4);
    assert.equal(nodes[0]?.count(7, people([1], 1)), 2);
  });

  test('is said every two seconds at most, and only where it has changed', () => {
    const { nodes, deliver } = nodesOf(2);
    const [node] = nodes;
    assert.equal(node?.notify(here([5, people([1])]), 0), 2000);
    assert.equal(node?.notify(here([5, people([2])]), 500), 1500);
    assert.equal(deliver(500).length, 1);
    node?.notify(here([5, people([1])], [6, people([3])]), 2000);
    assert.match(deliver(2000).join(), /^\S+ 6:0:3$/);
    node?.notify(here([5, people([1])], [6, people([3])]), 4000);
    assert.deepEqual(deliver(4000), []);
    // The last one leaves, of which the others are told once.
    assert.equal(node?.notify(here(), 6000), undefined);
    deliver(6000);
    assert.equal(nodes[1]?.count(5, nobody) ?? -1, 0);
    node?.notify(here(), 40_000);
    assert.deepEqual(deliver(40_000), []);
  });

  test('is repeated, and for a node that has just started', () => {
    const { nodes, deliver } = nodesOf(2);
    const [first, second] = nodes;
    first?.notify(here([5, people([1])]), 0);
    deliver(0);
    first?.notify(here([5, people([1])]), 30_000);
    assert.equal(deliver(30_000).length, 1);
    second?.notify(here([5, people([2])]), 31_000);
    deliver(31_000);
    first?.notify(here([5, people([1])]), 32_000);
    assert.equal(deliver(32_000).length, 1);
    assert.equal(second?.count(5, people([2])), 2);
  });

  test('forgets a node that is silent, and one that leaves', () => {
    const { nodes, deliver } = nodesOf(3);
    const [first, second, third] = nodes;
    first?.notify(here([5, people([1])]), 0);
    second?.notify(here([5, people([], 2)]), 0);
    deliver(0);
    second?.leave();
    deliver(1000);
    assert.equal(third?.count(5, nobody), 1);
    assert.deepEqual(third?.forget(74_999), []);
    assert.deepEqual(third?.forget(75_000), [5]);
    assert.equal(third?.count(5, nobody), 0);
  });

  test('fits into notices, however many there are', () => {
    const { nodes, deliver } = nodesOf(2);
    const many = Array.from({ length: 3000 }, (_, n) => 9_000_000_000_000_000 - n);
    const apps = many.map((id): [number, People] => [id, people([id], 1)]);
    nodes[0]?.notify(here([5, people(many, 7)], ...apps), 0);
    const notices = deliver(0);
    assert.ok(notices.length > 1);
    assert.ok(notices.every((text) => Buffer.byteLength(text) <= 7999));
    assert.equal(nodes[1]?.count(5, nobody), 3007);
    assert.equal(nodes[1]?.count(many.at(-1) ?? 0, nobody), 2);
  });

  test('counts visitors who are known as users', () => {
    const visitor = (id: number, way: string | null, address?: string) => ({
      principal: { kind: 'visitor' as const, user: { id, way } },
      address,
    });
    const unknown = [visitor(0, null), visitor(0, null), visitor(1, 'guest'), visitor(2, 'guest')];
    assert.deepEqual(presentPeople(unknown, 3), people([1], 2));
    const known = [visitor(3, 'email'), visitor(4, 'github'), visitor(3, 'email')];
    assert.deepEqual(presentPeople([...known, ...unknown], 0), people([3, 4]));
    assert.deepEqual(presentPeople([visitor(0, null, 'a'), visitor(5, 'guest', 'a')], 0), people([5], 1));
  });
});
