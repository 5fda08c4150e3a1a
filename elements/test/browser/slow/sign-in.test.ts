import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import type { Host } from 'confab-testing/browser/host.ts';
import { look, setMode } from 'confab-testing/browser/looks.ts';
import { picture } from 'confab-testing/browser/picture-file.ts';
import { type SignInWorld, startSignInWorld } from 'confab-testing/browser/sign-in-world.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import type { MailServer } from 'confab-testing/network/mail-server.ts';
import type { OidcProvider } from 'confab-testing/network/oidc-provider.ts';
import { poll } from 'confab-testing/poll.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { freshName } from 'confab-testing/visitors.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { drawGround, type Opening, openElements } from '../page.ts';

// Visitors sign in from `<confab-comments>` by every way of the server, under the strictest content security policy.
describe('signing in from <confab-comments>', () => {
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

  /** Opens a page at a path, in whose app visitors may write. */
  async function visit(path: string, opening: Opening = {}) {
    const uid = pageUid(host.url + path);
    await makeApp(server, { uid, access: 'write', visitors: 'write' });
    return await openElements({ browser, host, server }, { path, ...opening });
  }

  /** Asks to sign in, as a part does, and answers the dialog. */
  async function ask(page: Page) {
    await page.locator('h2').first().waitFor();
    await page.evaluate(() => {
      // @ts-expect-error it is an element of ours
      void document.querySelector('confab-comments').signIn();
    });
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    return dialog;
  }

  const accountOf = (page: Page, name: string) =>
    page.getByRole('button', { name: /^Account/ }).filter({ hasText: name });

  async function mailTo(address: string) {
    const mail = await poll('the mail', () => mailServer.mails.filter(({ to }) => to === address).at(-1));
    return {
      code: /^\d{6}$/m.exec(mail.text)?.[0] ?? '',
      link: /\S+\/sign-in\/link#\S+/.exec(mail.text)?.[0] ?? '',
    };
  }

  const atProvider = () => [
    { fault: new RegExp(`left the server: ${provider.issuer}/`), reason: 'people sign in there' },
    { fault: /fonts\.googleapis\.com/, reason: 'the pages of the provider want a font' },
  ];

  async function popupOf(context: BrowserContext, act: () => Promise<void>): Promise<Page> {
    const opening = context.waitForEvent('page');
    await act();
    return await opening;
  }

  async function asGuest(page: Page, name = freshName()): Promise<string> {
    const dialog = await ask(page);
    await dialog.getByLabel('Your name').fill(name);
    await dialog.getByRole('button', { name: 'Continue as a guest' }).click();
    await accountOf(page, name).waitFor();
    return name;
  }

  test('a guest, whose name is refused first, and who stays signed in', async () => {
    const { page, faults, context } = await visit('/guest', {
      expected: [{ fault: /answered 422/, reason: 'the name is that of somebody else' }],
    });
    const taken = await asGuest(page);
    const other = await visit('/guest-2', {
      expected: [{ fault: /answered 422/, reason: 'the name is that of somebody else' }],
    });
    const dialog = await ask(other.page);
    const field = dialog.getByLabel('Your name');
    await dialog.getByRole('button', { name: 'Continue as a guest' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await field.fill(taken);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Continue as a guest' }).click();
    await dialog.getByText('is too close to someone').waitFor();
    assert.equal(await field.inputValue(), taken, 'what was typed is kept');
    assert.equal(await field.evaluate((input: any) => input.getRootNode().activeElement === input), true);
    await page.reload();
    await accountOf(page, taken).waitFor();
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual([...faults, ...other.faults], []);
    await context.close();
    await other.context.close();
  });

  test('from the button that is there before anything of signing in is loaded', async () => {
    const { page, faults, context } = await visit('/button');
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    await button.waitFor();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    assert.deepEqual(
      loaded.filter((name) => /sign-in|account/.test(name)),
      [],
    );
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await button.count(), 1);
    // The focus goes back a moment after the dialog has gone.
    const isFocused = () => button.evaluate((it: any) => it.getRootNode().activeElement === it);
    await poll('the focus', async () => (await isFocused()) || undefined);
    await page.keyboard.press('Enter');
    const name = freshName();
    await dialog.getByLabel('Your name').fill(name);
    await page.keyboard.press('Enter');
    await accountOf(page, name).waitFor();
    assert.equal(await button.count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('from no button where a visitor could not write, or the site has users of its own', async () => {
    const path = '/no-button';
    await makeApp(server, { uid: pageUid(host.url + path), access: 'write', visitors: 'read' });
    const tokens = host.serve('/tokens', { type: 'application/json', body: '{}' });
    const own = `<confab-comments token-url="${tokens}"></confab-comments>`;
    for (const opening of [
      await openElements({ browser, host, server }, { path }),
      await visit('/own', { markup: own, calls: [host.url] }),
    ]) {
      const { page, context } = opening;
      await page.getByText('No comments yet.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Sign in', exact: true }).count(), 0);
      await context.close();
    }
  });

  test('by mail, in the window of the server', async () => {
    const { page, faults, context } = await visit('/mail', {
      expected: [{ fault: /answered 422/, reason: 'a new visitor has no name yet' }],
    });
    const dialog = await ask(page);
    const popup = await popupOf(context, () =>
      dialog.getByRole('button', { name: 'Continue with email' }).click(),
    );
    await dialog.getByText('Finish signing in').waitFor();
    await popup.getByLabel('Email address').fill('elements@example.com');
    await popup.getByRole('button', { name: 'Continue', exact: true }).click();
    const { code } = await mailTo('elements@example.com');
    await popup.getByLabel('The code').fill(code);
    await popup.locator('form.code').getByRole('button', { name: 'Sign in' }).click();
    const name = freshName();
    await popup.getByLabel('Your name').fill(name);
    const closing = popup.waitForEvent('close');
    await popup.locator('form.code').getByRole('button', { name: 'Sign in' }).click();
    await closing;
    await accountOf(page, name).waitFor();
    assert.equal(await dialog.count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('by a provider, whose window is opened at once', async () => {
    const { page, faults, context } = await visit('/provider', { expected: atProvider() });
    const dialog = await ask(page);
    const popup = await popupOf(context, () =>
      dialog.getByRole('button', { name: /Continue with .local/ }).click(),
    );
    await passProvider(popup, 'elements');
    await accountOf(page, 'Name of elements').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('in a window also where the policy of the site forbids its form', async () => {
    const { page, faults, context } = await visit('/no-forms', {
      policy: `form-action 'self'`,
      expected: [...atProvider(), { fault: /form-action/, reason: 'the policy forbids the form' }],
    });
    const dialog = await ask(page);
    const popup = await popupOf(context, () =>
      dialog.getByRole('button', { name: /Continue with .local/ }).click(),
    );
    await passProvider(popup, 'without-forms');
    await accountOf(page, 'Name of without-forms').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('without a window and by a form that the policy forbids: not, and says so', async () => {
    const { page, context } = await visit('/nothing', {
      policy: `form-action 'self'`,
      prepare: (page) => page.context().addInitScript(() => Object.assign(globalThis, { open: () => null })),
    });
    await ask(page);
    // Playwright waits for a navigation that the policy has ended, so its own clicks and looks would never come back.
    const dialog = `document.querySelector('confab-comments').shadowRoot.querySelector('confab-sign-in')`;
    await page.evaluate(`[...${dialog}.querySelectorAll('.ways button')].at(0).click()`);
    const said = () => page.evaluate<string>(`${dialog}.querySelector('.problem')?.textContent ?? ''`);
    const failure = await poll('why not', async () => (await said()) || undefined);
    assert.match(failure, /blocked the window/);
    await context.close();
  });

  test('another way after a window was closed', async () => {
    const { page, faults, context } = await visit('/closed');
    const dialog = await ask(page);
    const popup = await popupOf(context, () =>
      dialog.getByRole('button', { name: 'Continue with email' }).click(),
    );
    await popup.close();
    await dialog.getByText('The window closed before').waitFor();
    await dialog.getByRole('button', { name: 'Choose another way' }).click();
    await dialog.getByLabel('Your name').fill(freshName());
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('without a window, by leaving the page and coming back to the same place', async () => {
    const { page, faults, context } = await visit('/blocked', {
      fragment: '#here',
      expected: atProvider(),
      prepare: (page) => page.context().addInitScript(() => Object.assign(globalThis, { open: () => null })),
    });
    const dialog = await ask(page);
    await dialog.getByRole('button', { name: /Continue with .local/ }).click();
    await passProvider(page, 'returning');
    await accountOf(page, 'Name of returning').waitFor();
    assert.equal(page.url(), `${host.url}/blocked#here`);
    const kept: string[] = await page.evaluate('Object.keys(localStorage)');
    assert.deepEqual(kept, [`confab ${server.url}/`], 'what was needed to come back is gone');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('with a code of which this browser knows nothing: not, and it leaves the address', async () => {
    const { page, faults, context } = await visit('/foreign', { fragment: '#confab-code=wyc_0' });
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.getByText('That link or code has expired').waitFor();
    assert.equal(page.url(), `${host.url}/foreign`);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('by the link of a mail, in another tab', async () => {
    const { page, faults, context } = await visit('/link', {
      expected: [{ fault: /answered 422/, reason: 'a new visitor has no name yet' }],
    });
    const dialog = await ask(page);
    const popup = await popupOf(context, () =>
      dialog.getByRole('button', { name: 'Continue with email' }).click(),
    );
    await popup.getByLabel('Email address').fill('linked@example.com');
    await popup.getByRole('button', { name: 'Continue', exact: true }).click();
    const { link } = await mailTo('linked@example.com');
    const tab = await context.newPage();
    await tab.goto(link);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    const name = freshName();
    await tab.getByLabel('Your name').fill(name);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await accountOf(tab, name).waitFor();
    await accountOf(page, name).waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('by no message of anybody else', async () => {
    const { page, faults, context } = await visit('/messages');
    const dialog = await ask(page);
    const popup = await popupOf(context, () =>
      dialog.getByRole('button', { name: 'Continue with email' }).click(),
    );
    await popup.getByLabel('Email address').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const message = { type: 'confab-sign-in', code: 'wyc_forged' };
    await page.evaluate((forged) => (globalThis as any).postMessage(forged, '*'), message);
    const stranger = await context.newPage();
    await stranger.goto(`${server.url}/sign-in`);
    await stranger.close();
    await dialog.getByText('Finish signing in').waitFor();
    assert.deepEqual(asked, []);
    assert.equal(faults.filter((fault) => !fault.includes('/sign-in')).length, 0, faults.join());
    await context.close();
  });

  test('with storage blocked, for as long as the page is open', async () => {
    const { page, faults, context } = await visit('/storage', {
      prepare: (page) => page.context().addInitScript(blockStorage),
    });
    await asGuest(page);
    await page.reload();
    await page.locator('h2').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /^Account/ }).count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('as a guest, who confirms a mailbox and is none any more, and has a picture', async () => {
    const { page, faults, context } = await visit('/mailbox', {
      expected: [{ fault: /answered 403/, reason: 'the code is wrong' }],
    });
    const name = await asGuest(page);
    await accountOf(page, name).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Choose a picture').setInputFiles(picture('large.png', 1600, 900));
    await dialog.getByText('Saved.').waitFor();
    await page.locator('confab-account img').waitFor();
    await dialog
      .getByLabel('Choose a picture')
      .setInputFiles({ name: 'none.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await dialog.getByText("can't be used as a picture").waitFor();
    await dialog.getByRole('button', { name: 'Remove the picture' }).click();
    await page.locator('confab-account img').waitFor({ state: 'detached' });

    await dialog.getByLabel('Email address').fill('stays@example.com');
    await dialog.getByRole('button', { name: 'Send me a code' }).click();
    const { code } = await mailTo('stays@example.com');
    const field = dialog.getByLabel('The code in the email');
    await field.fill(code === '000000' ? '000001' : '000000');
    await page.keyboard.press('Enter');
    await dialog.getByText('This code is wrong').waitFor();
    await field.fill(code);
    await page.keyboard.press('Enter');
    await dialog.getByText('You sign in with your email.').waitFor();
    assert.equal(await dialog.getByLabel('Email address').count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('when the server answers again', async () => {
    const { page, faults, context } = await visit('/away', {
      expected: [{ fault: /failed: GET/, reason: 'the server is away at first' }],
    });
    await page.route(`${server.url}/api/sign-in`, (route) => route.abort());
    const dialog = await ask(page);
    await dialog.getByText("The server isn't responding").waitFor();
    await page.unroute(`${server.url}/api/sign-in`);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByLabel('Your name').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('and is announced, reached by keyboard, and accessible', async () => {
    const { page, faults, context } = await visit('/looks');
    const dialog = await ask(page);
    await dialog.getByLabel('Your name').waitFor();
    await page.getByRole('button', { name: 'Continue as a guest' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await drawGround(page);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1200]) {
        await setMode(page, { colorScheme, viewport: { width, height: 800 } });
        await look(page, `elements-sign-in-${colorScheme}-${width}`);
      }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await context.close();
  });

  describe('stay signed in', () => {
    const renewal = /\/api\/sign-in\/renewal$/;
    for (const [name, prepare] of [
      ['with locks', async () => undefined],
      ['without', (page: Page) => page.context().addInitScript(removeLocks)],
    ] as const)
      test(`in four tabs, of which one renews the session, ${name}`, async () => {
        const { page, faults, context } = await visit(`/tabs-${name.replace(' ', '-')}`, { prepare });
        const guest = await asGuest(page);
        await age(page, -7200);
        const renewals: string[] = [];
        context.on('request', (request) => renewal.test(request.url()) && renewals.push(request.method()));
        const tabs = await Promise.all([1, 2, 3].map(() => context.newPage()));
        await Promise.all([page.reload(), ...tabs.map((tab) => tab.goto(page.url()))]);
        for (const tab of [page, ...tabs]) {
          await tab.locator('h2').first().waitFor();
          await accountOf(tab, guest).waitFor();
        }
        assert.deepEqual(
          renewals.filter((method) => method === 'POST'),
          ['POST'],
        );
        assert.deepEqual(faults, []);
        await context.close();
      });

    test('with a clock that is wrong', async () => {
      const { page, faults, context } = await visit('/clock');
      const guest = await asGuest(page);
      await age(page, 10 * 365 * 86_400);
      const renewed = page.waitForResponse(renewal);
      await page.reload();
      assert.equal((await renewed).status(), 200);
      await accountOf(page, guest).waitFor();
      assert.deepEqual(faults, []);
      await context.close();
    });

    test('but not by a copied secret', async () => {
      const { page, context } = await visit('/copied');
      await asGuest(page);
      await age(page, -7200);
      await page.evaluate(`(async () => {
        const { renewal_secret } = JSON.parse(localStorage.getItem('confab ${server.url}/'));
        await fetch('${server.url}/api/sign-in/renewal', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ renewal_secret }),
        });
      })()`);
      await page.reload();
      await page
        .getByRole('button', { name: 'Sign in', exact: true })
        .or(page.locator('h2'))
        .first()
        .waitFor();
      await poll(
        'the session to end',
        async () => (await page.evaluate('localStorage.length')) === 0 || undefined,
      );
      assert.equal(await page.getByRole('button', { name: /^Account/ }).count(), 0);
      await context.close();
    });
  });

  /** Has the token be issued some seconds from now, by the clock of the browser. */
  async function age(page: Page, seconds: number): Promise<void> {
    await page.evaluate(`(() => {
      const name = 'confab ${server.url}/';
      const kept = JSON.parse(localStorage.getItem(name));
      localStorage.setItem(name, JSON.stringify({ ...kept, issuedAt: Date.now() + ${seconds} * 1000 }));
    })()`);
  }
});

/** Signs in at the provider. */
async function passProvider(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** What a browser does that blocks the storage of a page. */
function blockStorage(): void {
  Object.defineProperty(globalThis, 'localStorage', {
    get() {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
}

/** What a page without https has. */
function removeLocks(): void {
  Object.defineProperty(navigator, 'locks', { value: undefined });
}
