import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { useMailServer } from 'confab-testing/network/mail-server.ts';
import { poll } from 'confab-testing/poll.ts';
import { type Answer, before, startTestServer, use } from 'confab-testing/server.ts';
import { freshName, newVerifier, signInGuest, solve } from 'confab-testing/visitors.ts';

const origin = 'https://blog.example.com';

/** Characters that look like ASCII letters, and are others. */
const lookAlikes: { readonly [letter: string]: readonly string[] } = {
  a: ['а', 'ａ', 'á', 'ȧ', '𝐚', 'ɑ', 'α', 'A'],
  c: ['с', 'ｃ', 'ç', '𝐜', 'ϲ', 'C'],
  d: ['ԁ', 'ｄ', 'ď', '𝐝', 'D'],
  e: ['е', 'ｅ', 'é', '𝐞', 'ё', 'E'],
  g: ['ɡ', 'ｇ', 'ğ', '𝐠', 'G'],
  h: ['һ', 'ｈ', '𝐡', 'H'],
  i: ['і', 'ｉ', 'í', '𝐢', '1', 'l', 'I', '|'],
  m: ['ｍ', '𝐦', 'rn', 'M'],
  n: ['ｎ', 'ñ', '𝐧', 'N'],
  o: ['о', 'ｏ', 'ö', '𝐨', '0', 'ο', 'O'],
  p: ['р', 'ｐ', '𝐩', 'P'],
  r: ['ｒ', 'ř', '𝐫', 'R'],
  s: ['ѕ', 'ｓ', 'ş', '𝐬', 'S'],
  t: ['ｔ', '𝐭', 'T'],
};

/** A name with each letter in turn replaced by each that looks like it, and what hides in a name. */
function disguises(name: string): string[] {
  const letters = [...name];
  const replaced = letters.flatMap((letter, at) =>
    (lookAlikes[letter.toLowerCase()] ?? []).map((other) =>
      letters.map((own, index) => (index === at ? other : own)).join(''),
    ),
  );
  const around = [' ', '.', '_', '-', '!', '★', '  ', '·'].flatMap((mark) => [
    `${mark}${name}`,
    `${name}${mark}`,
  ]);
  return [...new Set([...replaced, ...around, name.toUpperCase(), name.toLowerCase()])];
}

/** Addresses that a page of another origin would like a code to be sent to. */
const wrongReturns: readonly string[] = [
  ...['https://evil.example.com/', 'http://blog.example.com/', 'https://blog.example.com.evil.example/'],
  ...[
    'https://blog.example.com@evil.example/',
    'https://user@blog.example.com/',
    'https://u:p@blog.example.com/',
  ],
  ...['//evil.example.com/', '/\\evil.example.com', '\\\\evil.example.com', 'javascript:alert(1)'],
  ...[
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://blog.example.com/x',
  ],
  ...[
    'https://blog.example.com:444/',
    'https://blog.example.com.',
    'https://BLOG.example.com.evil.example',
    'ftp://blog.example.com/',
  ],
  ...[
    'https:blog.example.com.evil.example',
    'https://blog.example.com%2eevil.example/',
    'https://blog。example.com.evil.example/',
  ],
  ...[
    'x',
    '',
    ' ',
    'null',
    'about:blank',
    'https://',
    'https://[::1]/',
    'https://evil.example.com/#https://blog.example.com/',
  ],
  ...[
    'https://evil.example.com/?https://blog.example.com',
    'https://evil.example.com\\@blog.example.com/',
    'http://0/',
  ],
];
const wrongOrigins: readonly string[] = [
  ...[
    'https://evil.example.com',
    'http://blog.example.com',
    'https://blog.example.com/',
    'https://blog.example.com:443',
  ],
  ...[
    '*',
    'null',
    '',
    ' https://blog.example.com',
    'https://BLOG.example.com',
    'https://blog.example.com.evil.example',
  ],
  ...[
    'https://evil.example.com,https://blog.example.com',
    'https://sub.blog.example.com',
    'https://example.com',
  ],
];

