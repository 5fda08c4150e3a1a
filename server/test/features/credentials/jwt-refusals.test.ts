import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { makeSigner, type Signer, sign, useProvider } from 'confab-testing/network/identity-provider.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, startTestServer, type TestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { exportJWK, exportSPKI, type JWTPayload } from 'jose';

const clock = movableClock();
const provider = useProvider();
const common = { CONFAB_JWT_ISSUER: 'https://id.example.com', CONFAB_JWT_AUDIENCE: 'confab' };
const secret = 'a secret of the host that has more than thirty-two bytes';
const settings: Record<string, string> = { ...common, CONFAB_JWT_LIFE_MINUTES: '60' };
before(() => {
  settings.CONFAB_JWT_JWKS_URL = provider.url;
});
const server = useServer(settings, { clock });
const withSecret = useServer({ ...common, CONFAB_JWT_SECRET: secret }, { clock });
const watch = useStoreWatch(server);

let signer: Signer;
let rsa: Signer;
let stranger: Signer;
let pem: string;
before(async () => {
  signer = await makeSigner('ES256');
  rsa = await makeSigner('RS256');
  stranger = await makeSigner('ES256');
  pem = await exportSPKI(rsa.publicKey);
  provider.state.keys = [signer.jwk, rsa.jwk];
});

const seconds = () => Math.floor(clock.now() / 1000);
const good = (): JWTPayload => ({
  iss: common.CONFAB_JWT_ISSUER,
  aud: common.CONFAB_JWT_AUDIENCE,
  sub: 'ada',
  iat: seconds(),
  exp: seconds() + 600,
});
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const withoutClaim = (name: keyof JWTPayload) => {
  const { [name]: _left, ...rest } = good();
  return rest;
};

/** A token with a header and claims as they are, signed by HMAC with a key. */
function byHmac(header: object, key: string | Buffer, claims: unknown = good()): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** A token of the provider with one part exchanged. */
async function exchanged(part: 0 | 1 | 2, change: (text: string) => string): Promise<string> {
  const parts = (await sign(signer, good())).split('.');
  parts[part] = change(parts[part] ?? '');
  return parts.join('.');
}

const flip = (text: string, at: number) =>
  text.slice(0, at) + (text.at(at) === 'A' ? 'B' : 'A') + (at === -1 ? '' : text.slice(at + 1));
const claimed = (claims: () => JWTPayload) => () => sign(signer, { ...good(), ...claims() });
const headed = (header: object) => () => sign(signer, good(), header);

type Row = readonly [name: string, token: () => Promise<string> | string, detail: RegExp];

const form = /holds no access token/;
const signature = /signature/;
const algorithm = /algorithm/;
const noKey = /names no key/;
const other = /is not a JSON Web Token that is accepted/;

