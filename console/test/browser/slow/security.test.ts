import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { hostileTexts } from 'confab-testing/corpus/hostile-texts.ts';
import { makeImport } from 'confab-testing/fixtures.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import type { Browser, Page, Request } from 'playwright-core';
import { openConsole, settled } from '../page.ts';

/** `npm test -w console` shows 350. */
const textsWanted = Number(process.env.CONSOLE_TEXTS ?? 60);
const nameMax = 256;
/** Requests under way at once while the texts are written. */
const writersMax = 8;
/** The most further pages that are read of a list, and the details that are opened from it. */
const pagesMax = 100;
const detailsMax = 3;
/** What only those may see who manage the app or hold a key. */
const secret = 'SECRETWORD';

const names: readonly string[] = [...new Set(hostileTexts.map(({ text }) => text.slice(0, nameMax)))].filter(
  (name) => name.trim() !== '',
);

/** Scrolls every list of a view to its end. */
async function readAll(page: Page): Promise<void> {
  await settled(page);
  // While the next page is read, the button makes room for the word that says so.
  const more = page.locator('button.more, .waiting');
  for (let pages = 0; pages < pagesMax && (await more.count()) > 0; pages += 1) {
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await settled(page);
  }
}

/** Opens every area, reads its lists to their ends, and opens the first details of each. Returns the addresses. */
async function visitAll(page: Page, look: () => Promise<void>): Promise<string[]> {
  const addressesIn = (selector: string) =>
    page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const visited: string[] = [];
  const visit = async (address: string) => {
    await page.goto(new URL(address, page.url()).href);
    await readAll(page);
    visited.push(address);
    await look();
  };
  for (const area of await addressesIn('.side nav a')) {
    await visit(area);
    const inside = (await addressesIn('main a')).filter((address) => address.startsWith('/console/'));
    for (const address of [...new Set(inside)].slice(0, detailsMax)) await visit(address);
  }
  return visited;
}

// What the console shows and asks for gives nobody more than they have.
describe('the console among hostile texts and curious moderators', () => {
  let server: TestServer;
  let browser: Browser;
  let moderator: string;

  before(async () => {
    server = await startTestServer({});
    browser = await launchBrowser();
    await server.create('/api/apps', { uid: 'hidden', type: 'comments', name: `${secret} app` });
    // Users see the names of others by default, and nothing else of them.
    await server.call('PUT', '/api/users/victim', {
      name: 'Victim',
      comment: secret,
      email: `${secret}@example.com`,
    });
    await server.call('PUT', '/api/apps/hidden/members/victim');
    const sending = { headers: { 'x-confab-user': 'victim' } };
    const hidden = await server.create('/api/apps/hidden/comments', { text: secret }, sending);
    await server.token('reporter');
    await server.call('PUT', '/api/apps/hidden/members/reporter');
    const reporter = { headers: { 'x-confab-user': 'reporter' } };
    await server.call(
      'POST',
      `/api/comments/${hidden.id}/reports`,
      { reason: 'spam', text: secret },
      reporter,
    );
    await server.create('/api/apps', { uid: 'own', type: 'comments', name: 'Own app' });
    moderator = await server.token('mo', { name: 'Mo' });
    await server.call('PUT', '/api/apps/own/members/mo', { role: 'moderator' });
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  test('a moderator gets nothing of other apps from any request of the console', async () => {
    const { page, context, close } = await openConsole(browser, server);
    const asked = new Map<string, Request>();
    context.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      // The stream has no end; server/test/access/realtime.test.ts proves what it sends.
      if (pathname.startsWith('/api/') && pathname !== '/api/events/stream')
        asked.set(`${request.method()} ${pathname}${search}`, request);
    });
    await visitAll(page, async () => undefined);
    await close();
    assert.ok(asked.size >= 8, [...asked.keys()].join('\n'));
    let shown = 0;
    for (const [line, request] of asked) {
      const [method = '', path = ''] = line.split(' ');
      const asKey = await server.call(method, path, request.postData() ?? undefined);
      const asUser = await server.call(method, path, request.postData() ?? undefined, { as: moderator });
      if (asKey.text.includes(secret)) shown += 1;
      assert.ok(!asUser.text.includes(secret), `${line} shows what is not of the moderator's apps`);
      assert.ok([200, 304, 400, 401, 403, 404].includes(asUser.status), `${line}: ${asUser.status}`);
    }
    assert.ok(shown >= 3, `only ${shown} requests show the secret to a key`);
  });

  test('the console of a moderator shows nothing of other apps', async () => {
    const { page, faults, close } = await openConsole(browser, server, { as: moderator });
    await visitAll(page, async () => {
      assert.ok(!(await page.content()).includes(secret), page.url());
    });
    assert.deepEqual(faults, []);
    await close();
  });

  test(`${textsWanted} hostile texts run nothing and ask for nothing in any view`, async () => {
    let next = 0;
    let taken = 0;
    await Promise.all(
      Array.from({ length: writersMax }, async () => {
        for (let index = next; taken < textsWanted && index < names.length; index = next) {
          next = index + 1;
          if (await writeHostile(server, names[index] ?? '', index)) taken += 1;
        }
      }),
    );
    assert.ok(taken >= textsWanted, `only ${taken} texts were taken`);
    const { page, context, faults, close } = await openConsole(browser, server);
    const ran: string[] = [];
    await context.exposeBinding('canary', () => void ran.push('canary'));
    context.on('dialog', (dialog) => {
      ran.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    // A text that became HTML is refused by the policy, which the browser says on its console.
    await visitAll(page, async () => assert.deepEqual([...ran, ...faults], [], page.url()));
    await page.goto(`${server.url}/console/apps`);
    await readAll(page);
    assert.ok((await page.locator('tbody tr').count()) >= textsWanted);
    await page
      .evaluate(`Reflect.set(document.body, 'innerHTML', '<img src=x onerror=canary(1)>')`)
      .catch(() => undefined);
    assert.match(faults.join('\n'), /TrustedHTML|Content Security Policy/);
    assert.deepEqual(ran, []);
    await close();
  });
});

/** Writes a text wherever the views that are there show one; returns whether it was taken as the name of an app. */
async function writeHostile(server: TestServer, text: string, index: number): Promise<boolean> {
  const uid = `hostile-${index}`;
  const { status } = await server.call('PUT', `/api/apps/${uid}`, {
    type: 'comments',
    name: text,
    description: text,
  });
  if (status !== 201) return false;
  await makeImport(server, 'finished', text);
  const user = await server.call('PUT', `/api/users/${uid}`, { name: text, comment: text });
  if (user.status !== 201) return true;
  const sending = { headers: { 'x-confab-user': uid } };
  await server.call('PUT', `/api/apps/own/members/${uid}`);
  const comment = await server.call('POST', '/api/apps/own/comments', { text }, sending);
  if (comment.status === 201 && index % 10 === 0)
    await server.call(
      'POST',
      `/api/comments/${comment.body.id}/reports`,
      { reason: 'other', text },
      {
        headers: { 'x-confab-user': 'reporter' },
      },
    );
  return true;
}
