import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import type { ChosenFile } from 'confab-testing/browser/picture-file.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser } from 'playwright-core';
import { bundled } from '../bundled.ts';
import { drawnPdf, pdfOfPicture, pdfOfText } from './pdf.ts';
import { button, type, words } from './two-people.ts';

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

// A page that bundles version 32 has all files that are not in its bundle from the server.
describe('the files of version 32 of the kit', () => {
  let host: Host;
  let server: TestServer;
  let browser: Browser;

  before(async () => {
    host = await startHost();
    browser = await launchBrowser();
    server = await startTestServer({ CONFAB_CORS_ORIGINS: host.url });
    const body = JSON.stringify({ access_token: await server.token('ada', { name: 'Ada Lovelace' }) });
    host.serve('/token', { type: 'application/json', body });
    host.serve('/bundled.js', { type: script, body: await bundled('newer.js') });
    const code = readGuide('comments.md').codeBelow('### With React (run)', 'jsx');
    const contents = `${code.replace('https://confab.example.com', server.url).replace('/confab-token', '/token')}
      import { createRoot } from 'react-dom/client';
      createRoot(document.querySelector('main')).render(<Comments uid="react" />);`;
    host.serve('/react.js', { type: script, body: await bundled('react.jsx', contents) });
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  /** Opens an address and watches it; `loaded` are the paths below a path that it has loaded. */
  async function open(address: string, at = server) {
    const context = await newContext(browser, { viewport: { width: 760, height: 900 }, locale: 'en-GB' });
    const origins = [host.url, at.url, at.url.replace('http', 'ws')];
    const faults = watch(context, { origins });
    const paths: string[] = [];
    // Also what workers load.
    context.on('response', (response) => {
      if (response.ok()) paths.push(new URL(response.url()).pathname);
    });
    const page = await context.newPage();
    await page.goto(address);
    const loaded = (below: string) => paths.filter((path) => path.startsWith(below));
    return { page, faults, loaded, close: () => context.close() };
  }

  /** Serves a page of the product with this markup, and returns its address. */
  function serve(markup: string, { module = '/bundled.js', policy = '', at = server } = {}): string {
    const loads = module === '' ? '' : `<script type="module" src="${module}"></script>`;
    return host.serve('/page', {
      type: html,
      body: `<!doctype html><html data-confab="${at.url}"><link rel="icon" href="data:,">${markup}${loads}`,
      headers: policy === '' ? {} : { 'content-security-policy': policy },
    });
  }

  /** Puts a file into a files app of its own, and returns the uid of the app. */
  async function shared(file: ChosenFile, uid: string, at = server): Promise<string> {
    const { body: app } = await at.call('PUT', `/api/apps/${uid}`, { type: 'files', access: 'write' });
    const form = new FormData();
    form.set('blob', new Blob([new Uint8Array(file.buffer)], { type: file.mimeType }), file.name);
    const blob = await at.create('/api/blobs', form);
    await at.create(`/api/apps/${app.id}/files`, { blob_id: blob.id });
    return uid;
  }

  for (const [name, module, markup] of [
    ['through a bundler', '/bundled.js', '<wy-comments uid="bundled"></wy-comments>'],
    ['with React as in the guide', '/react.js', '<main></main>'],
  ] as const)
    test(`have its editor, ${name}`, async () => {
      const { page, faults, loaded, close } = await open(serve(markup, { module }));
      // It takes no words until it knows that the user may write here.
      await page.locator('wy-comments .cm-content[contenteditable=true]').waitFor();
      await type(page.locator('wy-comments'), 'Written **here**');
      await button(page.locator('wy-editor-comment'), 'Comment').click();
      assert.equal(await words(page.locator('wy-comment strong')), 'here');
      assert.match(loaded('/uikit-web/').join(), /^\/uikit-web\/es\/editor-[\w-]{8}\.js/);
      assert.deepEqual(faults, []);
      await close();
    });

  /** The address of a page that gets this markup from version 32 by `/embed.js`. */
  async function embedded(markup: string, t: TestContext, { policy = '' } = {}) {
    const selected = await startTestServer({ CONFAB_CORS_ORIGINS: host.url, CONFAB_KIT: '32' });
    t.after(() => selected.close());
    const body = JSON.stringify({ access_token: await selected.token('ada', { name: 'Ada Lovelace' }) });
    host.serve('/selected-token', { type: 'application/json', body });
    const embed = `<script src="${selected.url}/embed.js" data-token-url="/selected-token"></script>`;
    const address = serve(`<link rel="canonical" href="/selected">${markup}${embed}`, {
      at: selected,
      module: '',
      policy: policy
        .replaceAll('CONFAB', selected.url)
        .replaceAll('SOCKET', selected.url.replace('http', 'ws')),
    });
    return { ...(await open(address, selected)), selected };
  }

  test('are loaded by embed.js where they are selected, under the strictest policy', async (t) => {
    const policy =
      "default-src 'none'; script-src CONFAB; connect-src 'self' CONFAB SOCKET; img-src CONFAB blob: data:; media-src CONFAB; style-src 'unsafe-inline'";
    const { page, faults, loaded, close } = await embedded('<wy-comments></wy-comments>', t, { policy });
    await page.locator('wy-comments .cm-content[contenteditable=true]').waitFor();
    await type(page.locator('wy-comments'), 'Written **here**');
    await button(page.locator('wy-editor-comment'), 'Comment').click();
    assert.equal(await words(page.locator('wy-comment strong')), 'here');
    assert.equal(loaded('/uikit-web/')[0], '/uikit-web/32.2.0/weavy.esm.js');
    assert.deepEqual(faults, []);
    await close();
  });

  test('are loaded by embed.js for elements that only they have, dark on a dark page', async (t) => {
    const { page, faults, close } = await embedded(
      '<style>body { color: #eee; background: #111 }</style><wy-notification-button></wy-notification-button><wy-feed uid="feed"></wy-feed>',
      t,
    );
    const editor = page.locator('wy-feed .cm-content[contenteditable=true]');
    await editor.waitFor();
    const red = await editor.evaluate((element: any) =>
      Number(/\d+/.exec((globalThis as any).getComputedStyle(element).color)?.[0]),
    );
    assert.ok(red > 150, `light words: ${red}`);
    assert.deepEqual(faults, []);
    await close();
  });

  test('have its PDF viewer', async () => {
    const uid = await shared(pdfOfText('paper.pdf', 'Seen by a viewer'), 'papers');
    const { page, faults, loaded, close } = await open(serve(`<wy-files uid="${uid}"></wy-files>`));
    await page.getByText('paper.pdf').first().click();
    await drawnPdf(page, 'dark');
    assert.deepEqual(loaded('/pdfjs/'), ['/pdfjs/pdf.worker.min.mjs']);
    assert.deepEqual(faults, []);
    await close();
  });

  const decoder = ['/pdfjs/pdf.worker.min.mjs', '/pdfjs/wasm/openjpeg.wasm'];

  test('decode the pictures of PDFs, under the policy of the guide', async () => {
    const uid = await shared(pdfOfPicture('scan.pdf'), 'scans');
    const policy = [
      "default-src 'none'",
      `script-src 'self' ${server.url} 'wasm-unsafe-eval'`,
      `connect-src 'self' ${server.url} ${server.url.replace('http', 'ws')}`,
      `img-src 'self' ${server.url} blob: data:`,
      `media-src 'self' ${server.url}`,
      "style-src 'self' 'unsafe-inline'",
      'worker-src blob:',
    ].join('; ');
    const { page, faults, loaded, close } = await open(
      serve(`<wy-files uid="${uid}"></wy-files>`, { policy }),
    );
    await page.getByText('scan.pdf').first().click();
    await drawnPdf(page, 'red');
    assert.deepEqual(loaded('/pdfjs/'), decoder);
    assert.deepEqual(faults, []);
    await close();
  });

  test('decode the pictures of PDFs in the demo', async (t) => {
    const demo = await startTestServer({ CONFAB_DEMO: 'here', CONFAB_KIT: '32' });
    t.after(() => demo.close());
    await shared(pdfOfPicture('scan.pdf'), 'demo-files', demo);
    const { page, faults, loaded, close } = await open(`${demo.url}/demo/people/ada?show=files`, demo);
    await page.getByText('scan.pdf').first().click();
    await drawnPdf(page, 'red');
    assert.deepEqual(loaded('/pdfjs/'), decoder);
    assert.deepEqual(faults, []);
    await close();
  });
});
