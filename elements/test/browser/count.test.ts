import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Page } from 'playwright-core';
import { useWorld } from './page.ts';

/** Longer than the elements wait before they ask a server again that was away, in milliseconds. */
const firstPauseMs = 6000;

// Numbers beside links are asked for together, however many there are.
describe('<confab-count>', () => {
  const world = useWorld({}, { isListed: false });
  const { host, server } = world;
  const [ada] = usePeople(server, 'Ada');

  async function appWith(uid: string | undefined, comments: number): Promise<void> {
    const { id } = await makeApp(server, { uid, access: 'write', visitors: 'read' });
    for (let at = 0; at < comments; at += 1) await makeComment(ada, id);
  }

  /** What each element shows: its number, or what is inside of it. */
  async function shown(page: Page): Promise<string[]> {
    return (await page.evaluate(
      "[...document.querySelectorAll('confab-count')].map((each) => (each.shadowRoot ?? each).textContent)",
    )) as string[];
  }

  /** Waits until an element shows a text, by default the last one. */
  async function settled(page: Page, text: string, at = -1): Promise<void> {
    await poll(`the text ${text}`, async () => (await shown(page)).at(at) === text || undefined);
  }

  test('counts all on a page with one request, and those that come later with another', async () => {
    await appWith(pageUid(`${host.url}/one`), 1);
    await appWith('product-42', 2);
    const { page, faults, context } = await world.open({
      path: '/list',
      markup: `<p><a href="/one#comments"><confab-count>Comments</confab-count></a>
<confab-count uid="product-42"></confab-count> <confab-count href="/one?utm_source=x"></confab-count>
<confab-count uid="product-42"></confab-count> <confab-count href="/none"></confab-count></p>`,
    });
    await settled(page, 'No comments');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/api/') && asked.push(request.url()));
    await page.reload();
    await settled(page, 'No comments');
    assert.deepEqual(await shown(page), [
      '1 comment',
      '2 comments',
      '1 comment',
      '2 comments',
      'No comments',
    ]);
    assert.equal(asked.length, 1, asked.join(' '));

    await appWith('product-43', 3);
    await page.evaluate(`
      for (const uid of ['product-43', 'product-42']) {
        const element = document.createElement('confab-count');
        element.setAttribute('uid', uid);
        document.querySelector('p').append(element);
      }
      // A framework that reuses an element for another page.
      document.querySelector('confab-count').setAttribute('uid', 'product-43');`);
    await settled(page, '2 comments');
    await settled(page, '3 comments', 0);
    assert.deepEqual((await shown(page)).slice(-2), ['3 comments', '2 comments']);
    assert.equal(asked.length, 2, asked.join(' '));
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('asks for more than a hundred in as few requests as the server takes', async () => {
    await appWith('count-119', 1);
    const names = Array.from({ length: 120 }, (_, at) => `count-${at}`);
    const { page, context } = await world.open({
      path: '/many',
      markup: names.map((uid) => `<confab-count uid="${uid}"></confab-count>`).join(' '),
    });
    await settled(page, '1 comment');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/api/') && asked.push(request.url()));
    await page.reload();
    await settled(page, '1 comment');
    assert.equal(asked.length, 2);
    await context.close();
  });

  test('keeps what is inside of it while the server is away, and then has the number', async () => {
    await appWith('away', 4);
    let isAway = true;
    let refused = 0;
    const { page, context } = await world.open({
      path: '/away',
      markup: '<confab-count uid="away">Comments</confab-count>',
      expected: [{ fault: /ERR_FAILED/, reason: 'the test cuts the network' }],
      prepare: async (opened) => {
        await opened.clock.install();
        await opened.route('**/api/counts*', async (route) => {
          if (!isAway) return await route.continue();
          refused += 1;
          await route.abort();
        });
      },
    });
    await poll('the refusal', () => refused || undefined);
    assert.deepEqual(await shown(page), ['Comments']);
    isAway = false;
    await page.clock.fastForward(firstPauseMs);
    await settled(page, '4 comments');
    await context.close();
  });
});
