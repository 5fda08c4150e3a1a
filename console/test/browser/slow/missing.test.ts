import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { register } from 'confab-testing/webhooks.ts';
import type { Browser, Page } from 'playwright-core';
import { lookAtViews, openConsole, settled } from '../page.ts';

/** Addresses that name something that does not exist, each with what the console says. */
const missing: readonly (readonly [path: string, words: string])[] = [
  ['/apps/nothing', 'There is no app "nothing".'],
  ['/apps/nothing/members', 'There is no app "nothing".'],
  ['/apps/nothing/access', 'There is no app "nothing".'],
  ['/apps/plans/access?user=nobody', 'There is no user "nobody".'],
  ['/content/comments/999', 'There is no comment 999.'],
  ['/content/posts/999', 'There is no post 999.'],
  ['/content/messages/999', 'There is no message 999.'],
  ['/content/files/999', 'There is no file 999.'],
  ['/content/comments/first', 'There is no comment first.'],
  ['/events/999999', 'There is no event 999999, or it is no longer in the log.'],
  ['/events?app=nothing', 'There is no app "nothing".'],
  ['/imports/999', 'There is no import 999.'],
  ['/moderation?report=999', 'There is no report 999.'],
  ['/moderation?app=nothing', 'There is no app "nothing".'],
  ['/people/nobody', 'There is no user "nobody".'],
  ['/people/ada?app=nothing', 'There is no app "nothing".'],
  ['/people/erasures/999', 'There is no erasure 999.'],
  ['/webhooks/999', 'There is no webhook 999.'],
  ['/webhooks/999/edit', 'There is no webhook 999.'],
  ['/webhooks/999/code', 'There is no webhook 999.'],
  ['/webhooks/999/deliveries/999', 'There is no delivery 999.'],
  ['/webhooks/1/deliveries/999', 'There is no delivery 999.'],
  ['/content/things/1', 'There is no page at this address.'],
  ['/nothing', 'There is no page at this address.'],
];

const expected = [{ fault: /^answered 404/, reason: 'the test asks for what does not exist' }];

// An address with a name that does not exist says what does not exist, and offers nothing that cannot help.
describe('the console at addresses of what does not exist', { timeout: 240_000 }, () => {
  let server: TestServer;
  let browser: Browser;
  let ada: string;

  before(async () => {
    server = await startTestServer({});
    browser = await launchBrowser();
    ada = (await makeUser(server, { name: 'Ada Lovelace' }, 'ada')).token;
    await makeUser(server, { name: 'Bob' }, 'bob');
    await makeApp(server, { uid: 'plans', name: 'Plans' });
    await server.call('PUT', '/api/apps/plans/members/ada', { role: 'moderator' });
    await register(server, { payload_url: 'https://example.invalid/hook', is_enabled: false });
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  /** What the view says is not there, and the buttons to try again. */
  async function open(page: Page, path: string): Promise<{ words: string; retries: number }> {
    await page.goto(`${server.url}/console${path}`);
    await settled(page);
    await page.locator('main .missing, main .failure, main .decisions, main .empty').first().waitFor();
    return {
      words: (await page.locator('main').textContent()) ?? '',
      retries: await page.getByRole('button', { name: 'Try again' }).count(),
    };
  }

  test('says what does not exist, without a button to try again', async () => {
    const { page, faults, close } = await openConsole(browser, server, { expected });
    for (const [path, said] of missing) {
      const { words, retries } = await open(page, path);
      assert.ok(words.includes(said), `${path} says: ${words}`);
      assert.equal(retries, 0, path);
    }
    assert.deepEqual(faults, []);
    await close();
  });

  test('says to a moderator that it may also be hidden from them', async () => {
    const { page, close } = await openConsole(browser, server, { as: ada });
    for (const [path, said] of [
      ['/people/nobody', 'There is no user "nobody", or you do not have access.'],
      ['/apps/nothing', 'There is no app "nothing", or you do not have access.'],
      ['/apps/plans/access?user=nobody', 'There is no user "nobody", or you do not have access.'],
      ['/apps/plans/access?user=bob', 'Can write in it'],
    ] as const) {
      const { words, retries } = await open(page, path);
      assert.ok(words.includes(said), `${path} says: ${words}`);
      assert.equal(retries, 0, path);
    }
    await close();
  });

  test('has no fault of access in any look', async () => {
    const prepare = (page: Page) => page.locator('main', { hasText: 'nobody' }).waitFor();
    assert.deepEqual(
      await lookAtViews(
        { browser, server },
        [
          { path: '/apps/plans/access?user=nobody', picture: 'console-missing-user', prepare },
          { path: '/people/nobody', picture: 'console-missing-person', prepare },
        ],
        { expected },
      ),
      [],
    );
  });
});
