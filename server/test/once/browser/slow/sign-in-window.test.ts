import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { look, setMode } from 'confab-testing/browser/looks.ts';
import { type MailServer, startMailServer } from 'confab-testing/network/mail-server.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { newVerifier } from 'confab-testing/visitors.ts';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

const origin = 'https://blog.example.com';
const phone = { width: 360, height: 640 };

/** The left, right, top and bottom of what is shown. */
async function edges(shown: Locator) {
  const box = await shown.boundingBox();
  assert.ok(box !== null, String(shown));
  const { x, y, width, height } = box;
  return { left: x, right: x + width, top: y, bottom: y + height };
}

// What a visitor sees who has chosen a way on the page: that way first, and nothing that asks for it again.
describe('the window of signing in', () => {
  let browser: Browser;
  let mailServer: MailServer;
  let server: TestServer;
  let context: BrowserContext;
  let faults: readonly string[];
  let page: Page;

  before(async () => {
    [browser, mailServer] = await Promise.all([launchBrowser(), startMailServer()]);
    const client = { client_id: 'id', client_secret: 'secret' };
    server = await startTestServer({
      CONFAB_SIGN_IN: 'guest,github,google,email,acme',
      CONFAB_SIGN_IN_PROVIDERS: JSON.stringify({
        github: client,
        google: { issuer: 'https://accounts.google.com', ...client },
        acme: { issuer: 'https://acme.example.com', ...client },
      }),
      CONFAB_SMTP_URL: mailServer.url,
      CONFAB_MAIL_FROM: 'no-reply@example.com',
      CONFAB_CORS_ORIGINS: origin,
    });
    context = await newContext(browser);
    faults = watch(context, {
      origins: [server.url],
      expected: [{ fault: /answered 403/, reason: 'the code is wrong' }],
    });
    page = await context.newPage();
  });

  after(async () => {
    await browser.close();
    await server.close();
    await mailServer.close();
  });

  const addressFor = (way: string) =>
    `${server.url}/sign-in?${new URLSearchParams({ origin, challenge: newVerifier().challenge, way })}`;

  /** What can be used, in the order in which it stands on the page. */
  const controls = () =>
    page.locator('main :is(input, button, a):visible').evaluateAll((all: any[]) =>
      all
        .map((it) => ({
          top: it.getBoundingClientRect().top,
          text: it.labels?.[0]?.textContent || it.textContent,
        }))
        .sort((one, other) => one.top - other.top)
        .map(({ text }) => text),
    );

  const providers = ['Continue with GitHub', 'Continue with Google', 'Continue with acme'];
  const email = ['Email address', 'Continue'];

  test('goes straight to email where it was chosen, and has the others below', async () => {
    await page.goto(addressFor('email'));
    assert.equal(await page.locator('h1').textContent(), 'Comment on blog.example.com');
    assert.deepEqual(await controls(), [...email, ...providers]);
    const field = page.getByLabel('Email address');
    assert.equal(await field.evaluate((input: any) => input.ownerDocument.activeElement === input), true);
    assert.deepEqual(faults, []);
  });

  test('offers every way where none was chosen', async () => {
    await page.goto(addressFor('guest'));
    assert.deepEqual(await controls(), [...providers, ...email]);
  });

  test('says what is wrong with a code below its field, before the other ways', async () => {
    await setMode(page, { viewport: phone });
    await page.goto(addressFor('email'));
    await page.getByLabel('Email address').fill('wrong@example.com');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByLabel('The code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'This code is wrong' });
    await problem.waitFor();
    const said = await edges(problem);
    const below = await edges(page.getByRole('link', { name: 'Continue with GitHub' }));
    assert.ok((await edges(page.getByRole('button', { name: 'Sign in' }))).bottom <= said.top);
    assert.ok(said.bottom <= below.top, 'the other ways stand between the field and what is wrong with it');
    await look(page, 'sign-in-window-code');
    assert.deepEqual(faults, []);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`has the look of Confab on a phone, ${colorScheme}`, async () => {
      await setMode(page, { colorScheme, viewport: phone });
      await page.goto(addressFor('email'));
      const field = page.getByLabel('Email address');
      const button = page.getByRole('button', { name: 'Continue', exact: true });
      const expected = await edges(field);
      for (const other of [button, ...(await page.getByRole('link').all())]) {
        const { left, right, top, bottom } = await edges(other);
        assert.deepEqual([left, right], [expected.left, expected.right]);
        assert.ok(bottom - top >= 44, 'a finger hits it');
      }
      assert.ok(expected.right - expected.left > 300, 'the field takes the width');
      const [ground, ink, weight] = await Promise.all([
        page.evaluate('getComputedStyle(document.body).backgroundColor'),
        button.evaluate((it: any) => it.ownerDocument.defaultView.getComputedStyle(it).backgroundColor),
        field.evaluate((it: any) => it.ownerDocument.defaultView.getComputedStyle(it).fontWeight),
      ]);
      const [light, dark] = ['rgb(253, 253, 252)', 'rgb(21, 23, 22)'];
      assert.equal(ground, colorScheme === 'light' ? light : dark);
      assert.notEqual(ink, ground);
      assert.equal(weight, '400', 'what is typed is not as bold as its label');
      await look(page, `sign-in-window-${colorScheme}`);
      assert.deepEqual(faults, []);
    });

  test('permits nothing but the style, the script and the pictures of the server', async () => {
    const answer = await page.goto(addressFor('email'));
    assert.equal(
      answer?.headers()['content-security-policy'],
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    assert.doesNotMatch(
      (await answer?.text()) ?? '',
      /<style|\s(style|on[a-z]+)=|<script(?! src="\/sign-in\.js")/i,
    );
  });
});
