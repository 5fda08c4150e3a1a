import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { look } from 'confab-testing/browser/looks.ts';
import { makeComment, makeUser, type Person, usePeople } from 'confab-testing/fixtures.ts';
import { startSite } from 'confab-testing/network/site.ts';
import { poll } from 'confab-testing/poll.ts';
import { use } from 'confab-testing/server.ts';
import type { Page } from 'playwright-core';
import { drawGround, guests, type Opening, signedIn, useWorld } from '../page.ts';

const field = (page: Page, name = 'Write a comment') => page.getByRole('textbox', { name });
const article = (page: Page, text: string) => page.locator('article[id^=comment]', { hasText: text });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box !== null, selector);
  return box;
};

// What is added to a text: mentions, polls, previews of links, emoji; and how it will look.
describe('composing in <confab-comments>', () => {
  const world = useWorld(guests);
  const { host, server } = world;
  const [ada] = usePeople(server, 'Ada');
  const asked: string[] = [];
  const site = use(() =>
    startSite((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        '<title>The lighthouse</title><meta name="description" content="How its lamp was lit again">',
      );
    }),
  );
  after(async () => {
    await site.close();
  });

  /** Opens a page of its own, as a user unless another way of opening is given. */
  async function open(
    path: string,
    { person = ada, ...opening }: Opening & { person?: Person | undefined } = {},
  ) {
    const app = await world.appFor(path, { visitors: 'write' });
    const storageState = signedIn({ host, server }, { ...person, name: 'Ada' });
    const opened = await world.open({ path, storageState, ...opening });
    return { ...opened, app };
  }

  /** The comments of an app as the server has them, the oldest first. */
  const commentsOf = async (app: number) =>
    (await server.read(`/api/apps/${app}/comments?expand=embed`)).data;

  /** The last one. */
  async function written(app: number) {
    return await poll('the comment', async () => (await commentsOf(app)).at(-1));
  }

  describe('a mention', () => {
    const graces = [
      use(() => makeUser(server, { name: 'Grace Hopper' }, 'grace-navy')),
      use(() => makeUser(server, { name: 'Grace Hopper' }, 'grace-town')),
      use(() => makeUser(server, { name: 'Grace Kelly' }, 'grace-monaco')),
    ] as const;

    test('is chosen by its face at the caret, and tells people of one name apart', async () => {
      const { page, faults, context } = await open('/faces');
      await drawGround(page);
      await field(page).click();
      await button(page, 'Add a file').waitFor();
      await page.keyboard.type('Have you asked @gra');
      const options = page.locator('.choices [role=option]');
      await options.first().waitFor();
      assert.deepEqual(await options.allInnerTexts(), [
        'GH\nGrace Hopper grace-navy',
        'GH\nGrace Hopper grace-town',
        'GK\nGrace Kelly',
      ]);
      const [face, list, text] = [
        await boxOf(page, '.choices .avatar'),
        await boxOf(page, '.choices'),
        await boxOf(page, 'confab-composer textarea'),
      ];
      assert.ok(face.width === face.height && face.width > 20, JSON.stringify(face));
      assert.ok(list.x > text.x + 60, `the list is at ${list.x}, the text at ${text.x}`);
      assert.ok(list.y < text.y + 60, `the list is at ${list.y}, the text at ${text.y}`);
      await look(page, 'elements-mentions');
      await page.setViewportSize({ width: 360, height: 640 });
      await page.keyboard.type('c');
      await poll('the list at the caret again', async () => {
        const { x, width } = await boxOf(page, '.choices');
        return x + width <= 360 || undefined;
      });
      await look(page, 'elements-mentions-360');
      assert.deepEqual(faults, []);
      await context.close();
    });

    test('is a name in the field and a link in what is sent, also after a reload and in an edit', async () => {
      const { page, app, faults, context } = await open('/mention', {
        expected: [{ fault: /ERR_INTERNET_DISCONNECTED/, reason: 'the browser is offline for a while' }],
      });
      const [navy, town] = graces;
      await field(page).click();
      await button(page, 'Add a file').waitFor();
      await page.keyboard.type('Ask @grac');
      await page.locator('.choices [role=option]').first().waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.type(' soon, or @grac');
      await page.locator('.choices [role=option]').nth(1).click();
      await page.keyboard.type('now');
      const shown = `Ask @Grace Hopper soon, or [@Grace Hopper](@u${town.id}) now`;
      assert.equal(await field(page).inputValue(), shown);
      await page.reload();
      await poll('the draft', async () => (await field(page).inputValue()) === shown || undefined);
      await context.setOffline(true);
      await field(page).press('Control+Enter');
      const unsent = page.locator('.unsent', { hasText: 'Ask @Grace Hopper soon' });
      await unsent.getByRole('button', { name: 'Edit' }).click();
      assert.equal(await field(page).inputValue(), shown);
      await field(page).press('Control+Enter');
      await unsent.waitFor();
      await context.setOffline(false);
      await article(page, 'soon').waitFor();
      const text = `Ask [@Grace Hopper](@u${navy.id}) soon, or [@Grace Hopper](@u${town.id}) now`;
      assert.equal((await written(app)).text, text);
      await article(page, 'soon').getByRole('button', { name: 'More' }).click();
      await button(page, 'Edit').click();
      assert.equal(await field(page, 'Your comment').inputValue(), shown);
      await page.keyboard.type(', please');
      await page.keyboard.press('Control+Enter');
      await article(page, 'now, please').waitFor();
      assert.equal((await written(app)).text, `${text}, please`);
      assert.deepEqual(faults, []);
      await context.close();
    });
  });

  test('asks a poll, of which a reload loses nothing', async () => {
    const { page, app, faults, context } = await open('/poll');
    await drawGround(page);
    await field(page).click();
    await button(page, 'Add a poll').click();
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Tea');
    await button(page, 'Comment').click();
    await page.getByText('Write the question of the poll first.').waitFor();
    await page.keyboard.type('What do you drink?');
    await page.keyboard.press('Control+Enter');
    await page.getByText('A poll needs at least two options.').waitFor();
    assert.deepEqual(await commentsOf(app), []);
    await page.keyboard.type('Coffee');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Water');
    await look(page, 'elements-polling');
    await page.reload();
    await poll('the options', async () => (await page.locator('.polling input').count()) === 3 || undefined);
    assert.equal(await page.getByRole('textbox', { name: 'Option 3' }).inputValue(), 'Water');
    await button(page, 'Remove option 3').click();
    await page.locator('input:focus').waitFor();
    await page.keyboard.press('Control+Enter');
    await article(page, 'What do you drink?').getByRole('button', { name: 'Coffee' }).waitFor();
    const { text, options } = await written(app);
    assert.deepEqual(
      [text, ...options.map((option: { text: string }) => option.text)],
      ['What do you drink?', 'Tea', 'Coffee'],
    );
    assert.equal(await page.locator('.polling').count(), 0);
    await page.reload();
    await article(page, 'What do you drink?').waitFor();
    assert.equal(await page.locator('.polling').count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('is offered no poll as a guest, who could not vote', async () => {
    const { page, context } = await open('/guest-poll', { storageState: { cookies: [], origins: [] } });
    await field(page).click();
    await button(page, 'Bold').waitFor();
    assert.equal(await button(page, 'Add a poll').count(), 0);
    await context.close();
  });

  test('previews one link, which can be removed', async () => {
    const { page, app, faults, context } = await open('/links');
    await drawGround(page);
    await field(page).click();
    await button(page, 'Add a file').waitFor();
    await page.keyboard.type(`Read ${site.url}/one, or ${site.url}/two`);
    const link = page.getByRole('group', { name: 'Link preview', exact: true });
    await link.getByText('The lighthouse').waitFor();
    await look(page, 'elements-link');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+Enter');
    await article(page, 'Read').locator('.preview', { hasText: 'How its lamp was lit again' }).waitFor();
    assert.equal((await written(app)).embed.original_url, `${site.url}/one`);
    assert.deepEqual(asked, ['/one']);
    await link.waitFor({ state: 'detached' });
    await field(page).click();
    await page.keyboard.type(`Also ${site.url}/three`);
    await button(page, 'Remove link preview').click();
    await page.keyboard.type(` and ${site.url}/four`);
    await link.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await article(page, 'Also').waitFor();
    assert.equal((await written(app)).embed, undefined);
    assert.deepEqual(asked, ['/one', '/three']);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('shows a preview in the place of the text, and no tool that does nothing', async () => {
    const { page, faults, context } = await open('/preview');
    await drawGround(page);
    await field(page).click();
    await page.keyboard.type('Some **bold** words');
    const [before, text] = [
      await boxOf(page, 'confab-composer'),
      await boxOf(page, 'confab-composer textarea'),
    ];
    await button(page, 'Preview').click();
    await page.locator('.composer strong', { hasText: 'bold' }).waitFor();
    const [now, shown, words] = [
      await boxOf(page, 'confab-composer'),
      await boxOf(page, '.composer .text'),
      await boxOf(page, '.composer .text p'),
    ];
    assert.deepEqual(now, before);
    assert.deepEqual(shown, text);
    // The padding of the field.
    assert.ok(Math.abs(words.y - text.y - 11.2) < 1, `the words are at ${words.y}, the field at ${text.y}`);
    assert.equal(await page.locator('.tools button:enabled').count(), 0);
    await look(page, 'elements-preview-place');
    await button(page, 'Back to editing').click();
    await page.locator('textarea:focus').waitFor();
    assert.ok((await page.locator('.tools button:enabled').count()) > 8);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('asks a guest to sign in for a preview', async () => {
    const { page, faults, context } = await open('/guest-preview', {
      storageState: { cookies: [], origins: [] },
    });
    await field(page).click();
    await page.keyboard.type('Some **bold** words');
    await button(page, 'Preview').click();
    await page.getByRole('textbox', { name: 'Your name' }).fill('Guy');
    await page.keyboard.press('Enter');
    await page.locator('.composer strong', { hasText: 'bold' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  for (const motion of ['no-preference', 'reduce'] as const)
    for (const way of ['mouse', 'keyboard'] as const)
      test(`marks the first comment of a guest by ${way} with motion: ${motion}`, async () => {
        const { page, faults, context } = await open(`/mark-${motion}-${way}`, {
          storageState: { cookies: [], origins: [] },
          reducedMotion: motion,
        });
        await field(page).click();
        await page.keyboard.type('The first of mine');
        await button(page, 'Comment').waitFor();
        if (way === 'mouse') await button(page, 'Comment').click();
        else await page.keyboard.press('Control+Enter');
        // Who types at once types the name.
        await page.locator('input[name=name]:focus').waitFor();
        await page.keyboard.type(`Guy ${motion} ${way}`);
        if (way === 'mouse') await page.locator('dialog .primary').click();
        else await page.keyboard.press('Enter');
        const own = article(page, 'The first of mine');
        await own.waitFor();
        const marks = await poll('the mark', async () => {
          const found = await own.evaluate((it: any) =>
            it.getAnimations().map((each: any) => each.effect.getTiming().easing),
          );
          return found.length > 0 ? found : undefined;
        });
        assert.deepEqual(marks, [motion === 'reduce' ? 'steps(1)' : 'ease-in']);
        await page.locator('article[id^=comment]:focus').waitFor();
        // What has the focus has the quiet ground of a comment around it, and no ring.
        assert.match(
          await own.evaluate((it: any) => it.ownerDocument.defaultView.getComputedStyle(it).outlineColor),
          /\/ 0\.06\)$/,
        );
        await poll('the end of the mark', async () =>
          (await own.evaluate((it: any) => it.getAnimations().length)) === 0 ? true : undefined,
        );
        assert.deepEqual(faults, []);
        await context.close();
      });

  test('strikes words out, fences code, and finds emoji by a button', async () => {
    const { page, faults, context } = await open('/tools');
    await drawGround(page);
    await makeComment(ada, await world.appFor('/tools-other'), { text: 'Other' });
    await field(page).click();
    await page.keyboard.type('gone');
    await page.keyboard.press('Shift+Home');
    await button(page, 'Strikethrough').click();
    assert.equal(await field(page).inputValue(), '~~gone~~');
    await page.keyboard.press('End');
    await button(page, 'Code block').click();
    await page.keyboard.type('1 + 1');
    assert.equal(await field(page).inputValue(), '~~gone~~\n```\n1 + 1\n```');
    await button(page, 'Emoji').click();
    await page.locator('.emojis button:focus').waitFor();
    await look(page, 'elements-emoji');
    await page.keyboard.press('Escape');
    await page.locator('textarea:focus').waitFor();
    assert.equal(await page.locator('.emojis').count(), 0);
    await button(page, 'Emoji').click();
    await page.locator('.emojis button:focus').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('textarea:focus').waitFor();
    assert.equal(await field(page).inputValue(), '~~gone~~\n```\n1 + 1👎\n```');
    await button(page, 'Emoji').click();
    await page.locator('.emojis button:focus').waitFor();
    await page.getByRole('heading', { name: 'A page' }).click();
    await page.locator('.emojis').waitFor({ state: 'detached' });
    assert.equal(await button(page, 'Comment').getAttribute('title'), 'Ctrl+Enter');
    assert.deepEqual(faults, []);
    await context.close();
  });
});
