#!/usr/bin/env bash
# With `Referrer-Policy: no-referrer`, Chromium sends `Origin: null` with a form that a page posts to its own origin.
# A server that protects forms by comparing Origin refuses its own readers then; `same-origin` hides as much from others and
# keeps the header. `fetch` of the same page keeps it under both.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 playwright-core@1.65.1 @sparticuz/chromium@153.0.0

cat > try.mjs <<'E'
import { createServer } from 'node:http';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.setHeader('referrer-policy', new URL(request.url, 'http://a').searchParams.get('policy') ?? '');
  const { method, headers } = request;
  response.end(method === 'POST' ? `<p>${headers.origin === own ? 'its own' : headers.origin}</p>` : '<form method="post"><button>Send</button></form>');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const own = `http://127.0.0.1:${server.address().port}`;
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox', '--disable-gpu', '--single-process'] });
console.log(`Chromium ${browser.version().split('.')[0]}`);
const page = await browser.newPage();
for (const policy of ['no-referrer', 'same-origin']) {
  await page.goto(`${own}/?policy=${policy}`);
  const fetched = await page.evaluate(async () => (await fetch('', { method: 'POST' })).text());
  await page.click('button');
  console.log(`${policy}: fetch sends ${fetched.replaceAll(/<.*?>/g, '')}, the form sends ${await page.textContent('p')}`);
}
await browser.close();
process.exit();
E
npx node try.mjs | tee seen
diff seen - <<'E'
Chromium 153
no-referrer: fetch sends its own, the form sends null
same-origin: fetch sends its own, the form sends its own
E