// Everything of the section on threats that can be tried with requests. Each attack is counted, and none succeeds.
describe('attacks on signing in', () => {
  const mailServer = useMailServer();
  const server = use(() =>
    startTestServer(
      {
        CONFAB_SIGN_IN: 'guest,email',
        CONFAB_SMTP_URL: mailServer.url,
        CONFAB_MAIL_FROM: 'no-reply@example.com',
        CONFAB_CORS_ORIGINS: origin,
      },
      // Tests wait for many mails.
      { signInMailsEveryMs: 20 },
    ),
  );
  const guests = use(() =>
    startTestServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no', CONFAB_CORS_ORIGINS: origin }),
  );
  after(() => Promise.all([server.close(), guests.close()]));
  const counts = new Map<string, number>();

  function assertRefused(
    name: string,
    { status, text }: Pick<Answer, 'status' | 'text'>,
    wanted: number,
  ): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    assert.equal(status, wanted, `${name}: ${text}`);
    assert.doesNotMatch(text, /wy[vro]_/, name);
  }

  /** Opens a page as a browser does. */
  async function open(path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(server.url + path);
    return { status: response.status, text: await response.text() };
  }

  const post = (path: string, body: object) => server.call('POST', `/api/sign-in${path}`, body, { as: null });

  before(async () => {
    await guests.create('/api/users', { uid: 'moderator', name: 'Grace Modis', role: 'moderator' });
    await guests.create('/api/users', { uid: 'other', name: 'Tess Hogan', role: 'moderator' });
    await signInGuest(guests, 'Marco Pender');
  });

  it('by a name like that of a moderator or of another guest', async () => {
    for (const known of ['Grace Modis', 'Marco Pender', 'Tess Hogan'])
      for (const name of disguises(known)) {
        const answer = await guests.call('POST', '/api/sign-in/guest', { name }, { as: null });
        assertRefused('a name like another', answer, 422);
      }
  });

  it('by another page that wants the code', async () => {
    const { challenge } = newVerifier();
    const email = 'victim@example.com';
    for (const returnTo of wrongReturns) {
      const answer = await post('/email', { email, origin, challenge, return_to: returnTo });
      assertRefused('going back to another page', answer, 422);
      const query = new URLSearchParams({ origin, challenge, return: returnTo });
      const page = await open(`/sign-in?${query}`);
      assertRefused('a window for another page', page, 403);
    }
    for (const other of wrongOrigins) {
      const answer = await post('/email', { email, origin: other, challenge });
      assertRefused('an origin that is not listed', answer, 422);
      const page = await open(`/sign-in?${new URLSearchParams({ origin: other, challenge })}`);
      assertRefused('a window of an origin that is not listed', page, 403);
    }
    for (const wrong of [
      '',
      'a',
      'a'.repeat(42),
      'a'.repeat(44),
      `${'a'.repeat(42)}=`,
      `${'a'.repeat(42)}"`,
    ]) {
      const page = await open(`/sign-in?${new URLSearchParams({ origin, challenge: wrong })}`);
      assertRefused('a window without a challenge', page, 403);
    }
    assert.equal(mailServer.mails.length, 0);
  });

  /** Confirms a mailbox, and returns the code for the page with its verifier. */
  async function codeFor(email: string) {
    const { verifier, challenge } = newVerifier();
    const { body } = await post('/email', { email, origin, challenge });
    const mail = await poll('the mail', () => mailServer.mails.find(({ to }) => to === email));
    const digits = /^\d{6}$/m.exec(mail.text)?.[0] ?? '';
    const secret = /\/sign-in\/refuse#(\w+)/.exec(mail.text)?.[1] ?? '';
    const confirmed = await post('/email/code', { ticket: body.ticket, code: digits, name: freshName() });
    assert.equal(confirmed.status, 200, confirmed.text);
    return {
      code: confirmed.body.code as string,
      verifier,
      challenge,
      secret,
      ticket: body.ticket as string,
      digits,
    };
  }

  it('by a code that was used, or by a page that did not open the window', async () => {
    const misuse = async (n: number) => {
      const { code, verifier, challenge, secret, ticket, digits } = await codeFor(`used-${n}@example.com`);
      const [first, ...others] = await Promise.all(
        Array.from({ length: 5 }, () => post('/token', { code, verifier })),
      );
      assert.equal([first, ...others].filter((answer) => answer?.status === 200).length, 1);
      for (const answer of [first, ...others].filter((each) => each?.status !== 200))
        if (answer !== undefined) assertRefused('a code at the same time', answer, 403);
      assertRefused('a code that was used', await post('/token', { code, verifier }), 403);
      assertRefused('a mail that was used', await post('/email/code', { ticket, code: digits }), 403);
      assertRefused('a link that was used', await post('/email/link', { secret, challenge }), 403);
      const stolen = await codeFor(`stolen-${n}@example.com`);
      assertRefused(
        'a code without its verifier',
        await post('/token', { code: stolen.code, verifier: newVerifier().verifier }),
        403,
      );
    };
    await Promise.all(Array.from({ length: 10 }, (_, n) => misuse(n)));
  });

  it('by guessing the digits of a mail', async () => {
    const guess = async (n: number) => {
      const email = `guessed-${n}@example.com`;
      const { challenge } = newVerifier();
      const { body } = await post('/email', { email, origin, challenge });
      const mail = await poll('the mail', () => mailServer.mails.find(({ to }) => to === email));
      const right = /^\d{6}$/m.exec(mail.text)?.[0] ?? '';
      for (let more = 1; more <= 5; more += 1) {
        const code = String((Number(right) + more) % 1_000_000).padStart(6, '0');
        assertRefused('a guessed code', await post('/email/code', { ticket: body.ticket, code }), 403);
      }
      const late = await post('/email/code', { ticket: body.ticket, code: right });
      assertRefused('the right code after five wrong ones', late, 403);
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => guess(n)));
  });

  it('by flooding a mailbox', async () => {
    const { challenge } = newVerifier();
    const before = mailServer.mails.length;
    for (let n = 0; n < 40; n += 1) await post('/email', { email: 'flooded@example.com', origin, challenge });
    await codeFor('after@example.com');
    assert.equal(mailServer.mails.length - before, 5 + 1);
    counts.set('a mail too many', 35);
  });

  it('by secrets in the place of others', async () => {
    const { access_token: token, renewal_secret: renewal } = await signInGuest(guests);
    const user = await guests.token('somebody');
    const { code } = await codeFor('places@example.com');
    const { challenge, verifier } = newVerifier();
    const asked = await post('/email', { email: 'ticket@example.com', origin, challenge });
    const secrets = [token, renewal, user, guests.key, code, asked.body.ticket as string, 'x', ''];
    const places: readonly [string, (secret: string) => object][] = [
      ['/renewal', (secret) => ({ renewal_secret: secret })],
      ['/token', (secret) => ({ code: secret, verifier })],
      ['/email/code', (secret) => ({ ticket: secret, code: '000000' })],
      ['/email/link', (secret) => ({ secret, challenge })],
      ['/email/refusal', (secret) => ({ secret })],
    ];
    for (const [path, bodyOf] of places)
      for (const secret of secrets)
        assertRefused('a secret in a wrong place', await post(path, bodyOf(secret)), 403);
    for (const secret of [renewal, code, asked.body.ticket as string]) {
      const answer = await server.call('GET', '/api/user', undefined, { as: secret });
      assertRefused('a secret as a token', answer, 401);
    }
  });

  it('by a puzzle that is not solved, or is not one of this server', async () => {
    const puzzle = (await post('/puzzle', {})).body;
    const solved = await solve(puzzle);
    const body = (change: object) => ({ name: freshName(), puzzle: { ...solved, ...change } });
    for (let n = 1; n <= 100; n += 1) {
      const solution = { ...solved.solution, counter: solved.solution.counter + n };
      assertRefused('a wrong number', await post('/guest', body({ solution })), 403);
    }
    for (const [name, value] of Object.entries({
      ...{ algorithm: 'SHA-512', cost: 2, keyLength: 16, keyPrefix: '0', nonce: '00'.repeat(16), salt: '' },
      data: { until: 9_999_999_999 },
    })) {
      const challenge = { ...puzzle, parameters: { ...puzzle.parameters, [name]: value } };
      assertRefused('a puzzle made easier', await post('/guest', body({ challenge })), 403);
    }
    for (let at = 0; at < 64; at += 1) {
      const signature = puzzle.signature.replace(
        new RegExp(`^(.{${at}}).`),
        (_: string, start: string) => `${start}${puzzle.signature[at] === '0' ? '1' : '0'}`,
      );
      assertRefused(
        'a puzzle of nobody',
        await post('/guest', body({ challenge: { ...puzzle, signature } })),
        403,
      );
    }
    assert.equal((await post('/guest', body({}))).status, 200);
    for (let n = 0; n < 20; n += 1)
      assertRefused('a puzzle that was used', await post('/guest', body({})), 403);
  });

  it('by a copied session', async () => {
    for (let n = 0; n < 10; n += 1) {
      const renew = (secret: string) =>
        guests.call('POST', '/api/sign-in/renewal', { renewal_secret: secret }, { as: null });
      const { renewal_secret: secret } = await signInGuest(guests);
      const { body } = await renew(secret);
      assertRefused('a secret a second time', await renew(secret), 403);
      assertRefused('a session that was copied', await renew(body.renewal_secret), 403);
      assertRefused(
        'a token of a session that was copied',
        await guests.call('GET', '/api/user', undefined, { as: body.access_token }),
        401,
      );
    }
  });

  it('by a visitor on what is for users of the product', async () => {
    const { access_token: token } = await signInGuest(guests);
    const app = await makeApp(guests, { access: 'write' });
    const { id } = await makeComment(guests, app.id);
    const closed = operationList.filter(
      ({ caller, visitors, signedIn }) =>
        caller !== 'anyone' && caller !== 'visitor' && visitors === undefined && signedIn === undefined,
    );
    for (const { method, path } of closed) {
      const target = path.replace('{app}', String(app.id)).replaceAll(/\{\w+\}/g, String(id));
      const answer = await guests.call(method, target, method === 'GET' ? undefined : {}, { as: token });
      assertRefused('an operation that is not for visitors', answer, 401);
    }
    const page = await guests.call(
      'PUT',
      '/api/apps/a-page-of-the-product',
      { type: 'comments' },
      { as: token },
    );
    assertRefused('a page for a uid of the product', page, 401);
    const console = await guests.call('POST', '/console/session', undefined, { as: token });
    assert.notEqual(console.status, 200);
    counts.set('a session of the console', 1);
  });

  it('by a frame, a cookie or a log', async () => {
    const { challenge } = newVerifier();
    for (const path of [
      `/sign-in?${new URLSearchParams({ origin, challenge })}`,
      '/sign-in/link',
      '/sign-in/refuse',
    ]) {
      const { headers, status } = await server.call('GET', path, undefined, { as: null });
      assert.equal(status, 200);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe/);
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('set-cookie'), null);
      counts.set('a frame', (counts.get('a frame') ?? 0) + 1);
    }
  });

  it('are a thousand, and none succeeds', (t) => {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const [name, count] of counts) t.diagnostic(`${name}: ${count}`);
    t.diagnostic(`${all} attacks`);
    assert.ok(all >= 1000, `${all} attacks`);
  });
});
