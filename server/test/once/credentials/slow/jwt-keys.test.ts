import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { keptLog } from 'confab-testing/log.ts';
import { makeSigner, type Signer, sign, useProvider } from 'confab-testing/network/identity-provider.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { type CryptoKey, generateKeyPair, type JWTPayload } from 'jose';
import { configFrom } from '../../../../src/config/config.ts';

const common = { CONFAB_JWT_ISSUER: 'https://id.example.com', CONFAB_JWT_AUDIENCE: 'confab' };
const provider = useProvider();
const clock = movableClock();
const logged: { level: number; msg: string; reason?: string }[] = [];
let servers: TestServer[] = [];

/** A server that has not read the keys yet. */
async function startFresh(): Promise<TestServer> {
  const settings = { ...common, CONFAB_JWT_JWKS_URL: provider.url, CONFAB_LOG_LEVEL: 'warn' };
  const server = await startTestServer(settings, {
    clock,
    logTo: keptLog(logged),
  });
  servers.push(server);
  return server;
}

afterEach(async () => {
  provider.state.misbehave = undefined;
  logged.length = 0;
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

const seconds = () => Math.floor(clock.now() / 1000);
const tokenOf = (signer: Signer, claims: JWTPayload = {}) =>
  sign(signer, {
    iss: common.CONFAB_JWT_ISSUER,
    aud: common.CONFAB_JWT_AUDIENCE,
    sub: freshUid('subject'),
    iat: seconds(),
    exp: seconds() + 3600,
    ...claims,
  });
const use = async (server: TestServer, token: string) => await server.as(token).call('GET', '/api/user');

async function rotate(...keep: readonly Signer[]): Promise<Signer> {
  const signer = await makeSigner();
  provider.state.keys = [...keep, signer].map(({ jwk }) => jwk);
  return signer;
}

// A provider exchanges its keys whenever it likes, and no request fails for it.
describe('a rotation of keys', () => {
  test('under load fails no request', async () => {
    const server = await startFresh();
    let signer = await rotate();
    const statuses: number[] = [];
    let isDone = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!isDone) statuses.push((await use(server, await tokenOf(signer))).status);
    });
    const from = provider.state.asked;
    for (let turn = 1; turn <= 10; turn += 1) {
      const count = statuses.length;
      await poll('requests with the present key', () => (statuses.length >= count + 16 ? true : undefined));
      signer = await rotate(signer);
    }
    isDone = true;
    await Promise.all(load);
    assert.deepEqual([...new Set(statuses)], [200]);
    assert.ok(statuses.length > 160);
    assert.ok(provider.state.asked - from <= 12, `asked ${provider.state.asked - from} times`);
  });

  test('ends the tokens of a key that was withdrawn, those that are remembered too', async () => {
    const server = await startFresh();
    const old = await rotate();
    const token = await tokenOf(old);
    assert.equal((await use(server, token)).status, 200);
    const next = await rotate();
    assert.equal((await use(server, token)).status, 200);
    // Requests with the old token alone make the server read the keys again.
    clock.move(11 * 60_000);
    await poll('the keys to be read again', async () =>
      (await use(server, token)).status === 401 ? true : undefined,
    );
    assert.equal((await use(server, await tokenOf(next))).status, 200);
  });

  test('is looked for once in ten seconds when strangers name keys', async () => {
    const server = await startFresh();
    const signer = await rotate();
    assert.equal((await use(server, await tokenOf(signer))).status, 200);
    const from = provider.state.asked;
    for (let tries = 0; tries < 20; tries += 1)
      assertProblem(await use(server, await tokenOf(await makeSigner())), 401, 'invalid_credential');
    assert.equal(provider.state.asked, from + 1);
    clock.move(10_001);
    assertProblem(await use(server, await tokenOf(await makeSigner())), 401, 'invalid_credential');
    assert.equal(provider.state.asked, from + 2);
  });
});

/** How a provider can fail, with the reason that stands in the log. */
const failures: readonly (readonly [
  name: string,
  misbehave: (response: ServerResponse) => void,
  reason: RegExp,
])[] = [
  ['hangs up', (response) => response.destroy(), /reset/],
  ['is down', (response) => response.writeHead(503).end(), /status 503/],
  ['does not know the address', (response) => response.writeHead(404).end('{"keys":[]}'), /status 404/],
  ['redirects', (response) => response.writeHead(302, { location: provider.url }).end(), /status 302/],
  ['answers a page', (response) => response.end('<!doctype html><h1>Sign in</h1>'), /no JSON Web Key Set/],
  ['answers nothing', (response) => response.end(), /no JSON Web Key Set/],
  ['answers null', (response) => response.end('null'), /no JSON Web Key Set/],
  ['answers no keys', (response) => response.end('{"keys":[]}'), /no JSON Web Key Set/],
  [
    'answers keys that are no objects',
    (response) => response.end('{"keys":[1,null]}'),
    /no JSON Web Key Set/,
  ],
  [
    'answers half',
    (response) => response.writeHead(200).write('{"keys":[', () => response.destroy()),
    /reset|invalid/,
  ],
  ['answers 10 MiB', (response) => response.end('['.repeat(10 * 1024 * 1024)), /more than 262144 bytes/],
  ['never ends', (response) => response.writeHead(200).flushHeaders(), /timeout/],
];

