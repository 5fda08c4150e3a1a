import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { CookieBrowser } from 'confab-testing/cookie-browser.ts';
import { before, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { newVerifier } from 'confab-testing/visitors.ts';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

const origin = 'https://blog.example.com';
const client = { id: 'confab', secret: 'a secret of the client that is long enough for HMAC' };

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** What a provider does besides the honest thing; each part can be replaced. */
type Lie = {
  readonly claims?: (honest: JWTPayload) => JWTPayload;
  readonly sign?: (claims: JWTPayload, keys: Keys) => Promise<string> | string;
  readonly token?: (response: ServerResponse, idToken: string) => void;
  readonly discovery?: (honest: object) => object;
  /** What it says when it is asked about somebody of whom the token says no name. */
  readonly userinfo?: object;
};

/** A provider that says whatever a test wants. */
class LyingProvider {
  lie: Lie = {};
  nonce = '';
  issuer = '';
  asked = 0;
  #keys: Keys | undefined;
  #kid = 'first';
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<void> {
    this.#keys = await generateKeyPair('RS256', { extractable: true });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async rotate(): Promise<void> {
    this.#keys = await generateKeyPair('RS256', { extractable: true });
    this.#kid = 'second';
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked += 1;
    const { issuer, lie } = this;
    const json = (value: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const keys = this.#keys as Keys;
    if (request.url === '/.well-known/openid-configuration') {
      const honest = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      };
      json(lie.discovery?.(honest) ?? honest);
    } else if (request.url === '/userinfo') {
      json(lie.userinfo ?? {});
    } else if (request.url === '/jwks') {
      json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: this.#kid, alg: 'RS256', use: 'sig' }] });
    } else {
      const now = Math.floor(Date.now() / 1000);
      const { nonce } = this;
      const honest = {
        iss: issuer,
        aud: client.id,
        sub: 'ada',
        iat: now,
        exp: now + 300,
        nonce,
        name: 'Ada Honest',
      };
      const claims = lie.claims?.(honest) ?? honest;
      const idToken = await (lie.sign?.(claims, keys) ??
        new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: this.#kid }).sign(keys.privateKey));
      if (lie.token !== undefined) lie.token(response, idToken);
      else json({ access_token: 'a', token_type: 'bearer', id_token: idToken });
    }
  }
}

const without = (claims: JWTPayload, name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));
const secretBytes = new TextEncoder().encode(client.secret);

/** Each lie by its name; a visitor who comes back from it has not signed in. */
const lies: { readonly [name: string]: Lie } = {
  'another issuer': { claims: (honest) => ({ ...honest, iss: 'https://evil.example.com' }) },
  'an issuer that only begins alike': { claims: (honest) => ({ ...honest, iss: `${honest.iss}.evil` }) },
  'no issuer': { claims: (honest) => without(honest, 'iss') },
  'another audience': { claims: (honest) => ({ ...honest, aud: 'somebody-else' }) },
  'several audiences without an authorized party': {
    claims: (honest) => ({ ...honest, aud: [client.id, 'other'] }),
  },
  'another authorized party': {
    claims: (honest) => ({ ...honest, aud: [client.id, 'other'], azp: 'other' }),
  },
  'a time that is over': { claims: (honest) => ({ ...honest, exp: Number(honest.iat) - 600 }) },
  'no end': { claims: (honest) => without(honest, 'exp') },
  'another nonce': { claims: (honest) => ({ ...honest, nonce: 'another' }) },
  'no nonce': { claims: (honest) => without(honest, 'nonce') },
  'no subject': { claims: (honest) => without(honest, 'sub') },
  'an empty subject': { claims: (honest) => ({ ...honest, sub: '' }) },
  'a subject that is no text': { claims: (honest) => ({ ...honest, sub: 7 as never }) },
  'no signature': { sign: (claims) => new UnsecuredJWT(claims).encode() },
  'a signature by the secret of the client': {
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secretBytes),
  },
  'a signature by a key that is not published': {
    sign: async (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'first' })
        .sign((await generateKeyPair('RS256')).privateKey),
  },
  'a text that is no token': { sign: () => 'x.y.z' },
  'no token': {
    token: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  },
  'an access token alone': {
    token: (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"access_token":"a","token_type":"bearer"}'),
  },
  'no JSON': { token: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>') },
  'an error': { token: (response) => response.writeHead(500).end() },
  'a redirect to an internal address': {
    token: (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  },
  'an answer that never comes': { token: () => undefined },
  'a connection that is cut': { token: (response) => response.destroy() },
  megabytes: {
    token: (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":"${'x'.repeat(8_000_000)}"}`),
  },
};

describe('a provider that lies', () => {
  const provider = new LyingProvider();
  let server: TestServer;

  before(async () => {
    await provider.start();
    server = await startTestServer({
      CONFAB_SIGN_IN: 'liar',
      CONFAB_SIGN_IN_PROVIDERS: JSON.stringify({
        liar: { issuer: provider.issuer, client_id: client.id, client_secret: client.secret },
      }),
      CONFAB_CORS_ORIGINS: origin,
      CONFAB_EGRESS_ALLOW: '127.0.0.1',
    });
  });
  after(async () => {
    await server.close();
    await provider.close();
  });

  /** Goes to the provider and comes back with a code of it. */
  async function comeBack() {
    const { verifier, challenge } = newVerifier();
    const browser = new CookieBrowser();
    const start = `${server.url}/sign-in/with/liar?${new URLSearchParams({ origin, challenge })}`;
    const left = await browser.open(start, { goesOn: (next) => !next.startsWith(provider.issuer) });
    if (left.status === 403) return { ...left, verifier };
    const asked = new URL(left.url).searchParams;
    provider.nonce = asked.get('nonce') ?? '';
    const query = new URLSearchParams({ code: 'any', state: asked.get('state') ?? '' });
    return { ...(await browser.open(`${server.url}/sign-in/callback/liar?${query}`)), verifier };
  }

  it('signs in while it is honest, also after it has changed its keys', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      if (turn === 1) {
        await provider.rotate();
        // Who comes first may have to try again; real providers publish a key before they use it.
        await comeBack();
      }
      const { status, text, verifier } = await comeBack();
      assert.equal(status, 200, text);
      const code = /data-code="(wyo_\w+)"/.exec(text)?.[1] ?? '';
      const { body } = await server.call('POST', '/api/sign-in/token', { code, verifier }, { as: null });
      assert.equal(body.user.name, 'Ada Honest');
    }
  });

  for (const [name, lie] of Object.entries(lies))
    it(`signs nobody in with ${name}`, async () => {
      provider.lie = lie;
      const { status, text } = await comeBack();
      provider.lie = {};
      assert.equal(status, 403, text);
      assert.doesNotMatch(text, /wyo_/);
    });

  const [ofToken, ofAnswer] = ['token@example.com', 'answer@example.com'];
  for (const [name, claims, userinfo, email] of [
    ['a verified one', { email: ofToken, email_verified: true }, {}, ofToken],
    ['none that only another answer verifies', { email: ofToken }, { email_verified: true }, undefined],
    [
      'another for which that is verified',
      { email: ofToken },
      { email: ofAnswer, email_verified: true },
      ofAnswer,
    ],
    [
      'its own before another',
      { email: ofToken, email_verified: true },
      { email: ofAnswer, email_verified: true },
      ofToken,
    ],
    ['none that only its token verifies', { email_verified: true }, { email: ofAnswer }, undefined],
    ['none that is not verified', { email: ofToken, email_verified: false }, { email: ofAnswer }, undefined],
    ['none with a text as proof', {}, { email: ofAnswer, email_verified: 'true' }, undefined],
  ] as const)
    it(`gives a visitor as the address ${name}`, async () => {
      const sub = name.replaceAll(' ', '-');
      provider.lie = {
        claims: (honest) => ({ ...without(honest, 'name'), sub, ...claims }),
        userinfo: { sub, name: `Named ${sub}`, ...userinfo },
      };
      const { text, verifier } = await comeBack();
      provider.lie = {};
      const code = /data-code="(wyo_\w+)"/.exec(text)?.[1] ?? '';
      const { body } = await server.call('POST', '/api/sign-in/token', { code, verifier }, { as: null });
      assert.equal(body.user.email, email);
    });

  it('is believed in nothing that it says of another provider', async () => {
    const other = await startTestServer({
      CONFAB_SIGN_IN: 'liar',
      CONFAB_SIGN_IN_PROVIDERS: JSON.stringify({
        liar: { issuer: provider.issuer, client_id: client.id, client_secret: client.secret },
      }),
      CONFAB_CORS_ORIGINS: origin,
      CONFAB_EGRESS_ALLOW: '127.0.0.1',
    });
    provider.lie = { discovery: (honest) => ({ ...honest, issuer: 'https://accounts.example.com' }) };
    const query = new URLSearchParams({ origin, challenge: newVerifier().challenge });
    const { status } = await fetch(`${other.url}/sign-in/with/liar?${query}`, { redirect: 'manual' });
    provider.lie = {};
    assert.equal(status, 403);
    // The next visitor finds it honest again.
    const again = await fetch(`${other.url}/sign-in/with/liar?${query}`, { redirect: 'manual' });
    assert.equal(again.status, 302);
    await other.close();
  });

  it('is not reached where the operator does not allow its address', async () => {
    const closed = await startTestServer({
      CONFAB_SIGN_IN: 'liar',
      CONFAB_SIGN_IN_PROVIDERS: JSON.stringify({
        liar: { issuer: provider.issuer, client_id: client.id, client_secret: client.secret },
      }),
      CONFAB_CORS_ORIGINS: origin,
      CONFAB_EGRESS_ALLOW: 'accounts.example.com',
    });
    const { asked } = provider;
    const query = new URLSearchParams({ origin, challenge: newVerifier().challenge });
    const { status } = await fetch(`${closed.url}/sign-in/with/liar?${query}`, { redirect: 'manual' });
    assert.deepEqual([status, provider.asked], [403, asked]);
    await closed.close();
  });
});

