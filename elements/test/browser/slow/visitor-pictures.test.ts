import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { look } from 'confab-testing/browser/looks.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { signInGuest } from 'confab-testing/visitors.ts';
import type { Page } from 'playwright-core';
import { guests, useWorld } from '../page.ts';

/** Opens a page of a world with an app in which a guest is signed in, and goes to the field. */
async function openAsGuest({ host, server, open }: ReturnType<typeof useWorld>) {
  const path = '/visitor-pictures';
  const { id } = await makeApp(server, { uid: pageUid(host.url + path), access: 'write', visitors: 'write' });
  const session = await signInGuest(server);
  const kept = JSON.stringify({ ...session, issuedAt: Date.now() });
  const script = `if (location.origin !== 'null') localStorage.setItem(${JSON.stringify(`confab ${server.url}/`)}, ${JSON.stringify(kept)})`;
  const asked: string[] = [];
  const prepare = async (page: Page) => {
    await page.addInitScript(script);
    page.on('response', (response) => asked.push(new URL(response.url()).pathname));
  };
  const opened = await open({ path, prepare });
  await opened.page.getByRole('textbox', { name: 'Write a comment' }).click();
  await poll('what the visitor may use', () => asked.includes('/api/sign-in') || undefined);
  return { ...opened, app: id, asked };
}

/** Pastes a picture that the page has drawn. */
const paste = (page: Page) =>
  page.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(400, 300);
    canvas.getContext('2d').fillRect(0, 0, 400, 300);
    const data = new DataTransfer();
    data.items.add(new File([await canvas.convertToBlob()], 'screen.png', { type: 'image/png' }));
    const composer = document.querySelector('confab-comments').shadowRoot.querySelector('confab-composer');
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    composer.dispatchEvent(event);
    return event.defaultPrevented;
  })()`);

// A visitor adds pictures as a user adds files, on a page with the strictest policy, where the operator lets them.
describe('pictures of visitors in <confab-comments>', () => {
  const world = useWorld({ ...guests, CONFAB_COMMENTS_PICTURES: 'all' });

  test('are pasted, sent and shown', async () => {
    const { page, faults, context, app } = await openAsGuest(world);
    await page.getByRole('button', { name: 'Add a file' }).waitFor();
    await page.keyboard.type('Look at this');
    assert.equal(await paste(page), true);
    await page.locator('.files li', { hasText: 'screen.png' }).waitFor();
    await page.locator('.files progress').waitFor({ state: 'detached' });
    await look(page, 'elements-visitor-picture');
    await page.keyboard.press('Control+Enter');
    const picture = page.locator('article[id^=comment] .attachments img');
    await picture.waitFor();
    const isShown = () =>
      picture.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth > 0);
    await poll('the picture', async () => (await isShown()) || undefined);
    const { data } = await world.server.read(`/api/apps/${app}/comments`);
    const [{ text, attachments }] = data;
    assert.deepEqual(
      [text, attachments[0].name, attachments[0].media_type],
      ['Look at this', 'screen.webp', 'image/webp'],
    );
    assert.deepEqual(faults, []);
    await context.close();
  });
});

describe('<confab-comments> where visitors add no pictures', () => {
  const world = useWorld(guests);

  test('has no button, and sends nothing that is pasted', async () => {
    const { page, faults, context, asked } = await openAsGuest(world);
    await page.getByRole('button', { name: 'Bold' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add a file' }).count(), 0);
    assert.equal(await paste(page), false);
    assert.equal(asked.includes('/api/blobs'), false);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