// Who cannot be verified is told so, and those who can be are served while the provider is away.
describe('a provider that', () => {
  for (const [name, misbehave, reason] of failures)
    test(`${name} at first makes tokens wait, and later none`, async () => {
      const server = await startFresh();
      const signer = await rotate();
      provider.state.misbehave = misbehave;
      const token = await tokenOf(signer);
      const answer = await use(server, token);
      assertProblem(answer, 503, 'identity_provider_unavailable');
      assert.equal(answer.headers.get('retry-after'), '5');
      assert.ok(!answer.text.includes(provider.url), 'the address of the provider is in the answer');
      assert.match(String(logged.find(({ msg }) => msg.includes('identity provider'))?.reason), reason);
      // Another request does not ask again at once.
      const asked = provider.state.asked;
      assertProblem(await use(server, token), 503, 'identity_provider_unavailable');
      assert.equal(provider.state.asked, asked);
      provider.state.misbehave = undefined;
      clock.move(10_001);
      assert.equal((await use(server, token)).status, 200);

      provider.state.misbehave = misbehave;
      clock.move(10 * 60_000 + 1);
      // The old keys serve known and new tokens; one by a new key has to wait.
      assert.equal((await use(server, token)).status, 200);
      assert.equal((await use(server, await tokenOf(signer))).status, 200);
      const next = await rotate(signer);
      const early = await tokenOf(next);
      assertProblem(await use(server, early), 503, 'identity_provider_unavailable');
      provider.state.misbehave = undefined;
      clock.move(10_001);
      assert.equal((await use(server, early)).status, 200);
    });

  test('is slow holds up no request without a new token', async () => {
    const server = await startFresh();
    const signer = await rotate();
    const known = await tokenOf(signer);
    assert.equal((await use(server, known)).status, 200);
    let answerNow = () => {};
    provider.state.misbehave = (response) => {
      answerNow = () => void response.end(JSON.stringify({ keys: provider.state.keys }));
    };
    const next = await rotate(signer);
    const asked = provider.state.asked;
    const waiting = Promise.all(
      [tokenOf(next), tokenOf(next)].map(async (token) => await use(server, await token)),
    );
    await poll('the keys to be asked for', () => (provider.state.asked > asked ? true : undefined));
    assert.equal((await use(server, known)).status, 200);
    assert.equal((await use(server, await tokenOf(signer))).status, 200);
    assert.equal((await server.call('GET', '/api/apps')).status, 200);
    answerNow();
    assert.deepEqual(
      (await waiting).map(({ status }) => status),
      [200, 200],
    );
    assert.equal(provider.state.asked, asked + 1);
  });

  test('publishes keys of other uses and kinds beside its own is understood', async () => {
    const server = await startFresh();
    const signer = await makeSigner();
    const { kid, ...nameless } = (await makeSigner()).jwk;
    provider.state.keys = [
      { kty: 'oct', kid: signer.jwk.kid, k: 'c2VjcmV0' },
      { kty: 'unknown', kid: 'x' },
      { ...nameless, use: 'enc' },
      signer.jwk,
    ] as never;
    assert.equal((await use(server, await tokenOf(signer))).status, 200);
    assertProblem(
      await use(
        server,
        await tokenOf({ ...signer, header: { alg: 'HS256' } } as never).catch(() => kid ?? ''),
      ),
      401,
      'invalid_credential',
    );
  });

  test('publishes two keys under one id has its tokens refused', async () => {
    const server = await startFresh();
    const signer = await makeSigner();
    provider.state.keys = [signer.jwk, { ...(await makeSigner()).jwk, kid: signer.jwk.kid ?? '' }];
    assertProblem(await use(server, await tokenOf(signer)), 401, 'invalid_credential');
  });

  test('publishes a key that is too short has its tokens refused', async () => {
    const server = await startFresh();
    const { privateKey, publicKey } = await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: 1024,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: 'SHA-256',
      },
      true,
      ['sign', 'verify'],
    );
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'short' };
    provider.state.keys = [jwk as never];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      iss: common.CONFAB_JWT_ISSUER,
      aud: 'confab',
      sub: 'ada',
      iat: seconds(),
      exp: seconds() + 60,
    };
    const input = `${encode({ alg: 'RS256', kid: 'short' })}.${encode(claims)}`;
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(input));
    const token = `${input}.${Buffer.from(signature).toString('base64url')}`;
    assertProblem(await use(server, token), 401, 'invalid_credential');
  });
});