/** Each of these is 401 `invalid_credential`, with a detail that says what is wrong and repeats nothing of the token. */
const rows: readonly Row[] = [
  // Algorithms
  ['none', () => `${encode({ alg: 'none' })}.${encode(good())}.`, algorithm],
  ['none with a signature', () => exchanged(0, () => encode({ alg: 'none' })), algorithm],
  ['None', () => `${encode({ alg: 'None' })}.${encode(good())}.`, algorithm],
  ['NONE and the key id', () => `${encode({ ...signer.header, alg: 'NONE' })}.${encode(good())}.`, algorithm],
  ['no algorithm', () => exchanged(0, () => encode({ kid: signer.header.kid })), other],
  ['an algorithm that is a number', () => exchanged(0, () => encode({ ...signer.header, alg: 256 })), other],
  ['an empty algorithm', () => exchanged(0, () => encode({ ...signer.header, alg: '' })), other],
  ['es256 in small letters', () => exchanged(0, () => encode({ ...signer.header, alg: 'es256' })), algorithm],
  ['HMAC with the public key in PEM', () => byHmac({ alg: 'HS256', kid: rsa.header.kid }, pem), algorithm],
  ['HMAC with that PEM, trimmed', () => byHmac({ alg: 'HS256', kid: rsa.header.kid }, pem.trim()), algorithm],
  ['HMAC with the modulus', () => byHmac({ alg: 'HS256', kid: rsa.header.kid }, rsa.jwk.n ?? ''), algorithm],
  [
    'HMAC with the bytes of the modulus',
    () => byHmac({ alg: 'HS256', kid: rsa.header.kid }, Buffer.from(rsa.jwk.n ?? '', 'base64url')),
    algorithm,
  ],
  ['HMAC with the JWK', () => byHmac({ alg: 'HS256' }, JSON.stringify(rsa.jwk)), algorithm],
  ['HMAC with nothing', () => byHmac({ alg: 'HS256', kid: signer.header.kid }, ''), algorithm],
  [
    'the key of another algorithm',
    () => exchanged(0, () => encode({ alg: 'RS256', kid: signer.header.kid })),
    noKey,
  ],
  [
    'PS256 by a key for RS256',
    () => exchanged(0, () => encode({ alg: 'PS256', kid: rsa.header.kid })),
    noKey,
  ],
  ['ES512', () => exchanged(0, () => encode({ ...signer.header, alg: 'ES512' })), algorithm],
  ['encryption', () => exchanged(0, () => encode({ alg: 'RSA-OAEP', enc: 'A256GCM' })), algorithm],
  // Keys
  ['a stranger’s key', () => sign(stranger, good()), noKey],
  [
    'a stranger’s key under a known id',
    () => sign({ ...stranger, header: signer.header }, good()),
    signature,
  ],
  ['a key id that is a path', headed({ kid: '../../../../dev/null' }), noKey],
  ['a key id that is a statement', headed({ kid: "' or 1=1 --" }), noKey],
  ['an empty key id', headed({ kid: '' }), noKey],
  ['a key id that is a number', () => exchanged(0, () => encode({ alg: 'ES256', kid: 5 })), /./],
  [
    'a key of its own in the header',
    async () =>
      await sign(stranger, good(), { kid: signer.header.kid, jwk: await exportJWK(stranger.publicKey) }),
    signature,
  ],
  [
    'a key of its own and no id',
    async () => await sign({ ...stranger, header: { alg: 'ES256' } }, good(), { jwk: stranger.jwk }),
    signature,
  ],
  [
    'an address of keys in the header',
    () => sign({ ...stranger, header: signer.header }, good(), { jku: 'http://127.0.0.1:9/keys' }),
    signature,
  ],
  [
    'an address of a certificate',
    () => sign({ ...stranger, header: signer.header }, good(), { x5u: 'http://127.0.0.1:9/cert' }),
    signature,
  ],
  [
    'a certificate in the header',
    () => sign({ ...stranger, header: signer.header }, good(), { x5c: ['MIIB'] }),
    signature,
  ],
  // Tampering
  ['other claims', () => exchanged(1, () => encode({ ...good(), sub: 'grace' })), signature],
  ['another header', () => exchanged(0, () => encode({ ...signer.header, typ: 'JWT' })), signature],
  ['a changed claim', () => exchanged(1, (text) => flip(text, 20)), signature],
  ['a changed first character of the signature', () => exchanged(2, (text) => flip(text, 0)), signature],
  ['a changed character of the signature', () => exchanged(2, (text) => flip(text, 40)), signature],
  ['a last character with unused bits', () => exchanged(2, nextSpelling), signature],
  ['a shorter signature', () => exchanged(2, (text) => text.slice(0, -4)), signature],
  ['a longer signature', () => exchanged(2, (text) => `${text}AAAA`), signature],
  ['no signature', () => exchanged(2, () => ''), signature],
  ['a signature of zeros', () => exchanged(2, () => Buffer.alloc(64).toString('base64url')), signature],
  [
    'the signature of another token',
    async () => {
      const [, , theirs = ''] = (await sign(signer, { ...good(), sub: 'grace' })).split('.');
      return await exchanged(2, () => theirs);
    },
    signature,
  ],
  // Form
  ['two parts', async () => (await sign(signer, good())).split('.').slice(0, 2).join('.'), form],
  ['four parts', async () => `${await sign(signer, good())}.AAAA`, form],
  ['five parts', async () => `${await sign(signer, good())}.AAAA.AAAA`, form],
  ['padding', async () => `${await sign(signer, good())}==`, form],
  ['characters of base64', () => exchanged(2, (text) => `+/${text.slice(2)}`), form],
  ['a token behind it', async () => `${await sign(signer, good())},${await sign(signer, good())}`, form],
  ['the prefix of an API key', async () => `wys_${await sign(signer, good())}`, other],
  ['the prefix twice', async () => `wyu_wyu_${await sign(signer, good())}`, other],
  ['a header that is no JSON', () => exchanged(0, () => encode('{"alg":')), other],
  ['a header that is a list', () => exchanged(0, () => encode([])), other],
  ['a header that is null', () => exchanged(0, () => encode('null')), other],
  ['a header of bytes', () => exchanged(0, () => Buffer.from([255, 254, 0]).toString('base64url')), other],
  ['an empty header', () => exchanged(0, () => ''), form],
  ['claims that are no JSON', () => signedText('no JSON'), other],
  ['claims that are a list', () => signedText('[]'), other],
  ['claims that are a text', () => signedText('"ada"'), other],
  ['more than 8 KiB', claimed(() => ({ groups: 'x'.repeat(7000) })), /more than 8192 characters/],
  ['an unknown critical header', () => signedText(JSON.stringify(good()), { crit: ['exp'], exp: 1 }), other],
  [
    'a critical header that is empty',
    () => exchanged(0, () => encode({ ...signer.header, crit: [] })),
    other,
  ],
  ['an algorithm twice', () => exchanged(0, () => encode('{"alg":"ES256","alg":"none"}')), algorithm],
  // Claims
  ['no issuer', () => sign(signer, withoutClaim('iss')), /has no claim iss/],
  ['another issuer', claimed(() => ({ iss: 'https://id.example.org' })), /claim iss/],
  ['an issuer with a slash more', claimed(() => ({ iss: 'https://id.example.com/' })), /claim iss/],
  ['issuers', claimed(() => ({ iss: ['https://id.example.com'] as never })), /claim iss/],
  ['no audience', () => sign(signer, withoutClaim('aud')), /has no claim aud/],
  ['another audience', claimed(() => ({ aud: 'billing' })), /claim aud/],
  ['other audiences', claimed(() => ({ aud: ['billing', 'Confab'] })), /claim aud/],
  ['an empty audience', claimed(() => ({ aud: [] })), /claim aud/],
  ['no end', () => sign(signer, withoutClaim('exp')), /has no claim exp/],
  ['an end that is past', claimed(() => ({ iat: seconds() - 100, exp: seconds() - 31 })), /has expired/],
  ['an end that is a text', claimed(() => ({ exp: `${seconds() + 60}` as never })), /claim exp/],
  [
    'an end that never comes',
    () => signedText(JSON.stringify(good()).replace(/"exp":\d+/, '"exp":1e999')),
    /longer/,
  ],
  ['a life of an hour and a second', claimed(() => ({ exp: seconds() + 3601 })), /longer/],
  ['an end before its beginning, both past', claimed(() => ({ exp: 5 })), /has expired/],
  ['no time of issue', () => sign(signer, withoutClaim('iat')), /has no claim iat/],
  ['a time of issue that is a text', claimed(() => ({ iat: 'now' as never })), /iat/],
  ['issued in the future', claimed(() => ({ iat: seconds() + 60, exp: seconds() + 120 })), /in the future/],
  ['valid from the future on', claimed(() => ({ nbf: seconds() + 60 })), /claim nbf/],
  ['a beginning that is a text', claimed(() => ({ nbf: 'soon' as never })), /claim nbf/],
  ['no subject', () => sign(signer, withoutClaim('sub')), /has no claim sub/],
  ['an empty subject', claimed(() => ({ sub: '' })), /sub of the access token must not be empty/],
  ['a subject that is a number', claimed(() => ({ sub: 42 as never })), /claims sub/],
  ['a subject of digits', claimed(() => ({ sub: '4242' })), /not a digit/],
  ['a subject with a space', claimed(() => ({ sub: 'ada lovelace' })), /white space/],
  ['a subject with an invisible character', claimed(() => ({ sub: 'ada\u200b' })), /invisible/],
  ['a subject with a surrogate', claimed(() => ({ sub: 'ada\ud800' })), /invisible/],
  ['a subject that is a dot', claimed(() => ({ sub: '..' })), /must not be/],
  ['a subject that is too long', claimed(() => ({ sub: 'x'.repeat(257) })), /at most 256/],
  ['a subject that is a path', claimed(() => ({ sub: 'autocomplete' })), /path of its own/],
  ['the system as its subject', claimed(() => ({ sub: 'system' })), /built-in user/],
];

