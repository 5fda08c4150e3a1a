import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { watchApp } from 'confab-testing/network/app-watch.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { makeSigner, type Signer, sign, useProvider } from 'confab-testing/network/identity-provider.ts';
import { type Carrier, connectLive } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, freshUid, useServer } from 'confab-testing/server.ts';
import { upload } from 'confab-testing/uploads.ts';
import { signInGuest } from 'confab-testing/visitors.ts';

const clock = movableClock();
const provider = useProvider();
const common = { CONFAB_JWT_ISSUER: 'https://id.example.com', CONFAB_JWT_AUDIENCE: 'confab' };
const settings: Record<string, string> = {
  ...common,
  CONFAB_SIGN_IN: 'guest',
  CONFAB_SIGN_IN_PUZZLE: 'no',
  CONFAB_COMMENTS_PRESENCE: 'yes',
};
let signer: Signer;
before(async () => {
  signer = await makeSigner();
  provider.state.keys = [signer.jwk];
  settings.CONFAB_JWT_JWKS_URL = provider.url;
});
const livePerUserMax = 12;
/** Shorter than what servers have, because what ends without an event is found by it. */
const limits = { livePerUserMax, provedEveryMs: 2000, presenceEveryMs: 500, presenceSettleMs: 100 };
const server = useServer(settings, { clock, limits });

const seconds = () => Math.floor(clock.now() / 1000);
/** A token of the provider that is older than everything that ends it. */
const tokenOf = (sub: string) =>
  sign(signer, {
    iss: common.CONFAB_JWT_ISSUER,
    aud: common.CONFAB_JWT_AUDIENCE,
    sub,
    iat: seconds() - 60,
    exp: seconds() + 3600,
  });

/** The app and the callers of one column of the table. */
type World = {
  readonly app: number;
  readonly uid: string;
  readonly id: number;
  readonly jwt: string;
  readonly token: string;
  readonly guest: { readonly id: number; readonly token: string };
  readonly key: { readonly id: number; readonly secret: string };
};

async function makeWorld(): Promise<World> {
  const { id: app } = await makeApp(server, { access: 'write', visitors: 'write' });
  const uid = freshUid('person');
  const jwt = await tokenOf(uid);
  const { id } = await server.as(jwt).read('/api/user');
  const { body } = await server.call('POST', `/api/users/${id}/tokens`);
  for (let count = 0; count < 8; count += 1)
    await upload(server.as(jwt), { bytes: 'x'.repeat(4 * 1024 * 1024) });
  const guest = await signInGuest(server);
  const key = await server.create('/api/keys', { name: uid, scopes: ['all'] });
  return {
    app,
    uid,
    id,
    jwt,
    token: body.access_token,
    guest: { id: guest.user.id, token: guest.access_token },
    key: { id: key.id, secret: key.key },
  };
}

const ok = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  assert.ok(status < 300, text);
};

/** What happens meanwhile, to the user, the guest and the key of a world. */
const changes: { readonly [name: string]: (world: World) => Promise<unknown> } = {
  async rename({ id, guest }) {
    await ok(server.call('PATCH', `/api/users/${id}`, { uid: freshUid('renamed') }));
    await ok(server.call('PATCH', `/api/users/${guest.id}`, { name: freshUid('Renamed') }));
  },
  async erasure({ id, guest }) {
    for (const user of [id, guest.id]) await ok(server.call('DELETE', `/api/users/${user}?erase=true`));
  },
  async suspension({ id, guest }) {
    for (const user of [id, guest.id])
      await ok(server.call('PATCH', `/api/users/${user}`, { is_suspended: true }));
  },
  async 'lost access'({ app }) {
    await ok(server.call('PATCH', `/api/apps/${app}`, { access: 'none' }));
  },
  async 'ended token'({ id, guest, key }) {
    for (const user of [id, guest.id]) await ok(server.call('DELETE', `/api/users/${user}/tokens`));
    await ok(server.call('DELETE', `/api/keys/${key.id}`));
  },
};

/** Says what has become of something that was opened before a change. */
type Look = () => Promise<string> | string;

