import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Expected, launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { bundled } from '../bundled.ts';

/** The versions that people still have, by where the package has what a page without a bundler loads. */
const versions = {
  '21.1.2': '@weavy/uikit-web/dist',
  '23.1.0': 'weavy-uikit-web-23/dist',
  '24.4.1': 'weavy-uikit-web-24/dist',
  '25.0.0': 'weavy-uikit-web-25/dist',
  '27.1.1': 'weavy-uikit-web-27/dist/build',
  '31.2.0': 'weavy-uikit-web-31/dist/build',
  '32.2.0': 'weavy-uikit-web-32/dist/build',
} as const;

type Version = keyof typeof versions;

const script = 'text/javascript; charset=utf-8';

/** What is known to go wrong in versions between the two that the server carries. */
const expected: readonly Expected[] = [
  {
    fault: /^exception: (?:Weavy v|V)ersion mismatch! @weavy\/uikit-web@2[3-7]\./,
    reason: 'the server does not say that it works with these versions',
  },
  {
    fault: /^answered 404: PUT .*\/api\/conversations\/\d+\/mark\?messageId=\d+$/,
    reason: 'versions 23 to 25 mark the chat of a page as read below the conversations of the messenger',
  },
  {
    fault: /^answered 422: POST .*\/api\/apps$/,
    reason: 'version 27 asks for the app of a page and asks to create it at once, and takes what is answered',
  },
];

