import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { makeSigner, type Signer, sign, useProvider } from 'confab-testing/network/identity-provider.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, type TestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import type { JWTPayload } from 'jose';

const clock = movableClock();
const provider = useProvider();
const statements: string[] = [];
const common = { CONFAB_JWT_ISSUER: 'https://id.example.com', CONFAB_JWT_AUDIENCE: 'confab' };
const settings: Record<string, string> = { ...common };
const dividedSettings: Record<string, string> = { ...common, CONFAB_JWT_DIRECTORY_CLAIM: 'org' };
let signer: Signer;
before(async () => {
  signer = await makeSigner();
  provider.state.keys = [signer.jwk];
  for (const each of [settings, dividedSettings]) each.CONFAB_JWT_JWKS_URL = provider.url;
});
const server = useServer(settings, { clock, isQuiet: true, onStatement: (sql) => statements.push(sql) });
const divided = useServer(dividedSettings, { clock });
const watch = useStoreWatch(server);

const seconds = () => Math.floor(clock.now() / 1000);
const tokenOf = (sub: string, claims: JWTPayload = {}) =>
  sign(signer, {
    iss: common.CONFAB_JWT_ISSUER,
    aud: [common.CONFAB_JWT_AUDIENCE, 'other'],
    sub,
    iat: seconds(),
    exp: seconds() + 3600,
    ...claims,
  });
const bearer = async (token: string, at: TestServer = server) =>
  await at.call('GET', '/api/user', undefined, { as: token });
const eventsOf = (id: number) =>
  watch
    .rows(`select action from events where entity_type = 'user' and entity_id = ${id} order by id`)
    .map(({ action }) => action);

// The first request of a user whom nobody has announced makes the user, with what the provider says of them.
describe('a user who comes with a token of the identity provider', () => {
  test('is created at the first request, with the profile of the claims', async () => {
    const uid = freshUid('ada');
    const token = await tokenOf(uid, {
      name: 'Ada Lovelace',
      given_name: 'Ada',
      middle_name: 'Augusta',
      family_name: 'Lovelace',
      nickname: 'countess',
      email: 'ada@example.com',
      picture: 'https://example.com/ada.png?"',
    });
    const app = await makeApp(server, { access: 'write' });
    const made = await server.as(token).create(`/api/apps/${app.id}/comments`, { text: 'hello' });
    const { body: user } = await bearer(token);
    assert.equal(made.created_by?.uid, uid);
    assert.equal(user.display_name, 'Ada Lovelace');
    assert.equal(user.middle_name, 'Augusta');
    assert.equal(user.nickname, 'countess');
    assert.equal(user.email, 'ada@example.com');
    assert.equal(user.avatar_url, 'https://example.com/ada.png?%22');
    assert.deepEqual(eventsOf(user.id), ['user_created']);
  });

  test('of 16 requests at once is created once', async () => {
    const uid = freshUid('race');
    const tokens = [await tokenOf(uid), await tokenOf(uid, { name: 'Ada' })];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, turn) => bearer(tokens[turn % 2] ?? '')),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  });

  test('keeps a profile that no claim can spoil', async () => {
    const { body } = await bearer(
      await tokenOf(freshUid('odd'), {
        name: 'x'.repeat(257),
        given_name: 5,
        family_name: 'a\0b',
        nickname: 'y'.repeat(33),
        email: 'no address',
        picture: 'data:image/png;base64,AAAA',
        is_bot: true,
        tags: ['admin'],
        metadata: { a: 1 },
        comment: 'mine',
        directory: 'acme',
        is_suspended: true,
      }),
    );
    assert.deepEqual(Object.keys(body).sort(), [
      'created_at',
      'display_name',
      'id',
      'is_bot',
      'is_suspended',
      'is_trashed',
      'presence',
      'tags',
      'uid',
    ]);
    assert.deepEqual([body.is_bot, body.is_suspended, body.tags], [false, false, []]);
    for (const picture of ['5', 'javascript:alert(1)', 'file:///etc/passwd']) {
      const { body: other } = await bearer(await tokenOf(freshUid('odd'), { picture }));
      assert.equal(other.avatar_url, undefined);
      assert.equal(other.picture_id, undefined);
    }
    const unproved = await tokenOf(freshUid('odd'), { email: 'a@example.com', email_verified: false });
    assert.equal((await bearer(unproved)).body.email, undefined);
  });

  test('can be one whom an API key has made, and keeps what the claims leave out', async () => {
    const { uid, id } = await makeUser(server, { name: 'Grace', phone_number: '5' });
    const { body } = await bearer(await tokenOf(uid, { nickname: 'amazing' }));
    assert.deepEqual([body.id, body.name, body.phone_number, body.nickname], [id, 'Grace', '5', 'amazing']);
  });
});

