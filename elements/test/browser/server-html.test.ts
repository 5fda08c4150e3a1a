import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient } from 'confab-client';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useWorld } from './page.ts';

/** Notes in each frame how many articles of a thread are shown: those in the page, and those of the element. */
const watchFrames = `
  globalThis.frames = [];
  const shown = (root) => [...(root?.querySelectorAll('article') ?? [])].filter((each) => each.checkVisibility()).length;
  requestAnimationFrame(function look() {
    const element = document.querySelector('confab-comments');
    frames.push([shown(element), shown(element?.shadowRoot)]);
    requestAnimationFrame(look);
  });`;

// A page that was built on a server has its comments before any script runs, and keeps them while it does.
describe('the HTML of a server inside of <confab-comments>', () => {
  const world = useWorld({}, { isListed: false });
  const { host, server } = world;

  async function built(path: string): Promise<string> {
    const ada = await makeUser(server, { name: 'Ada' });
    const uid = pageUid(host.url + path);
    const { id } = await makeApp(server, { uid, access: 'write', visitors: 'read' });
    const first = await makeComment(ada, id, { text: 'The first comment' });
    await makeComment(ada, id, { text: 'An answer', reply_to: first.id });
    const html = await createClient({ url: server.url }).renderThread(uid ?? '');
    return `<confab-comments>${html}</confab-comments>`;
  }

  test('is there without script', async () => {
    const markup = await built('/plain');
    const { page, context } = await world.open({ path: '/plain', markup, javaScriptEnabled: false });
    assert.ok(await page.getByRole('article').getByText('An answer').isVisible());
    await context.close();
  });

  test('is shown until the element shows the same, with no frame between', async () => {
    const markup = await built('/taken');
    const { page, faults, context } = await world.open({ path: '/taken', markup });
    await page.addInitScript(watchFrames);
    await page.reload();
    await page.getByRole('heading', { name: '2 comments' }).waitFor();
    const frames = (await page.evaluate('frames')) as [light: number, shadow: number][];
    const begun = frames.slice(frames.findIndex(([light]) => light > 0));
    assert.ok(
      begun.some(([light]) => light === 2),
      'the page had the comments',
    );
    assert.deepEqual(begun.at(-1), [0, 2]);
    assert.deepEqual(
      begun.filter(([light, shadow]) => light + shadow !== 2),
      [],
    );
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('stays where the server is away', async () => {
    const markup = await built('/away');
    const { page, context } = await world.open({
      path: '/away',
      markup,
      expected: [{ fault: /ERR_FAILED/, reason: 'the test cuts the network' }],
    });
    await page.route('**/api/**', (route) => route.abort());
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    assert.ok(await page.getByRole('article').getByText('The first comment').isVisible());
    await context.close();
  });
});
