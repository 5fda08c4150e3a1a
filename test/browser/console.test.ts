import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createSessions } from '../../src/features/credentials/sessions.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { keepPicture, launchBrowser, watch } from './browser.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const phone = { width: 375, height: 740 };
const desktop = { width: 1280, height: 900 };

// Operators and moderators get into the console, see what is theirs, and lose nothing when a session ends.
describe('the console in a browser', { timeout: 240_000 }, () => {
  let server: TestServer;
  let browser: Browser;

  before(async () => {
    server = await startTestServer({});
    browser = await launchBrowser();
    for (let number = 1; number <= 60; number += 1)
      await server.create('/api/apps', {
        uid: `app-${number}`,
        type: 'comments',
        name: `App number ${number}`,
      });
    await server.call('PUT', '/api/apps/app-1/members/ada');
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  async function link(): Promise<string> {
    const { secret } = await createSessions({ db: server.running.db, clock: systemClock }).link();
    return `${server.url}/console#link=${secret}`;
  }

  async function open(address: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ viewport: desktop, ...options });
    context.setDefaultTimeout(10_000);
    const faults = watch(context, { origins: [server.url] });
    const page = await context.newPage();
    await page.goto(address);
    return { page, context, faults, close: () => context.close() };
  }

  async function faultsOfAxe(page: Page): Promise<string[]> {
    // The policy of the page permits no script of the test, so it comes through the debugger.
    await page.evaluate(axe);
    const { violations }: any = await page.evaluate(`axe.run({ resultTypes: ['violations'] })`);
    return violations.flatMap(({ id, nodes }: any) =>
      nodes.map(({ html }: any) => `${id}: ${html.slice(0, 200)}`),
    );
  }

  const looks: readonly (readonly [string, BrowserContextOptions])[] = [
    ['desktop light', { colorScheme: 'light' }],
    ['desktop dark', { colorScheme: 'dark' }],
    ['phone dark', { colorScheme: 'dark', viewport: phone }],
    ['phone right to left', { locale: 'ar', viewport: phone }],
    ['desktop right to left', { locale: 'ar' }],
  ];
  for (const [name, options] of looks)
    test(`has no fault of access on a ${name}, and fits its width`, async () => {
      const { page, faults, close } = await open(`${server.url}/console`, options);
      await page.locator('input[name=credential]').waitFor();
      assert.deepEqual(await faultsOfAxe(page), [], 'sign-in');
      await keepPicture(page, `console-sign-in-${name.replaceAll(' ', '-')}`);
      await page.goto(await link());
      await page.locator('nav a').first().waitFor();
      for (const path of ['', '/apps', '/apps/1']) {
        await page.goto(`${server.url}/console${path}`);
        await page.locator('h1').waitFor();
        await page.locator('.waiting').first().waitFor({ state: 'detached' });
        await keepPicture(page, `console${path.replaceAll('/', '-')}-${name.replaceAll(' ', '-')}`);
        assert.deepEqual(await faultsOfAxe(page), [], path);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok(Number(width) <= (page.viewportSize()?.width ?? 0), `${path} is ${width} wide`);
      }
      assert.deepEqual(faults, []);
      await close();
    });
});