// The profile follows the claims when they change, and no request writes anything that says nothing new.
describe('the profile of such a user', () => {
  test('follows newer claims, once for each change', async () => {
    const uid = freshUid('grace');
    const first = await tokenOf(uid, { name: 'Grace' });
    const { body: user } = await bearer(first);
    clock.move(5000);
    const second = await tokenOf(uid, { name: 'Grace Hopper' });
    assert.equal((await bearer(second)).body.name, 'Grace Hopper');
    // The older token, and newer ones that say the same.
    for (const token of [first, second, await tokenOf(uid, { name: 'Grace Hopper', nonce: '1' })])
      assert.equal((await bearer(token)).body.name, 'Grace Hopper');
    assert.deepEqual(eventsOf(user.id), ['user_created', 'user_updated']);
  });

  test('does not fall back to claims that are older than the last change', async () => {
    const uid = freshUid('grace');
    const old = await tokenOf(uid, { name: 'Old' });
    clock.move(5000);
    await server.call('PUT', `/api/users/${uid}`, { name: 'New' });
    assert.equal((await bearer(old)).body.name, 'New');
    clock.move(5000);
    assert.equal((await bearer(await tokenOf(uid, { name: 'Newest' }))).body.name, 'Newest');
  });

  test('is not written by requests, which do not verify the token again either', async () => {
    const token = await tokenOf(freshUid('calm'), { name: 'Calm' });
    await bearer(token);
    watch.hasChanged();
    /** The least of three runs, because the loops of the server also run statements. */
    const costAs = async (as: string) => {
      const costs: number[] = [];
      for (let i = 0; i < 3; i += 1) {
        const from = statements.length;
        await server.as(as).call('GET', '/api/apps?count=false');
        costs.push(statements.length - from);
      }
      return Math.min(...costs);
    };
    const ofList = await costAs(token);
    const issued = await makeUser(server);
    assert.equal(ofList, await costAs(issued.token), 'an issued token costs as many statements');
    // The keys of the provider are gone, and nobody notices.
    provider.state.misbehave = (response) => void response.destroy();
    assert.equal((await bearer(token)).status, 200);
    provider.state.misbehave = undefined;
  });
});

// The wall between customers stands on the claim that the operator names.
describe('the directory of such a user', () => {
  test('is made and changed by the claim', async () => {
    const acme = await makeDirectory(divided, 'acme');
    const uid = freshUid('dir');
    const { body } = await bearer(await tokenOf(uid, { org: 'acme' }), divided);
    assert.equal(body.directory_id, acme);
    clock.move(2000);
    const { body: moved } = await bearer(await tokenOf(uid, { org: 'beta' }), divided);
    assert.equal(moved.directory?.name, 'beta');
  });

  test('must be named, and not by an id', async () => {
    for (const org of [undefined, '', '1', 5, null, ['acme'], 'a b', 'x'.repeat(257)]) {
      const answer = await bearer(await tokenOf(freshUid('dir'), { org }), divided);
      assertProblem(answer, 401, 'invalid_credential');
      assert.match(answer.body.detail, /names no directory/);
    }
  });

  test('is not that of visitors', async () => {
    const answer = await bearer(await tokenOf(freshUid('dir'), { org: 'visitors' }), divided);
    assertProblem(answer, 401, 'invalid_credential');
    assert.match(answer.body.detail, /names the directory of visitors, which is reserved/);
    // Another name that only looks like it is a customer's own directory.
    const { body } = await bearer(await tokenOf(freshUid('dir'), { org: 'Visitors' }), divided);
    assert.equal(body.directory?.name, 'Visitors');
  });

  test('stays as it is without the setting', async () => {
    await makeDirectory(server, 'here');
    const { uid } = await makeUser(server, { directory: 'here' });
    const { body } = await bearer(await tokenOf(uid, { org: 'acme', directory: 'acme' }));
    assert.equal(body.directory?.name, 'here');
  });
});

