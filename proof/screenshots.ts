/**
 * Takes the pictures of the demo and the console that the README and the guide show: `npx node proof/screenshots.ts`. Those of the
 * console are of the demo after an hour of reading and writing, by a clock that is moved.
 */

import { openConsole, settled } from 'confab-console/test/browser/page.ts';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer } from 'confab-testing/server.ts';

const minuteMs = 60_000;
const width = 1280;

const random = seededRandom(1);
const clock = movableClock();
clock.move(-60 * minuteMs);
const server = await startTestServer({ CONFAB_DEMO: 'here' }, { clock });
const browser = await launchBrowser();
try {
  await server.running.fillDemo();
  await keepDemo();
  const texts = [
    ['demo-ada', 'Thank you, this is what I was looking for.'],
    ['demo-grace', 'Does it also work behind a proxy?'],
    ['demo-ada', 'It does: the guide has a part on nginx and Caddy.'],
    ['demo-grace', 'Then I will try it on Monday.'],
  ] as const;
  const comments = '/api/apps/demo-comments/comments';
  for (let minute = 0; minute < 60; minute += 1) {
    // Quiet in the middle, so that the charts have a shape.
    const busy = 1.2 + Math.cos((minute / 60) * 2 * Math.PI) + random.integer(0, 100) / 100;
    for (let read = 0; read < busy * 12; read += 1) await server.call('GET', comments);
    for (let written = 0; written < busy * 2; written += 1) {
      const [uid, text] = texts[written % texts.length] ?? texts[0];
      await server.call('POST', comments, { text }, { headers: { 'x-confab-user': uid } });
    }
    clock.move(minuteMs);
  }
  const { page, close } = await openConsole(browser, server);
  const { body: webhooks } = await server.call('GET', '/api/webhooks');
  const paused = await poll('a paused webhook', async () => {
    for (const { id } of webhooks.data) {
      const { body } = await server.call('GET', `/api/webhooks/${id}`);
      if (body.breaker.state === 'open') return id;
    }
    return undefined;
  });
  for (const [name, path, height] of [
    ['console', '', 1240],
    ['console-access', '/apps/demo-comments/access?user=demo-grace', 700],
    ['console-moderation', '/moderation', 640],
    ['console-webhook', `/webhooks/${paused}`, 820],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${server.url}/console${path}`);
    await settled(page);
    if (name === 'console-moderation') {
      await page.keyboard.press('j');
      await page.getByRole('button', { name: 'Keep' }).waitFor();
    }
    await page.screenshot({ path: `docs/${name}.png` });
  }
  await close();
} finally {
  await browser.close();
  await server.close();
}

/** What the two users of the demo see in our own elements. */
async function keepDemo(): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 740 } });
  await page.goto(`${server.url}/demo`);
  for (const frame of ['Ada Lovelace', 'Grace Hopper'])
    await page
      .frameLocator(`iframe[title="What ${frame} sees"]`)
      .locator('confab-comments h2', { hasText: /^\d+ comments$/ })
      .waitFor();
  await page.screenshot({ path: 'docs/demo-elements.png' });
  await page.close();
}
