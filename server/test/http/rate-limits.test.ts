import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { exchange, requestBytes } from 'confab-testing/network/raw.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, useServer } from 'confab-testing/server.ts';
import { sendUpload } from 'confab-testing/uploads.ts';
import { makeSecret } from '../../src/features/credentials/secret-text.ts';

// The clock stands still at the beginning of a window of every kind.
let now = Date.parse('2026-11-21T07:40:00.000Z');
const server = useServer(
  {
    CONFAB_LIMITS_PERSON: 'read=8,search=2,write=5,upload=2,live=6',
    CONFAB_LIMITS_ADDRESS: 'read=12,write=7,search=off,upload=off,live=off,credential=3',
    CONFAB_TRUSTED_PROXIES: '127.0.0.1',
  },
  { clock: { now: () => now }, isQuiet: true },
);

let addresses = 0;
/** An address that no other test sends from. */
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

const from = (address: string, as?: string | null): Sending => ({
  headers: { 'x-forwarded-for': address },
  ...(as === undefined ? {} : { as }),
});
const nextWindow = (): void => {
  now = (Math.floor(now / 600_000) + 1) * 600_000;
};
const setUp = from('203.0.113.250');

/** A comments app in which everybody writes, and a user. */
async function world() {
  const app = await makeApp(server, { access: 'write' }, from(freshAddress()));
  const { token, uid } = await makeUser(server);
  nextWindow();
  return { app, token, uid, comments: `/api/apps/${app.id}/comments` as const };
}

// A caller who is beyond a limit is told so, has changed nothing, and goes on in the next window.
describe('the limit of a person', () => {
  test('is told with each answer, and refuses what is beyond it', async () => {
    const { token: as, comments } = await world();
    for (let left = 4; left >= 0; left -= 1) {
      const answer = await server.call('POST', comments, { text: 'x' }, from(freshAddress(), as));
      assert.equal(answer.status, 201, answer.text);
      assert.match(
        String(answer.headers.get('ratelimit')),
        /^"person-write";r=\d+;t=60, "address-write";r=6;t=60$/,
      );
      assert.equal(
        answer.headers.get('ratelimit-policy'),
        '"person-write";q=5;w=60, "address-write";q=7;w=60',
      );
    }
    const refused = await server.call('POST', comments, { text: 'x' }, from(freshAddress(), as));
    assertProblem(refused, 429, 'rate_limited');
    assert.equal(refused.headers.get('retry-after'), '60');
    assert.equal(refused.headers.get('ratelimit'), '"person-write";r=0;t=60');
    assert.equal(refused.headers.get('ratelimit-policy'), '"person-write";q=5;w=60');
    assert.match(String(refused.body.detail), /At most 5 requests of the kind "write" of a person/);
    const { body } = await server.call('GET', comments, undefined, from(freshAddress(), as));
    assert.equal(body.count, 5);

    now += 60_000;
    assert.equal((await server.call('POST', comments, { text: 'x' }, from(freshAddress(), as))).status, 201);
  });

  test('counts what a person of another token sends, and no other person', async () => {
    const { token, uid, comments } = await world();
    const { body } = await server.call('POST', `/api/users/${uid}/tokens`);
    const post = (as: string) => server.call('POST', comments, { text: 'x' }, from(freshAddress(), as));
    for (const as of [token, body.access_token, token, body.access_token, token])
      assert.equal((await post(as)).status, 201);
    assertProblem(await post(body.access_token), 429, 'rate_limited');
    const other = await makeUser(server);
    assert.equal((await post(other.token)).status, 201);
  });

  test('counts searches, uploads and typing apart', async () => {
    const { token: as, app } = await world();
    const get = (path: string) => server.call('GET', path, undefined, from(freshAddress(), as));
    const statuses = async (times: number, send: () => Promise<{ status: number }>) => {
      const sent: number[] = [];
      for (let turn = 0; turn < times; turn += 1) sent.push((await send()).status);
      return sent;
    };
    assert.deepEqual(await statuses(3, () => get('/api/apps?q=one')), [200, 200, 429]);
    assert.deepEqual(await statuses(2, () => get('/api/apps?q=&top=1')), [200, 200]);
    const upload = () => sendUpload(server, { bytes: new Uint8Array(3) }, from(freshAddress(), as));
    assert.deepEqual(await statuses(3, upload), [201, 201, 429]);
    const typing = () =>
      server.call('PUT', `/api/apps/${app.id}/messages/typing`, undefined, from(freshAddress(), as));
    const typed = await statuses(7, typing);
    assert.equal(typed[6], 429);
    assert.ok(!typed.slice(0, 6).includes(429));
  });

  test('counts what a live connection asks for', async () => {
    const { token } = await world();
    const live = await connectLive(server, token);
    // The negotiation counts as well.
    for (let app = 1; app <= 5; app += 1) await live.subscribe(`a${app}:comment_created`);
    await assert.rejects(live.subscribe('a9:comment_created'), /at most 6 messages a minute/);
    nextWindow();
    await live.subscribe('a9:comment_created');
    await live.stop();
  });

  test('is higher for a user with the role of a moderator, from the next request on', async () => {
    const { token: as, uid, comments } = await world();
    const policy = async () => {
      const { headers } = await server.call('GET', comments, undefined, from(freshAddress(), as));
      return headers.get('ratelimit-policy')?.split(', ')[0];
    };
    assert.equal(await policy(), '"person-read";q=8;w=60');
    await server.call('PATCH', `/api/users/${uid}`, { role: 'moderator' });
    assert.equal(await policy(), '"moderator-read";q=1000000;w=60');
  });

  test('is not that of an API key, which counts for itself whoever it acts for', async () => {
    const { uid, comments } = await world();
    for (let sent = 0; sent < 7; sent += 1) {
      const { headers } = from(freshAddress());
      const sending = { headers: { ...headers, 'x-confab-user': uid } };
      const answer = await server.call('POST', comments, { text: 'x' }, sending);
      assert.equal(answer.status, 201, answer.text);
      assert.match(String(answer.headers.get('ratelimit-policy')), /^"key-write";q=1000000;w=60, /);
    }
  });
});

