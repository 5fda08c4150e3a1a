import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { type SignInWorld, startSignInWorld } from 'confab-testing/browser/sign-in-world.ts';
import { picture } from 'confab-testing/drawings.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import type { MailServer } from 'confab-testing/network/mail-server.ts';
import type { OidcProvider } from 'confab-testing/network/oidc-provider.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { poll } from 'confab-testing/poll.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { freshName, newVerifier } from 'confab-testing/visitors.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const guide = readGuide('visitors.md');
const heading = '### A page that signs in';

// The static page of the guide, of another origin than Confab, in a browser that keeps no cookies of other sites, under a
// content security policy that allows nothing else.
describe('visitors of a static page', () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let mailServer: MailServer;
  let provider: OidcProvider;
  let world: SignInWorld;

  before(async () => {
    world = await startSignInWorld();
    ({ host, server, browser, mailServer, provider } = world);
  });

  after(() => world.close());

  /** Puts the page of the guide at a path, for an app that visitors may write in. */
  async function pageFor(uid: string): Promise<string> {
    await makeApp(server, { uid, access: 'write', visitors: 'write' });
    const script = [
      guide.codeBelow('### Pictures', 'js'),
      'Object.assign(window, { setPicture });',
      guide.codeBelow(heading, 'js'),
    ]
      .join('\n')
      .replace('https://confab.example.com', server.url)
      .replace('my-page', uid);
    host.serve(`/${uid}.js`, { type: 'text/javascript; charset=utf-8', body: script });
    return host.serve(`/${uid}`, {
      type: 'text/html; charset=utf-8',
      headers: {
        'content-security-policy': `default-src 'none'; script-src 'self'; connect-src ${server.url}; img-src data: ${server.url}`,
      },
      body: `<!doctype html><link rel="icon" href="data:,">${guide.codeBelow(heading, 'html').replace('comments.js', `/${uid}.js`)}`,
    });
  }

  async function visit(
    address: string,
  ): Promise<{ context: BrowserContext; page: Page; faults: readonly string[] }> {
    const context = await newContext(browser);
    const faults = watch(context, {
      origins: [host.url, server.url, provider.issuer],
      expected: [
        { fault: /answered 422/, reason: 'a new visitor has no name yet' },
        { fault: /fonts\.googleapis\.com/, reason: 'the pages of the provider want a font' },
      ],
    });
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await protocol.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
    await page.goto(address);
    return { context, page, faults };
  }

  /** Writes, edits, answers and deletes. */
  async function converse(page: Page): Promise<void> {
    await page.locator('#text').fill('First words');
    await page.getByRole('button', { name: 'Write' }).click();
    const first = page.locator('article', { hasText: 'First words' });
    await first.locator('textarea').fill('Other words');
    await first.getByRole('button', { name: 'Change' }).click();
    const other = page.locator('article', { hasText: 'Other words' });
    await other.waitFor();
    await page.locator('#text').fill('An answer');
    await other.getByRole('button', { name: 'Answer' }).click();
    const answer = page.locator('article', { hasText: 'An answer' });
    await answer.getByRole('button', { name: 'Delete' }).click();
    await answer.waitFor({ state: 'detached' });
  }

  /** The code and the link of the newest mail to an address. */
  async function mailTo(address: string, count = 1) {
    const mail = await poll('the mail', () => {
      const mails = mailServer.mails.filter(({ to }) => to === address);
      return mails.length >= count ? mails.at(-1) : undefined;
    });
    return {
      code: /^\d{6}$/m.exec(mail.text)?.[0] ?? '',
      link: /\S+\/sign-in\/link#\S+/.exec(mail.text)?.[0] ?? '',
    };
  }

  test('go on as a guest, and erase themselves', async () => {
    const { context, page, faults } = await visit(await pageFor('guests'));
    const name = freshName();
    await page.locator('#name').fill(name);
    await page.getByRole('button', { name: 'Go on as a guest' }).click();
    await page.locator('#who', { hasText: name }).waitFor();
    await converse(page);
    await page.reload();
    await page.locator('#who', { hasText: name }).waitFor();
    await page.getByRole('button', { name: 'Erase me' }).click();
    await page.locator('#name').waitFor();
    const [row] = (await server.read('/api/apps/guests/comments?expand=created_by')).data;
    assert.ok(row === undefined || row.created_by?.display_name === 'Deleted user', JSON.stringify(row));
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('sign in by mail in a window, and come back', async () => {
    const { context, page, faults } = await visit(await pageFor('mailed'));
    const email = 'window@example.com';
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const popup = await opening;
    await popup.getByLabel('Email address').fill(email);
    await popup.getByRole('button', { name: 'Continue', exact: true }).click();
    const { code } = await mailTo(email);
    await popup.getByLabel('The code').fill(code);
    const name = freshName();
    await popup.locator('form.code').getByRole('button', { name: 'Sign in' }).click();
    await popup.getByLabel('Your name').fill(name);
    const closing = popup.waitForEvent('close');
    await popup.locator('form.code').getByRole('button', { name: 'Sign in' }).click();
    await closing;
    await page.locator('#who', { hasText: name }).waitFor();
    await converse(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#name').waitFor();
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('sign in by the link of a mail in the same browser, and in no other', async () => {
    const address = await pageFor('linked');
    const email = 'link@example.com';
    const { context, page, faults } = await visit(address);
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const popup = await opening;
    await popup.getByLabel('Email address').fill(email);
    await popup.getByRole('button', { name: 'Continue', exact: true }).click();
    const { link } = await mailTo(email);
    await popup.close();
    const tab = await context.newPage();
    await tab.goto(link);
    assert.doesNotMatch(tab.url(), /#./, 'the secret is not left in the address');
    await tab.getByRole('button', { name: 'Sign in' }).click();
    const name = freshName();
    await tab.getByLabel('Your name').fill(name);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.locator('#who', { hasText: name }).waitFor();
    assert.equal(tab.url(), address);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('sign in by a provider in the window, and come back', async () => {
    const { context, page, faults } = await visit(await pageFor('provided'));
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const popup = await opening;
    await popup.getByRole('link', { name: 'With local' }).click();
    await popup.locator('input[name=login]').fill('browser');
    await popup.locator('input[name=password]').fill('any');
    await popup.locator('button[type=submit]').click();
    const closing = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Continue' }).click();
    await closing;
    await page.locator('#who', { hasText: 'Name of browser' }).waitFor();
    await converse(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#name').waitFor();
    // What ties the way to the provider to this browser is Confab's own, and gone.
    const cookies = (await context.cookies()).map(({ name }) => name);
    assert.deepEqual(
      cookies.filter((name) => name.includes('confab')),
      [],
    );
    assert.deepEqual(faults, []);
    await context.close();
  });

  // A stranger chooses the challenge, so the code of the visitor would be theirs; a fragment survives redirects.
  describe('of a site with an open redirect', () => {
    let stranger: Host;
    let stolen: string;

    before(async () => {
      stranger = await startHost();
      stolen = stranger.serve('/stolen', { type: 'text/html', body: '<!doctype html><h1>Stolen</h1>' });
      const moved = (status: number, location: string) => ({
        status,
        type: 'text/html',
        body: '',
        headers: { location },
      });
      host.serve('/out', moved(302, stolen));
      // One that keeps the method and the body.
      host.serve('/forward', moved(307, window()));
    });
    after(() => stranger.close());

    const asked = () => ({
      ...{ origin: host.url, challenge: newVerifier().challenge, return: `${host.url}/out`, way: 'local' },
    });

    const window = () => `${server.url}/sign-in?${new URLSearchParams(asked())}`;
    const html = 'text/html; charset=utf-8';
    const formTo = (action: string) =>
      `<!doctype html><link rel="icon" href="data:,"><form method="post" action="${action.replaceAll('&', '&amp;')}"><button>Win</button></form>`;
    const linkTo = (address: string) =>
      `<!doctype html><link rel="icon" href="data:,"><a href="${address.replaceAll('&', '&amp;')}">Win</a>`;
    const address = () => `${server.url}/sign-in/with/local?${new URLSearchParams(asked())}`;

    for (const [name, begin] of [
      ['by a link of the stranger', () => stranger.serve('/link', { type: html, body: linkTo(address()) })],
      [
        'by a link that somebody has written on the site',
        () => host.serve('/written', { type: html, body: linkTo(address()) }),
      ],
      [
        'by a form of the stranger that the site passes on',
        () => stranger.serve('/form', { type: html, body: formTo(`${host.url}/forward`) }),
      ],
    ] as const)
      test(`are nobody else's ${name}`, async () => {
        const context = await newContext(browser);
        const page = await context.newPage();
        await page.goto(begin());
        await page.getByText('Win').click();
        const way = page.getByRole('link', { name: 'With local' });
        await way.or(page.locator('input[name=login]')).waitFor();
        if (await way.isVisible()) await way.click();
        await page.locator('input[name=login]').fill('victim');
        await page.locator('input[name=password]').fill('any');
        await page.locator('button[type=submit]').click();
        await page.getByRole('button', { name: 'Continue' }).click();
        const begun = page.getByText('begin again');
        await begun.or(page.getByText('Stolen')).waitFor();
        assert.equal(await begun.isVisible(), true, page.url());
        await context.close();
      });

    test('are nobody else’s by a form of the stranger', async () => {
      const context = await newContext(browser);
      const page = await context.newPage();
      await page.goto(stranger.serve('/own-form', { type: html, body: formTo(window()) }));
      await page.getByText('Win').click();
      await page.waitForURL(`${server.url}/sign-in?*`);
      assert.equal(await page.locator('h1').textContent(), 'Signing in is not possible here');
      await context.close();
    });

    test('are nobody else’s by a mail that the stranger asked for', async () => {
      const { origin, challenge, return: back } = asked();
      const email = 'victim@example.com';
      const body = { email, origin, challenge, return_to: back };
      await server.call('POST', '/api/sign-in/email', body, { as: null });
      const { link } = await mailTo(email);
      const context = await newContext(browser);
      const page = await context.newPage();
      await page.goto(link);
      const refused = page.getByText('This is not the browser in which you began');
      const name = page.getByLabel('Your name');
      await refused.or(page.getByRole('button', { name: 'Sign in' })).waitFor();
      if (!(await refused.isVisible())) {
        await page.getByRole('button', { name: 'Sign in' }).click();
        await name.fill(freshName());
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('Stolen').waitFor();
      }
      assert.equal(await refused.isVisible(), true, page.url());
      await context.close();
    });

    test('are nobody else’s by a code that they type into a window of the stranger', async () => {
      const context = await newContext(browser);
      const page = await context.newPage();
      await page.goto(`${server.url}/sign-in?${new URLSearchParams({ ...asked(), way: 'email' })}`);
      const email = 'typing@example.com';
      await page.getByLabel('Email address').fill(email);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      const { code } = await mailTo(email);
      await page.getByLabel('The code').fill(code);
      await page.locator('form.code').getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Your name').fill(freshName());
      await page.locator('form.code').getByRole('button', { name: 'Sign in' }).click();
      const begun = page.getByText('begin again');
      await begun.or(page.getByText('Stolen')).waitFor();
      assert.equal(await begun.isVisible(), true, page.url());
      await context.close();
    });
  });

  test('have a picture, which a page shows that permits those of Confab alone', async () => {
    const { context, page, faults } = await visit(await pageFor('pictures'));
    const name = freshName();
    await page.locator('#name').fill(name);
    await page.getByRole('button', { name: 'Go on as a guest' }).click();
    await page.locator('#who', { hasText: name }).waitFor();
    const bytes = [...(await picture(400, 300).png().toBuffer())];
    const width = await page.evaluate(async (sent) => {
      const { setPicture, Image } = globalThis as unknown as {
        readonly setPicture: (file: File) => Promise<{ readonly avatar_url: string }>;
        readonly Image: new () => { decode(): Promise<void>; readonly naturalWidth: number };
      };
      const { avatar_url: src } = await setPicture(
        new File([new Uint8Array(sent)], 'me.png', { type: 'image/png' }),
      );
      const image = Object.assign(new Image(), { src });
      await image.decode();
      return image.naturalWidth;
    }, bytes);
    assert.equal(width, 256);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('write without script on the page of Confab', async () => {
    await makeApp(server, { uid: 'plain', access: 'write', visitors: 'write', approval: 'newcomers' });
    const context = await newContext(browser, { javaScriptEnabled: false });
    const faults = watch(context, { origins: [server.url] });
    const page = await context.newPage();
    await page.goto(`${server.url}/pages/plain`);
    await page.getByLabel('Your name').fill(freshName());
    await page.getByLabel('Your comment').fill('Plain words');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('status').waitFor();
    const { data } = await server.read('/api/reports');
    assert.equal(data.length, 1);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('write nothing by a form of another site', async () => {
    const body = `<!doctype html><link rel="icon" href="data:,"><form method="post" action="${server.url}/pages/plain"><input name="name" value="Lured Reader"><input name="text" value="Words of another site"><button>Win a prize</button></form>`;
    const { context, page } = await visit(host.serve('/luring', { type: 'text/html; charset=utf-8', body }));
    await page.getByRole('button', { name: 'Win a prize' }).click();
    await page.getByText('sent by a page of another site').waitFor();
    assert.equal(await page.getByLabel('Your comment').inputValue(), '');
    assert.equal((await server.read('/api/reports')).data.length, 1);
    await context.close();
  });

  test('are not asked in a frame', async () => {
    const { context, page } = await visit(
      host.serve('/framing', {
        type: 'text/html; charset=utf-8',
        body: `<!doctype html><link rel="icon" href="data:,"><iframe src="${server.url}/sign-in?origin=${encodeURIComponent(host.url)}&challenge=${'a'.repeat(43)}"></iframe>`,
      }),
    );
    const frame = page.frames().find((each) => each !== page.mainFrame());
    await page.waitForLoadState('load');
    assert.equal(await frame?.locator('form').count(), 0);
    await context.close();
  });
});
