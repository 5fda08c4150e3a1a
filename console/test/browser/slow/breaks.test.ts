import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { keepPicture, launchBrowser } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe } from 'confab-testing/browser/looks.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { type Receiver, startReceiver } from 'confab-testing/network/receiver.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { createDataFolder } from 'confab-testing/stores/databases.ts';
import type { Browser } from 'playwright-core';
import { linkTo } from '../page.ts';
import {
  type ConsoleWorld,
  fillWorld,
  openTyped,
  provedViews,
  recovered,
  type TypedPage,
  typedIn,
  typedViews,
} from '../world.ts';

/** How many views are open at once, each in a browser profile of its own, which has its own connections. */
const openMax = 6;
/** Longer than any session lasts, in milliseconds. */
const sessionMs = 8 * 86_400_000;

// Whatever happens to the server or the session in the middle of a view: it says so, recovers, and loses no input.
describe('the console when something breaks', () => {
  let server: TestServer;
  let browser: Browser;
  let receiver: Receiver;
  const clock = movableClock();
  let folder: string;
  let world: ConsoleWorld;

  before(async () => {
    folder = await createDataFolder();
    [server, browser, receiver] = await Promise.all([
      startTestServer({ CONFAB_PORT: String(await freePort()) }, { folder, clock }),
      launchBrowser(),
      startReceiver(),
    ]);
    world = await fillWorld(server, `${receiver.url}/all`);
  });

  after(async () => {
    await browser.close();
    await server.close();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('every view is in the table', () => {
    const source = readFileSync(new URL('../../../src/routes.ts', import.meta.url), 'utf8');
    const routes = [...source.matchAll(/^ {2}\['(\/[^']*)', \w+\],$/gm)].map(([, route]) => route);
    assert.deepEqual(
      typedViews.map(({ route }) => route).sort(),
      routes.sort(),
      'add each address of console/src/routes.ts to `typedViews` of console/test/browser/world.ts',
    );
  });

  /** The server is away: each view says so, and so does a form that is sent. */
  async function saysUnreachable({ page, route, typed }: TypedPage): Promise<void> {
    const banner = page.locator('.banner', { hasText: 'cannot be reached' });
    await banner.waitFor().catch(() => assert.fail(`${route} says nothing`));
    const submit = page.locator('dialog button[type=submit]');
    if ((await submit.count()) > 0) {
      await submit.click();
      await page.locator('dialog .failure', { hasText: 'cannot be reached' }).waitFor();
    }
    assert.deepEqual(await typedIn(page), typed, route);
    await keepPicture(page, 'console-offline');
  }

  /** The session has ended: each view asks to sign in over what is typed. */
  async function signInAgain({ page, route, typed }: TypedPage): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
    await dialog.waitFor().catch(() => assert.fail(`${route} says nothing`));
    assert.deepEqual(await faultsOfAxe(page), []);
    await keepPicture(page, 'console-expired');
    assert.deepEqual(await typedIn(page), typed, route);
    await dialog.locator('input').fill(await linkTo(server, clock));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  }

  for (let first = 0; first < provedViews.length; first += openMax) {
    const views = provedViews.slice(first, first + openMax);
    const names = views.map(({ route }) => route).join(' ');
    test(`the server stops and starts, then the session ends: ${names}`, async () => {
      const opened = await Promise.all(
        views.map((view) => openTyped(browser, server, { view, world, clock })),
      );
      const typed = opened.map((each) => each.typed);
      await server.close();
      await Promise.all(opened.map(saysUnreachable));
      server = await startTestServer({ CONFAB_PORT: new URL(server.url).port }, { folder, clock });
      assert.deepEqual(await Promise.all(opened.map(recovered)), typed);
      clock.move(sessionMs);
      await Promise.all(opened.map(signInAgain));
      assert.deepEqual(await Promise.all(opened.map(recovered)), typed);
      await Promise.all(opened.map(({ close }) => close()));
    });
  }

  test('what is being typed in a filter stays while the log grows', async () => {
    const [view] = typedViews.filter(({ route }) => route === '/events');
    assert.ok(view !== undefined);
    const { page, close } = await openTyped(browser, server, { view, world, clock });
    const person = page.getByRole('combobox', { name: 'Actor' });
    await person.fill('half');
    await server.create('/api/apps', { uid: 'meanwhile', type: 'posts' });
    await page.locator('tr', { hasText: 'meanwhile' }).waitFor();
    assert.equal(await person.inputValue(), 'half');
    await person.press('Enter');
    await page.waitForURL(/person=half/);
    await close();
  });
});