/** The same signature with its last character spelled with other unused bits. */
function nextSpelling(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.slice(-1)) + 1];
}

/** A good signature of claims that `SignJWT` would not write. */
async function signedText(text: string, more: object = {}): Promise<string> {
  const input = `${encode({ ...signer.header, ...more })}.${encode(text)}`;
  const bytes = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    signer.privateKey,
    Buffer.from(input),
  );
  return `${input}.${Buffer.from(bytes).toString('base64url')}`;
}

async function use(at: TestServer, token: string) {
  return await at.call('GET', '/api/user', undefined, { as: token });
}

// A token that is not exactly what the provider signed for this server at this time lets nobody in, and writes nothing.
describe('a bad token of an identity provider', () => {
  for (const [name, make, detail] of rows)
    test(`${name} is 401`, async () => {
      assert.equal((await use(server, await sign(signer, { ...good(), sub: 'first' }))).status, 200);
      const token = await make();
      watch.hasChanged();
      clock.move(11_000);
      const answer = await use(server, token);
      assertProblem(answer, 401, 'invalid_credential');
      assert.match(answer.body.detail, detail);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      for (const part of [token, ...token.split('.').filter(({ length }) => length > 8)])
        assert.ok(!answer.text.includes(part), 'a part of the token is in the answer');
      assert.equal(watch.hasChanged(), false);
    });

  test('is in as many rows as were tried', (t) => {
    t.diagnostic(`tokens of an identity provider: ${rows.length} bad ones, each refused for its own reason`);
    assert.ok(rows.length >= 60);
  });

  test('is refused without asking anybody that it names', async () => {
    const asked = provider.state.asked;
    await use(server, await sign({ ...stranger, header: signer.header }, good(), { jku: provider.url }));
    assert.equal(provider.state.asked, asked);
  });

  test('is not taken by a server that knows no provider', async (t) => {
    const plain = await startTestServer();
    t.after(() => plain.close());
    const answer = await use(plain, await sign(signer, good()));
    assertProblem(answer, 401, 'invalid_credential');
    assert.match(answer.body.detail, form);
  });

  test('is not taken of a user who is suspended or in the trash', async () => {
    const { uid } = await makeUser(server);
    const token = await sign(signer, { ...good(), sub: uid });
    assert.equal((await use(server, token)).status, 200);
    await server.call('PATCH', `/api/users/${uid}`, { is_suspended: true });
    assert.match((await use(server, token)).body.detail, /suspended/);
    assert.match(
      (await use(server, await sign(signer, { ...good(), sub: uid, name: 'x' }))).body.detail,
      /suspended/,
    );
    await server.call('PATCH', `/api/users/${uid}`, { is_suspended: false });
    assert.match((await use(server, token)).body.detail, /revoked/);
    await server.call('POST', `/api/users/${uid}/trash`);
    assert.match((await use(server, token)).body.detail, /in the trash/);
  });
});

