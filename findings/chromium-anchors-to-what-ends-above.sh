#!/usr/bin/env bash
# Chromium's scroll anchoring holds the first node that still reaches into the window, not the one that fills it.
# Content that arrives below the last visible pixels of that node moves everything else that is on the screen; where the
# node above has left the window by one pixel, the same content moves nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 playwright-core@1.65.1 @sparticuz/chromium@153.0.0

cat > try.mjs <<'E'
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox', '--disable-gpu', '--single-process'] });
console.log(`Chromium ${browser.version().split('.')[0]}`);
const page = await browser.newPage({ viewport: { width: 400, height: 400 } });
const style = (px) => `style="height:${px}px"`;
await page.setContent(`<body style="margin:0"><div id="above" ${style(600)}></div><div id="new"></div><div id="read" ${style(3000)}></div>`);
for (const seen of [5, -1]) {
  const moved = await page.evaluate(async (seen) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const place = () => document.querySelector('#read').getBoundingClientRect().top;
    document.querySelector('#new').style.height = '0';
    scrollTo(0, 600 - seen);
    await frame();
    const before = place();
    document.querySelector('#new').style.height = '100px';
    await frame();
    return place() - before;
  }, seen);
  console.log(`the node above ${seen > 0 ? `has ${seen} px` : 'has no pixel'} in the window: what is read moves by ${moved} px`);
}
await browser.close();
E
npx node try.mjs | tee seen
diff seen - <<'E'
Chromium 153
the node above has 5 px in the window: what is read moves by 100 px
the node above has no pixel in the window: what is read moves by 0 px
E