// One address is limited whoever calls from it, and everybody else is not.
describe('the limit of an address', () => {
  test('counts all its callers together', async () => {
    const { comments } = await world();
    const address = freshAddress();
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    nextWindow();
    for (let sent = 0; sent < 7; sent += 1) {
      const as = sent % 2 === 0 ? ada.token : bob.token;
      assert.equal((await server.call('POST', comments, { text: 'x' }, from(address, as))).status, 201);
    }
    const refused = await server.call('POST', comments, { text: 'x' }, from(address, ada.token));
    assertProblem(refused, 429, 'rate_limited');
    assert.equal(refused.headers.get('ratelimit'), '"address-write";r=0;t=60');
    const elsewhere = await server.call('POST', comments, { text: 'x' }, from(freshAddress(), bob.token));
    assert.equal(elsewhere.status, 201);
  });

  test('is one for the addresses of a /64, and counts pages without a credential', async () => {
    nextWindow();
    const read = (host: string) =>
      server.call('GET', '/version', undefined, from(`2001:db8:5:5::${host}`, null));
    for (let host = 1; host <= 12; host += 1) {
      const answer = await read(String(host));
      assert.deepEqual(
        [answer.status, answer.headers.get('ratelimit')],
        [200, `"address-read";r=${12 - host};t=60`],
      );
    }
    assertProblem(await read('13'), 429, 'rate_limited');
    const other = await server.call('GET', '/version', undefined, from('2001:db8:5:6::1', null));
    assert.equal(other.status, 200);
  });

  test('cannot be escaped by what a client writes into X-Forwarded-For', async () => {
    nextWindow();
    const address = freshAddress();
    const statuses: number[] = [];
    for (let turn = 0; turn < 13; turn += 1)
      statuses.push(
        (await server.call('GET', '/version', undefined, from(`192.0.2.${turn}, ${address}`, null))).status,
      );
    assert.deepEqual(statuses, [...Array.from({ length: 12 }, () => 200), 429]);
  });
});

// Guessing is slow, and callers behind the same address who have worked before go on.
describe('unknown credentials', () => {
  const wrong = () => makeSecret('token');
  const get = (address: string, as: string) => server.call('GET', '/api/user', undefined, from(address, as));

  test('of one address are refused unseen beyond the limit, others are not', async () => {
    const { token, uid } = await world();
    const unseen = (await server.call('POST', `/api/users/${uid}/tokens`, undefined, setUp)).body
      .access_token;
    const address = freshAddress();
    assert.equal((await get(address, token)).status, 200);
    for (const as of [wrong(), makeSecret('key'), 'garbage'])
      assert.equal((await get(address, as)).status, 401);
    const refused = await get(address, wrong());
    assertProblem(refused, 429, 'rate_limited');
    assert.equal(refused.headers.get('ratelimit-policy'), '"address-credential";q=3;w=600');
    assert.equal(refused.headers.get('retry-after'), '600');
    // What is correct looks like what is not, unless it has worked before.
    assertProblem(await get(address, unseen), 429, 'rate_limited');
    assert.equal((await get(address, token)).status, 200);
    const elsewhere = freshAddress();
    assert.equal((await get(elsewhere, wrong())).status, 401);
    assert.equal((await get(elsewhere, unseen)).status, 200);
    assert.equal((await get(address, unseen)).status, 200);
    nextWindow();
    assert.equal((await get(address, wrong())).status, 401);
  });

  test('count once each, so a page that repeats a revoked token is no guesser', async () => {
    const { token, uid } = await world();
    await server.call('DELETE', `/api/users/${uid}/tokens`);
    const address = freshAddress();
    for (let turn = 0; turn < 5; turn += 1) assert.equal((await get(address, token)).status, 401);
    for (let turn = 0; turn < 2; turn += 1) assert.equal((await get(address, wrong())).status, 401);
    assertProblem(await get(address, wrong()), 429, 'rate_limited');
  });

  test('are not those that have expired', async () => {
    const address = freshAddress();
    const users = await Promise.all(Array.from({ length: 5 }, () => makeUser(server)));
    now += 24 * 3_600_000;
    for (const { token } of users) assert.equal((await get(address, token)).status, 401);
    assert.equal((await get(address, wrong())).status, 401);
  });

  test('count at every door: the state of the server and sockets', async () => {
    nextWindow();
    const address = freshAddress();
    for (let turn = 0; turn < 2; turn += 1)
      assert.equal((await server.call('GET', '/readyz', undefined, from(address, wrong()))).status, 401);
    const upgrade = () =>
      exchange(
        server.url,
        requestBytes({
          method: 'GET',
          target: '/hubs/rtm',
          headers: [
            `Authorization: Bearer ${wrong()}`,
            `X-Forwarded-For: ${address}`,
            'Connection: Upgrade',
            'Upgrade: websocket',
            'Sec-WebSocket-Version: 13',
            'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
          ],
        }),
      );
    assert.equal((await upgrade()).status, 401);
    const refused = await upgrade();
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '600']);
    const state = await server.call('GET', '/readyz', undefined, from(address, wrong()));
    assertProblem(state, 429, 'rate_limited');
  });
});
