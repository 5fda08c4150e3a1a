import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signingInOperations } from 'confab-contract/signing-in.ts';
import { launchBrowser, newContext } from 'confab-testing/browser/browser.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { startTestServer, use } from 'confab-testing/server.ts';
import { createClient } from '../../index.js';
import type { Walk } from '../walk.js';

/** A product of its own origin that serves the client. */
async function startProduct() {
  const server = createServer(async ({ url = '/' }, response) => {
    const isModule = /^\/(?:test\/)?[a-z-]+\.js$/.test(url);
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html');
    response.end(
      isModule
        ? await readFile(new URL(`../..${url}`, import.meta.url))
        : '<!doctype html><link rel="icon" href="data:,">',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const receiver = useReceiver();
const product = use(startProduct);
const place = mkdtempSync(join(tmpdir(), 'confab-walk-'));
const server = use(() => startTestServer({ CONFAB_CORS_ORIGINS: product.url, CONFAB_BACKUP_TO: place }));
const browser = use(async () => ({ chromium: await launchBrowser() }));
after(async () => {
  await browser.chromium.close();
  await server.close();
  await product.close();
  rmSync(place, { recursive: true, force: true });
});

// The same walk as in Node, from a page of another origin.
test('every operation succeeds in a browser', async () => {
  receiver.answer('/article', {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<title>On computable numbers</title>',
  });
  const page = await (await newContext(browser.chromium)).newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  await page.goto(product.url);
  const options: Omit<Walk, 'createClient'> = {
    url: server.url,
    key: server.key,
    article: `${receiver.url}/article`,
    receiver: `${receiver.url}/hook`,
    name: 'browser',
  };
  const { called, progress } = await page.evaluate(async (given) => {
    const load = (path: string) => import(path);
    const [{ createClient: create }, { walk }] = [await load('/index.js'), await load('/test/walk.js')];
    return await (walk as typeof import('../walk.js').walk)({ ...given, createClient: create });
  }, options);
  const {
    request: _,
    events: __,
    changes: ___,
    renderThread: ____,
    ...methods
  } = createClient({ url: server.url });
  // Visitors sign in with a mailbox and a window, which clients/js/test tries.
  const ofVisitors = Object.keys(signingInOperations);
  assert.deepEqual(
    called,
    Object.keys(methods)
      .filter((name) => !ofVisitors.includes(name))
      .sort(),
  );
  assert.equal(progress.at(-1), 1);
  assert.deepEqual(errors, []);
});
