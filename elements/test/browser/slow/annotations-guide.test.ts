import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { makeApp, usePeople } from 'confab-testing/fixtures.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import type { Page } from 'playwright-core';
import { handsOf } from '../hands.ts';
import { useWorld } from '../page.ts';

const guide = readGuide('annotations.md');

// Readers copy the examples of the guide, so they are run unchanged; the page around them brings the script.
describe('the guide to comments on places', () => {
  const world = useWorld();
  const { host, server } = world;
  const [ada] = usePeople(server, 'Ada');

  /** Opens an example as the user of the page, with the app that it names. */
  async function opened(heading: string, path: string) {
    const code = guide.codeBelow(heading, 'html');
    const [script = '', ...markup] = code.split('\n');
    assert.equal(script, '<script type="module" src="https://confab.example.com/elements.js"></script>');
    const [, uid = ''] = /uid="([^"]+)"/.exec(code) ?? [];
    const app = await makeApp(server, { uid, type: 'comments', access: 'write' });
    host.serve('/confab-token', {
      type: 'application/json',
      body: JSON.stringify({ access_token: ada.token }),
    });
    const page = await world.open({
      path,
      markup: markup.join('\n'),
      calls: [host.url],
      pictures: [host.url],
    });
    return { ...page, app: app.id };
  }

  async function comment(page: Page, text: string): Promise<void> {
    const panel = page.locator('confab-annotations').getByRole('dialog');
    await handsOf(page, 'mouse').write(panel.getByRole('textbox'), text);
    await panel.locator('[part~="send"]').click();
    await panel.locator('article[id^=comment]', { hasText: text }).waitFor();
  }

  test('has an article of which words are commented on', async () => {
    const { page, app, faults, context } = await opened('## An article (run)', '/report');
    await page.locator('confab-annotations .opener').waitFor();
    await page.getByText('Sales grew').dblclick({ position: { x: 10, y: 10 } });
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await comment(page, 'Which sales?');
    const { data } = await ada.read(`/api/apps/${app}/comments?anchor=report`);
    assert.match(data[0].anchor.selector[0].exact, /Sales/);
    await keepPicture(page, 'elements-guide-article');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('has a picture with pins', async () => {
    const walls = '<rect x="20" y="20" width="600" height="360" fill="none" stroke="black"/>';
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400">${walls}</svg>`;
    host.serve('/plan.png', { type: 'image/svg+xml', body: drawing });
    const { page, app, faults, context } = await opened('## A picture with pins (run)', '/plan');
    await page.locator('confab-annotations .opener').waitFor();
    await page.locator('#plan img').click({ position: { x: 160, y: 100 } });
    await comment(page, 'A door here?');
    const { data } = await ada.read(`/api/apps/${app}/comments?anchor=ground-floor`);
    // A quarter from the left and from the top, to the pixel.
    assert.match(data[0].anchor.selector[0].value, /^xywh=percent:2(?:4\.[89]|5)(?:\.\d)?,2(?:4\.[789]|5)/);
    await page.locator('confab-annotations [part~="pin"]').waitFor();
    await keepPicture(page, 'elements-guide-picture');
    assert.deepEqual(faults, []);
    await context.close();
  });
});