// A secret is a key for HMAC alone, and only for the algorithms that it is long enough for.
describe('a server with a secret', () => {
  const rowsOfSecret: readonly Row[] = [
    [
      'another secret',
      () => byHmac({ alg: 'HS256' }, 'another secret of more than thirty-two bytes'),
      signature,
    ],
    ['the secret cut', () => byHmac({ alg: 'HS256' }, secret.slice(0, -1)), signature],
    ['a good token as HS512', () => byHmac({ alg: 'HS512' }, secret), algorithm],
    ['a token of a provider', () => sign(signer, good()), algorithm],
    ['none', () => `${encode({ alg: 'none' })}.${encode(good())}.`, algorithm],
    [
      'a secret of its own',
      () => byHmac({ alg: 'HS256', jwk: { kty: 'oct', k: encode('x') } }, 'x'),
      signature,
    ],
  ];
  for (const [name, make, detail] of rowsOfSecret)
    test(`refuses ${name}`, async () => {
      const answer = await use(withSecret, await make());
      assertProblem(answer, 401, 'invalid_credential');
      assert.match(answer.body.detail, detail);
    });

  test('takes HS256, and HS384 where the secret has 48 bytes', async () => {
    assert.equal((await use(withSecret, byHmac({ alg: 'HS256' }, secret))).status, 200);
    const text = `${encode({ alg: 'HS384' })}.${encode(good())}`;
    const mac = createHmac('sha384', secret).update(text).digest('base64url');
    assert.equal((await use(withSecret, `${text}.${mac}`)).status, 200);
  });
});

// Each algorithm that is accepted works with a key of the provider and with one public key in the settings.
describe('the algorithm', () => {
  for (const alg of [
    'ES256',
    'ES384',
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'EdDSA',
    'Ed25519',
  ])
    test(`${alg} is accepted`, async (t) => {
      const one = await makeSigner(alg);
      provider.state.keys = [...provider.state.keys, one.jwk];
      clock.move(11_000);
      assert.equal((await use(server, await sign(one, good()))).status, 200);
      const text = alg.startsWith('E') ? JSON.stringify(one.jwk) : await exportSPKI(one.publicKey);
      const single = await startTestServer(
        { ...common, CONFAB_JWT_PUBLIC_KEY: text.replaceAll('\n', '\\n') },
        { clock },
      );
      t.after(() => single.close());
      assert.equal((await use(single, await sign(one, good()))).status, 200);
      assert.equal((await use(single, await sign(stranger, good()))).status, 401);
      const confused = byHmac({ alg: 'HS256' }, await exportSPKI(one.publicKey));
      assert.match((await use(single, confused)).body.detail, algorithm);
    });
});
