import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser, newContext, watch } from 'confab-testing/browser/browser.ts';
import { type Host, startHost } from 'confab-testing/browser/host.ts';
import { type } from 'confab-testing/browser/people.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Page } from 'playwright-core';
import { bundled } from './bundled.ts';

/** A PDF of one page with a line of text, in a font that the reader has to bring. */
function pdf(line: string): string {
  const content = `BT /F1 24 Tf 20 60 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 120] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  const header = '%PDF-1.4\n';
  const startOf = (index: number) => header.length + objects.slice(0, index).join('').length;
  const places = objects.map((_, index) => `${String(startOf(index)).padStart(10, '0')} 00000 n \n`);
  const count = objects.length + 1;
  return `${header}${objects.join('')}xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${startOf(objects.length)}\n%%EOF`;
}

/** Why a page of version 32 has errors on its console: it expects another form of the interface (docs/comments.md). */
const expected = [
  { fault: /^exception: Weavy version mismatch!/, reason: 'the server does not say that it works with 32' },
];

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
    const script = await bundled('newer.js');
    host.serve('/newer.js', { type: 'text/javascript; charset=utf-8', body: script });
  });

  after(async () => {
    await browser.close();
    await server.close();
    await host.close();
  });

  /** Opens a page with this markup and watches it; `loaded` are the paths below a path that it has loaded. */
  async function open(
    markup: string,
    { at = server, module = '<script type="module" src="/newer.js"></script>' } = {},
  ) {
    const context = await newContext(browser, { viewport: { width: 760, height: 900 }, locale: 'en-GB' });
    const origins = [host.url, at.url, at.url.replace('http', 'ws')];
    const faults = watch(context, { origins, expected });
    const page = await context.newPage();
    const paths: string[] = [];
    page.on('response', (response) => {
      if (response.ok()) paths.push(new URL(response.url()).pathname);
    });
    const address = host.serve('/newer', {
      type: 'text/html; charset=utf-8',
      body: `<!doctype html><html data-confab="${at.url}"><link rel="icon" href="data:,">${markup}${module}`,
    });
    await page.goto(address);
    const loaded = (below: string) => paths.filter((path) => path.startsWith(below));
    return { page, faults, loaded, close: () => context.close() };
  }

  test('have its editor', async () => {
    const { page, faults, loaded, close } = await open('<wy-comments uid="newer"></wy-comments>');
    // It takes no words until it knows that the user may write here.
    await page.locator('wy-comments .cm-content[contenteditable=true]').waitFor();
    await type(page.locator('wy-comments'), 'Written here');
    await page.locator('wy-comments .cm-content', { hasText: 'Written here' }).waitFor();
    assert.match(loaded('/uikit-web/').join(), /^\/uikit-web\/es\/editor-[\w-]{8}\.js/);
    assert.deepEqual(faults, []);
    await close();
  });

  test('are loaded by embed.js where they are selected', async (t) => {
    const selected = await startTestServer({ CONFAB_CORS_ORIGINS: host.url, CONFAB_KIT: '32' });
    t.after(() => selected.close());
    const body = JSON.stringify({ access_token: await selected.token('ada', { name: 'Ada Lovelace' }) });
    host.serve('/selected-token', { type: 'application/json', body });
    const script = `<script src="${selected.url}/embed.js" data-token-url="/selected-token"></script>`;
    const markup = `<link rel="canonical" href="/selected"><wy-comments></wy-comments>${script}`;
    const { page, loaded, close } = await open(markup, { at: selected, module: '' });
    await page.locator('wy-comments .cm-content[contenteditable=true]').waitFor();
    assert.equal(loaded('/uikit-web/')[0], '/uikit-web/32.2.0/weavy.esm.js');
    await close();
  });

  test('have its PDF viewer', async () => {
    const { id } = await makeApp(server, { uid: 'papers', type: 'files', access: 'write' });
    const form = new FormData();
    form.set('blob', new Blob([pdf('Seen by a viewer')], { type: 'application/pdf' }), 'paper.pdf');
    const blob = await server.create('/api/blobs', form);
    await server.create(`/api/apps/${id}/files`, { blob_id: blob.id });
    const { page, faults, loaded, close } = await open('<wy-files uid="papers"></wy-files>');
    await page.getByText('paper.pdf').first().click();
    await poll('a page with ink', async () => ((await inkIn(page)) > 100 ? true : undefined));
    assert.deepEqual(loaded('/pdfjs/'), ['/pdfjs/pdf.worker.min.mjs']);
    assert.deepEqual(faults, []);
    await close();
  });
});

/** How many dark pixels the page of a PDF has. */
async function inkIn(page: Page): Promise<number> {
  const canvas = page.locator('.wy-pdf-container canvas').first();
  return await canvas.evaluate((element: any) => {
    const { data } = element.getContext('2d').getImageData(0, 0, element.width, element.height);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] < 100 && data[at + 3] > 200) ink += 1;
    return ink;
  });
}