const jwks = { CONFAB_JWT_JWKS_URL: 'https://id.example.com/keys' };
const long = 'x'.repeat(32);

/** Settings that are refused at the start, with what the operator is told. */
const wrong: readonly (readonly [settings: Record<string, string>, message: RegExp])[] = [
  [
    { CONFAB_JWT_ISSUER: 'a' },
    /^CONFAB_JWT_ISSUER needs CONFAB_JWT_JWKS_URL, CONFAB_JWT_SECRET or CONFAB_JWT_PUBLIC_KEY$/,
  ],
  [{ CONFAB_JWT_AUDIENCE: 'a' }, /^CONFAB_JWT_AUDIENCE needs/],
  [{ CONFAB_JWT_DIRECTORY_CLAIM: 'org' }, /^CONFAB_JWT_DIRECTORY_CLAIM needs/],
  [jwks, /^CONFAB_JWT_JWKS_URL is set and CONFAB_JWT_ISSUER is not$/],
  [
    { CONFAB_JWT_SECRET: long, CONFAB_JWT_ISSUER: 'a' },
    /^CONFAB_JWT_SECRET is set and CONFAB_JWT_AUDIENCE is not$/,
  ],
  [
    { ...common, ...jwks, CONFAB_JWT_SECRET: long },
    /^CONFAB_JWT_JWKS_URL and CONFAB_JWT_SECRET are both set/,
  ],
  [{ ...common, CONFAB_JWT_SECRET: 'x'.repeat(31) }, /^CONFAB_JWT_SECRET must have at least 32 bytes$/],
  [
    { ...common, CONFAB_JWT_SECRET: `-----BEGIN PUBLIC KEY-----\n${long}` },
    /^CONFAB_JWT_SECRET holds a key in PEM/,
  ],
  [
    { ...common, CONFAB_JWT_SECRET: `{"kty":"RSA","n":"${long}"}` },
    /^CONFAB_JWT_SECRET holds a key in PEM or JSON/,
  ],
  [
    { ...common, CONFAB_JWT_PUBLIC_KEY: 'no key' },
    /^CONFAB_JWT_PUBLIC_KEY must be a public key in PEM or as a JWK$/,
  ],
  [
    { ...common, CONFAB_JWT_PUBLIC_KEY: '{"kty":"oct","k":"AAAA"}' },
    /^CONFAB_JWT_PUBLIC_KEY must be a public key/,
  ],
  [
    { ...common, CONFAB_JWT_SECRET: long, CONFAB_JWT_LIFE_MINUTES: '0' },
    /^CONFAB_JWT_LIFE_MINUTES must be a whole number/,
  ],
  [
    { ...common, CONFAB_JWT_SECRET: long, CONFAB_JWT_SKEW_SECONDS: '301' },
    /^CONFAB_JWT_SKEW_SECONDS must be a whole/,
  ],
];

// What cannot work is refused at the start, in words that name the setting.
describe('the settings of an identity provider', () => {
  for (const [settings, message] of wrong)
    test(`refuse ${Object.keys(settings).join(', ')}: ${message.source.slice(1, 60)}`, () => {
      assert.throws(() => configFrom(settings), { message });
    });

  test('refuse private keys, curves of no use and short keys', async () => {
    const jwkOf = async (key: CryptoKey) => JSON.stringify(await crypto.subtle.exportKey('jwk', key));
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const { publicKey: curve } = await generateKeyPair('ES512', { extractable: true });
    const short = await crypto.subtle.generateKey(
      { name: 'RSA-PSS', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    );
    for (const [key, message] of [
      [privateKey, /holds a private key/],
      [curve, /must be an RSA key, an EC key/],
      [short.publicKey, /must have at least 2048 bits/],
    ] as const) {
      const text = await jwkOf(key);
      assert.throws(() => configFrom({ ...common, CONFAB_JWT_PUBLIC_KEY: text }), { message });
    }
  });

  test('refuse an address of keys that the rules of outgoing requests do not permit', async () => {
    for (const [url, message] of [
      ['http://127.0.0.1:9/keys', /^CONFAB_JWT_JWKS_URL is refused: .*CONFAB_EGRESS_ALLOW/],
      ['https://10.0.0.1/keys', /^CONFAB_JWT_JWKS_URL is refused: .*CONFAB_EGRESS_ALLOW/],
      ['id.example.com/keys', /^CONFAB_JWT_JWKS_URL is refused: The URL must be/],
      ['https://user:secret@id.example.com/keys', /^CONFAB_JWT_JWKS_URL is refused: .*password/],
      ['http://id.example.com/keys', /^CONFAB_JWT_JWKS_URL must begin with https, or its host must stand/],
    ] as const)
      await assert.rejects(
        startTestServer({ ...common, CONFAB_JWT_JWKS_URL: url, CONFAB_EGRESS_ALLOW: '' }),
        { message },
      );
  });
});