const hub =
  (carrier: Carrier, of: 'jwt' | 'token') =>
  async (world: World): Promise<Look> => {
    const { state } = await connectLive(server, world[of], { carrier });
    return () => (state.closed ? 'ends' : 'goes on');
  };

async function openSocket(): Promise<{ socket: Socket; said: () => string }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let said = '';
  socket
    .on('error', () => undefined)
    .on('data', (bytes) => {
      said += bytes.toString('latin1');
    });
  await once(socket, 'connect');
  return { socket, said: () => said };
}

/** Sends a request but for the last bytes of its body, and those once the change has been made. */
const slowly =
  (path: (world: World) => string, type: string, [first, last]: readonly [string, string]) =>
  async (world: World): Promise<Look> => {
    const { socket, said } = await openSocket();
    const head = [`POST ${path(world)} HTTP/1.1`, 'host: x', `authorization: Bearer ${world.jwt}`];
    const fields = [`content-type: ${type}`, `content-length: ${first.length + last.length}`, '', ''];
    socket.write([...head, ...fields].join('\r\n') + first);
    await poll('the first bytes to be read', () => (socket.bytesWritten > 0 ? true : undefined));
    // An answer to a later request of the same turns shows that the server has begun this one.
    await server.as(world.jwt).read('/api/user');
    return async () => {
      if (!socket.destroyed && said() === '') socket.write(last);
      return await poll('the answer', () => /^HTTP\/1\.1 (\d+)/.exec(said())?.[1]);
    };
  };

const form = [
  '--b\r\ncontent-disposition: form-data; name="blob"; filename="a.txt"\r\n\r\nsome',
  ' text\r\n--b--\r\n',
];

/** Reads the head of an export and the rest once the change has been made. */
async function slowExport({ id, jwt }: World): Promise<Look> {
  const { socket, said } = await openSocket();
  socket.write(`GET /api/users/${id}/export HTTP/1.0\r\nauthorization: Bearer ${jwt}\r\n\r\n`);
  await poll('the head', () => (said() === '' ? undefined : true));
  socket.pause();
  return async () => {
    socket.resume();
    await poll('the end of the export', () => socket.closed || undefined);
    return said().includes('"counts":') ? 'whole' : 'cut off';
  };
}

/** What outlasts a request, and what becomes of it. */
const rows: { readonly [name: string]: (world: World) => Promise<Look> } = {
  'WebSocket, provider’s token': hub('WebSockets', 'jwt'),
  'WebSocket, own token': hub('WebSockets', 'token'),
  'hub over events': hub('ServerSentEvents', 'jwt'),
  'hub by polling': hub('LongPolling', 'jwt'),
  async presence({ id }) {
    const { body } = await poll('presence', async () => {
      const answer = await server.call('GET', `/api/users/${id}`);
      return answer.body.presence === 'active' ? answer : undefined;
    });
    assert.equal(body.id, id);
    return async () => {
      const { status, body: now } = await server.call('GET', `/api/users/${id}`);
      return status === 404 ? 'gone' : now.presence;
    };
  },
  async 'event stream of a user'({ jwt }) {
    const { state } = await readEvents(server, { as: jwt });
    return () => (state.ended ? 'ends' : 'goes on');
  },
  async 'event stream of a key'({ key }) {
    const { state } = await readEvents(server, { as: key.secret });
    return () => (state.ended ? 'ends' : 'goes on');
  },
  async 'watch of a user'({ app, jwt }) {
    const { state } = await watchApp(server, app, { as: jwt, query: '?present=true' });
    return () => (state.ended ? 'ends' : 'goes on');
  },
  async 'watch of a guest'({ app, guest }) {
    const { state } = await watchApp(server, app, { as: guest.token, query: '?present=true' });
    return () => (state.ended ? 'ends' : 'goes on');
  },
  async 'watch of a key for a user'({ app, key, uid }) {
    const { state } = await watchApp(server, app, { as: key.secret, headers: { 'x-confab-user': uid } });
    return () => (state.ended ? 'ends' : 'goes on');
  },
  async headcount({ app }) {
    // Of nobody who is counted, so that it sees the others.
    const { counts, state } = await watchApp(server, app, { query: '?present=true' });
    await poll('all to be counted', () => (counts.at(-1) === 3 ? true : undefined));
    return () => (state.ended ? 'ends' : String(counts.at(-1)));
  },
  'comment that arrives slowly': slowly(({ app }) => `/api/apps/${app}/comments`, 'application/json', [
    '{"text":"hel',
    'lo"}',
  ]),
  'upload that arrives slowly': slowly(
    () => '/api/blobs',
    'multipart/form-data; boundary=b',
    form as [string, string],
  ),
  'export that is read slowly': slowExport,
};