describe('GitHub', () => {
  const emails = [
    { email: 'old@example.com', primary: false, verified: true },
    { email: 'octo@example.com', primary: true, verified: true },
  ];
  let user: object = { id: 583_231, login: 'octocat', name: 'The Octocat' };
  const asked: string[] = [];
  const github = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    const bodies: { readonly [path: string]: object } = {
      '/login/oauth/access_token': { access_token: 'gho_token', token_type: 'bearer' },
      '/user': user,
      '/user/emails': emails,
    };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(bodies[request.url ?? ''] ?? {}));
  });
  let server: TestServer;
  before(async () => {
    await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
    server = await startTestServer(
      {
        CONFAB_SIGN_IN: 'github',
        CONFAB_SIGN_IN_PROVIDERS: JSON.stringify({
          github: { client_id: client.id, client_secret: client.secret },
        }),
        CONFAB_CORS_ORIGINS: origin,
        CONFAB_EGRESS_ALLOW: '127.0.0.1',
      },
      { github: { site: address, api: address } },
    );
  });
  after(async () => {
    await server.close();
    github.closeAllConnections();
    github.close();
  });

  async function comeBack(more: Record<string, string>) {
    const { verifier, challenge } = newVerifier();
    const browser = new CookieBrowser();
    const start = `${server.url}/sign-in/with/github?${new URLSearchParams({ origin, challenge })}`;
    const left = await browser.open(start, { goesOn: (next) => next.startsWith(server.url) });
    const state = new URL(left.url).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ ...more, state });
    return { ...(await browser.open(`${server.url}/sign-in/callback/github?${query}`)), verifier };
  }

  it('names a visitor by its number, with the verified address', async () => {
    const { text, verifier } = await comeBack({ code: 'any' });
    const code = /data-code="(wyo_\w+)"/.exec(text)?.[1] ?? '';
    const { body } = await server.call('POST', '/api/sign-in/token', { code, verifier }, { as: null });
    assert.deepEqual(
      [body.user.name, body.user.email, body.user.way],
      ['The Octocat', 'octo@example.com', 'github'],
    );
    assert.ok(asked.includes('GET /user Bearer gho_token'));
  });

  it('names nobody without a number, a code or a state', async () => {
    user = { login: 'nobody' };
    assert.equal((await comeBack({ code: 'any' })).status, 403);
    assert.equal((await comeBack({ error: 'access_denied' })).status, 403);
    const bare = await fetch(`${server.url}/sign-in/callback/github?code=any&state=any`);
    assert.equal(bare.status, 403);
  });
});
