import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CookieBrowser } from 'confab-testing/cookie-browser.ts';
import { type OidcProvider, startOidcProvider } from 'confab-testing/network/oidc-provider.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { before, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { newVerifier } from 'confab-testing/visitors.ts';

const origin = 'https://blog.example.com';

describe('signing in by a provider of OpenID Connect', () => {
  let provider: OidcProvider;
  let server: TestServer;

  before(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    provider = await startOidcProvider([`${publicUrl}/sign-in/callback/local`], (subject) => ({
      name: `Name of ${subject}`,
      email: `${subject}@example.com`,
      email_verified: subject !== 'unverified',
    }));
    server = await startTestServer({
      CONFAB_PORT: String(port),
      CONFAB_PUBLIC_URL: publicUrl,
      CONFAB_SIGN_IN: 'local,guest',
      CONFAB_SIGN_IN_PROVIDERS: JSON.stringify({
        local: {
          issuer: provider.issuer,
          client_id: provider.client.id,
          client_secret: provider.client.secret,
        },
      }),
      CONFAB_CORS_ORIGINS: origin,
      CONFAB_EGRESS_ALLOW: '127.0.0.1',
    });
    await server.create('/api/users', { uid: 'grace', name: 'Name of grace', role: 'moderator' });
  });
  after(async () => {
    await server.close();
    await provider.close();
  });

  const post = (path: string, body: object) => server.call('POST', `/api/sign-in${path}`, body, { as: null });
  const startOf = (challenge: string, more: Record<string, string> = {}) =>
    `${server.url}/sign-in/with/local?${new URLSearchParams({ origin, challenge, ...more })}`;

  /** Signs in at the provider as somebody, up to the address that it sends the browser back to. */
  async function visit(browser: CookieBrowser, subject: string, challenge: string): Promise<string> {
    const goesOn = (next: string) => !next.startsWith(`${server.url}/sign-in/callback`);
    let page = await browser.open(startOf(challenge, { return: `${origin}/post` }), { goesOn });
    for (let step = 0; step < 2 && goesOn(page.url); step += 1) {
      const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? '';
      page = await browser.open(new URL(action, page.url).href, {
        form: { prompt, login: subject, password: 'any' },
        goesOn,
      });
    }
    assert.equal(goesOn(page.url), false, `${page.status} ${page.url} ${page.text.slice(0, 500)}`);
    return page.url;
  }

  /** The code that a page gives to the page that opened it. */
  function codeIn(text: string): string {
    return /data-code="(wyo_\w+)"/.exec(text)?.[1] ?? '';
  }

  it('makes a visitor with the name and the address that it says, and knows them again', async () => {
    const ids: number[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const { verifier, challenge } = newVerifier();
      const browser = new CookieBrowser();
      const page = await browser.open(await visit(browser, 'ada', challenge));
      assert.equal(page.status, 200, page.text);
      assert.match(page.text, /data-return="https:\/\/blog.example.com\/post"/);
      assert.equal(page.headers.get('cache-control'), 'no-store');
      const { status, body, text } = await post('/token', { code: codeIn(page.text), verifier });
      assert.equal(status, 200, text);
      assert.deepEqual(
        [body.user.way, body.user.name, body.user.email],
        ['local', 'Name of ada', 'ada@example.com'],
      );
      ids.push(body.user.id);
    }
    assert.equal(ids[0], ids[1]);
    assert.deepEqual((await server.as(null).read('/api/sign-in')).ways, ['local', 'guest']);
  });

  it('takes no address that the provider has not verified', async () => {
    const { verifier, challenge } = newVerifier();
    const browser = new CookieBrowser();
    const page = await browser.open(await visit(browser, 'unverified', challenge));
    const { body } = await post('/token', { code: codeIn(page.text), verifier });
    assert.equal(body.user.email, undefined);
  });

  it('numbers a name that somebody has', async () => {
    for (const [subject, name] of [
      ['grace', 'Name of grace 2'],
      ['GRACE', 'Name of GRACE 3'],
    ] as const) {
      const { verifier, challenge } = newVerifier();
      const browser = new CookieBrowser();
      const page = await browser.open(await visit(browser, subject, challenge));
      const { body } = await post('/token', { code: codeIn(page.text), verifier });
      assert.equal(body.user.name, name);
    }
  });

  it('ends in no other browser, once, and only for the state that it began with', async () => {
    const { challenge } = newVerifier();
    const browser = new CookieBrowser();
    const back = await visit(browser, 'eve', challenge);
    const refused = async (by: CookieBrowser, address: string) => {
      const { status, text } = await by.open(address);
      assert.equal(status, 403, text);
      assert.equal(codeIn(text), '');
    };
    await refused(new CookieBrowser(), back);
    const other = new CookieBrowser();
    const theirs = await visit(other, 'mallory', newVerifier().challenge);
    // Neither attempt uses up the state of the other.
    await refused(browser, theirs);
    await refused(new CookieBrowser(), theirs);
    // Nor does what only looks whether something is there.
    const start = startOf(challenge);
    for (const address of [theirs, start]) {
      const { status, headers } = await other.open(address, { method: 'HEAD' });
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, OPTIONS'], address);
    }
    assert.equal((await other.open(theirs)).status, 200);
    await refused(other, theirs);
    await refused(browser, back);
  });

  it('is refused where the provider says so, and for a page that is not listed', async () => {
    const { challenge } = newVerifier();
    const browser = new CookieBrowser();
    const back = new URL(await visit(browser, 'denied', challenge));
    const denied = new URL(back);
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    assert.equal((await browser.open(denied.href)).status, 403);
    for (const query of [
      { origin: 'https://evil.example.com', challenge },
      { origin, challenge: 'short' },
      { origin, challenge, return: 'https://evil.example.com/' },
    ]) {
      const { status, url } = await browser.open(
        `${server.url}/sign-in/with/local?${new URLSearchParams(query)}`,
      );
      assert.equal(status, 403);
      assert.ok(url.startsWith(server.url));
    }
    assert.equal(
      (await browser.open(`${server.url}/sign-in/with/unknown?${new URLSearchParams({ origin, challenge })}`))
        .status,
      404,
    );
  });
});