// Pages with every version of the kit that people have can be on one server, and in one conversation.
describe('versions of the kit beside each other', () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;
  let mary: { readonly as: string };

  before(async () => {
    host = await startHost();
    browser = await launchBrowser();
    server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url });
    for (const [uid, name] of Object.entries({ ada: 'Ada Lovelace', grace: 'Grace Hopper' })) {
      const body = JSON.stringify({ access_token: await server.token(uid, { name }) });
      host.serve(`/token-${uid}`, { type: 'application/json', body });
    }
    mary = { as: await server.token('mary', { name: 'Mary Somerville' }) };
    for (const [version, folder] of Object.entries(versions)) {
      const file = new URL(`../../node_modules/${folder}/weavy.esm.bundle.js`, import.meta.url);
      host.serve(`/kit-${version}.js`, { type: script, body: readFileSync(file, 'utf8') });
    }
    const contents =
      "import { Weavy } from 'weavy-uikit-web-20'; new Weavy({ url: document.documentElement.dataset.confab, tokenUrl: '/token-ada' });";
    host.serve('/start-20.0.0.js', { type: script, body: await bundled('twenty.js', contents) });
    for (const type of ['comments', 'posts', 'chat', 'files'])
      await server.call('PUT', `/api/apps/${type}`, { type, access: 'write' });
    await server.create('/api/apps/comments/comments', { text: 'Comment of Mary' }, mary);
    await server.create('/api/apps/posts/posts', { text: 'Post of Mary' }, mary);
    await server.create('/api/apps/chat/messages', { text: 'Message of Mary' }, mary);
    const { id } = await server.create('/api/conversations', { members: ['ada'] }, mary);
    await server.create(`/api/apps/${id}/messages`, { text: 'Between Mary and Ada' }, mary);
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  /** Opens a page with a version of the kit, signed in as a person. */
  async function open(version: string, markup: string, person = 'ada') {
    const context = await newContext(browser, { viewport: { width: 900, height: 900 }, locale: 'en-GB' });
    const origins = [host.url, server.url, server.url.replace('http', 'ws')];
    const isBetween = /^2[3-7]\./.test(version);
    const faults = watch(context, { origins, expected: isBetween ? expected : [] });
    const page = await context.newPage();
    if (!version.startsWith('20.'))
      host.serve(`/start-${version}.js`, {
        type: script,
        body: `import { Weavy } from '/kit-${version}.js'; new Weavy({ url: '${server.url}', tokenUrl: '/token-' + document.body.id });`,
      });
    const address = host.serve(`/${version}-${person}`, {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en" data-confab="${server.url}"><link rel="icon" href="data:,"><style>html, body { height: 100%; margin: 0 } body { display: flex; flex-direction: column }</style><body id="${person}">${markup}<script type="module" src="/start-${version}.js"></script>`,
    });
    await page.goto(address);
    return { page, faults, close: () => context.close() };
  }

  /** The button with a title, whose element has no box of its own from version 23 on. */
  async function press(within: Locator, title: string): Promise<void> {
    await within
      .locator(`wy-button[title="${title}"]`)
      .first()
      .evaluate((element: any) => (element.shadowRoot?.querySelector('button') ?? element).click());
  }

  async function write(within: Locator, text: string, send: string): Promise<void> {
    const field = within.locator('.cm-content[contenteditable=true]').first();
    await field.click();
    await field.pressSequentially(text);
    await press(within, send);
    await within.page().getByText(text, { exact: true }).locator('visible=true').first().waitFor();
  }

  const seen = (page: Page, text: string) =>
    page.getByText(text, { exact: true }).locator('visible=true').first().waitFor();

  for (const version of ['20.0.0', ...(Object.keys(versions) as Version[])])
    test(`version ${version} reads and writes in every component`, async () => {
      const faults: string[] = [];
      // Version 20 has no comments of a page.
      for (const [type, button] of [
        ['comments', 'Comment'],
        ['posts', 'Post'],
        ['chat', 'Send'],
      ].slice(version.startsWith('20.') ? 1 : 0) as [string, string][]) {
        // The editor of posts is an element of its own in newer versions.
        const isApart = type === 'posts' && Number.parseInt(version, 10) >= 30;
        const editor = isApart ? '<wy-post-editor uid="posts"></wy-post-editor>' : '';
        const opened = await open(version, `${editor}<wy-${type} uid="${type}"></wy-${type}>`);
        const name = type === 'chat' ? 'Message' : button;
        await seen(opened.page, `${name} of Mary`);
        await write(opened.page.locator('body'), `${name} with ${version}`, button);
        faults.push(...opened.faults);
        await opened.close();
      }
      const files = await open(version, '<wy-files uid="files"></wy-files>');
      const name = `note-${version}.txt`;
      const note = { name, mimeType: 'text/plain', buffer: Buffer.from('Noted') };
      await files.page
        .getByText(/Add some files to get started!|note-/)
        .first()
        .waitFor();
      await files.page.locator('input[type=file]').first().setInputFiles([note]);
      await seen(files.page, name);
      await files.page.getByText(name, { exact: true }).locator('visible=true').first().click();
      await files.page.getByText('Noted').locator('visible=true').first().waitFor();
      faults.push(...files.faults);
      await files.close();
      const messenger = await open(version, '<wy-messenger style="flex: 1"></wy-messenger>');
      await messenger.page.getByText('Mary Somerville').locator('visible=true').first().click();
      await write(messenger.page.locator('body'), `Private with ${version}`, 'Send');
      faults.push(...messenger.faults);
      await messenger.close();
      assert.deepEqual(faults, []);
    });

  test('versions 21 and 32 share a conversation, live', async () => {
    const chat = '<wy-chat uid="chat"></wy-chat>';
    const older = await open('21.1.2', chat);
    const newer = await open('32.2.0', chat, 'grace');
    await seen(older.page, 'Message of Mary');
    await seen(newer.page, 'Message of Mary');
    await write(older.page.locator('body'), 'Hello from 21', 'Send');
    await seen(newer.page, 'Hello from 21');
    await write(newer.page.locator('body'), 'Hello from 32', 'Send');
    await seen(older.page, 'Hello from 32');
    assert.deepEqual([...older.faults, ...newer.faults], []);
    await Promise.all([older.close(), newer.close()]);
  });
});