// A revocation counts at once for what the provider signed before it, and not for what it signs afterwards.
describe('a token of the identity provider', () => {
  test('ends with the revocation of the tokens of its user', async () => {
    const uid = freshUid('gone');
    const seen = await tokenOf(uid);
    const unseen = await tokenOf(uid, { nonce: '1' });
    assert.equal((await bearer(seen)).status, 200);
    clock.move(1000);
    assert.equal((await server.call('DELETE', `/api/users/${uid}/tokens`)).status, 200);
    for (const token of [seen, unseen]) {
      const answer = await bearer(token);
      assertProblem(answer, 401, 'invalid_credential');
      assert.match(answer.body.detail, /revoked/);
    }
    clock.move(1000);
    assert.equal((await bearer(await tokenOf(uid))).status, 200);
  });

  test('ends when a suspension begins, and stays ended when it is lifted', async () => {
    const uid = freshUid('rest');
    const token = await tokenOf(uid);
    assert.equal((await bearer(token)).status, 200);
    await server.call('PATCH', `/api/users/${uid}`, { is_suspended: true });
    clock.move(2000);
    const meanwhile = await tokenOf(uid);
    assert.equal((await bearer(meanwhile)).status, 401);
    clock.move(2000);
    await server.call('PATCH', `/api/users/${uid}`, { is_suspended: false });
    for (const earlier of [token, meanwhile]) assert.equal((await bearer(earlier)).status, 401);
    clock.move(2000);
    assert.equal((await bearer(await tokenOf(uid))).status, 200);
  });

  test('ends at its time, to the second of the skew', async () => {
    const token = await tokenOf(freshUid('short'), { exp: seconds() + 60 });
    assert.equal((await bearer(token)).status, 200);
    clock.move(85_000);
    assert.equal((await bearer(token)).status, 200);
    clock.move(6000);
    assert.match((await bearer(token)).body.detail, /expired/);
    assert.match((await bearer(token)).body.detail, /expired/);
  });

  test('of a uid whose user was renamed is of another user', async () => {
    const uid = freshUid('named');
    const token = await tokenOf(uid);
    const { body: first } = await bearer(token);
    await server.call('PATCH', `/api/users/${first.id}`, { uid: freshUid('renamed') });
    const { status, body: second } = await bearer(token);
    assert.equal(status, 200);
    assert.notEqual(second.id, first.id);
  });

  test('is taken with the prefix that existing clients ask for, and by their live connections', async () => {
    const uid = freshUid('live');
    const token = `wyu_${await tokenOf(uid, { name: 'Live' })}`;
    const { body: user } = await bearer(token);
    assert.equal(user.name, 'Live');
    const live = await connectLive(server, token);
    const stream = await fetch(`${server.url}/api/events/stream?access_token=${token}`);
    assert.equal(stream.status, 200);
    clock.move(1000);
    await server.call('DELETE', `/api/users/${uid}/tokens`);
    await poll('the end of the connection', () => live.state.closed || undefined);
    let isEnded = false;
    void stream.text().finally(() => {
      isEnded = true;
    });
    await poll('the end of the stream', () => isEnded || undefined);
  });
});