const expected = [
  ['what', 'rename', 'erasure', 'suspension', 'lost access', 'ended token'],
  ['WebSocket, provider’s token', 'ends', 'ends', 'ends', 'goes on', 'ends'],
  ['WebSocket, own token', 'goes on', 'ends', 'ends', 'goes on', 'ends'],
  ['hub over events', 'ends', 'ends', 'ends', 'goes on', 'ends'],
  ['hub by polling', 'ends', 'ends', 'ends', 'goes on', 'ends'],
  ['presence', 'active', 'gone', 'away', 'active', 'away'],
  ['event stream of a user', 'ends', 'ends', 'ends', 'goes on', 'ends'],
  ['event stream of a key', 'goes on', 'goes on', 'goes on', 'goes on', 'ends'],
  ['watch of a user', 'ends', 'ends', 'ends', 'ends', 'ends'],
  ['watch of a guest', 'goes on', 'ends', 'ends', 'ends', 'ends'],
  ['watch of a key for a user', 'ends', 'ends', 'ends', 'goes on', 'ends'],
  ['headcount', '2', '1', '1', 'ends', '1'],
  ['comment that arrives slowly', '401', '401', '401', '404', '401'],
  ['upload that arrives slowly', '401', '401', '401', '201', '401'],
  ['export that is read slowly', 'cut off', 'cut off', 'cut off', 'whole', 'cut off'],
];

// Whatever outlasts the check of a credential ends once that credential has ended or is another user's.
describe('what outlasts a request', { concurrency: true }, () => {
  test('ends with the right that began it', async () => {
    const looks: Look[][] = [];
    for (const change of Object.values(changes)) {
      const world = await makeWorld();
      const opened: Look[] = [];
      for (const open of Object.values(rows)) opened.push(await open(world));
      await change(world);
      looks.push(opened);
    }
    // Its credential ends after all others, so once it has ended all others have been checked.
    const { id: app } = await makeApp(server, { access: 'write' });
    const last = await makeUser(server);
    const watch = await watchApp(server, app, { as: last.token });
    await server.call('DELETE', `/api/users/${last.uid}/tokens`);
    await watch.ended();
    const table = async () => [
      expected[0],
      ...(await Promise.all(
        Object.keys(rows).map(async (name, row) => [
          name,
          ...(await Promise.all(looks.map((column) => column[row]?.()))),
        ]),
      )),
    ];
    let seen = await table();
    const settled = async () => {
      seen = await table();
      return isDeepStrictEqual(seen, expected) || undefined;
    };
    // A failure shows the table.
    await poll('clients to be told', settled).catch(() => undefined);
    assert.deepEqual(seen, expected);
  });

  test('is counted for the user who opened it, and creates nobody', async () => {
    const uid = freshUid('person');
    const jwt = await tokenOf(uid);
    const { id } = await server.as(jwt).read('/api/user');
    const { id: app } = await makeApp(server, { access: 'write' });
    const opened = [
      await connectLive(server, jwt),
      await readEvents(server, { as: jwt }),
      await readEvents(server, { as: jwt }),
      await watchApp(server, app, { as: jwt }),
    ];
    const renamed = freshUid('renamed');
    await ok(server.call('PATCH', `/api/users/${id}`, { uid: renamed }));
    await poll(
      'the ends',
      () => opened.every(({ state }) => ('ended' in state ? state.ended : state.closed)) || undefined,
    );
    assert.equal((await server.call('GET', `/api/users/${uid}`)).status, 404);
    const now = await tokenOf(renamed);
    for (let count = 0; count < livePerUserMax; count += 1)
      assert.equal((await readEvents(server, { as: now })).status, 200, `stream ${count + 1}`);
    assert.equal((await readEvents(server, { as: now })).status, 429);
  });
});
