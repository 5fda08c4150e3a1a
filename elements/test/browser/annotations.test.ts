import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe, type Mode, setMode } from 'confab-testing/browser/looks.ts';
import { makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import type { Page } from 'playwright-core';
import { handsOf, screens } from './hands.ts';
import { drawGround, type ElementPage, type Opening, signedIn, useWorld } from './page.ts';

const words = {
  en: {
    first: 'The road goes ever on and on, down from the door where it began.',
    second: 'Now far ahead the road has gone, and I must follow, if I can.',
    quote: 'down from the door',
  },
  ar: {
    first: 'يمضي الطريق أبعد وأبعد، نازلًا من الباب الذي بدأ منه.',
    second: 'والآن مضى الطريق بعيدًا أمامي، وعليّ أن أتبعه إن استطعت.',
    quote: 'نازلًا من الباب',
  },
} as const;

const article = ({ first, second }: { readonly first: string; readonly second: string }) =>
  `<article id="content"><p>${first}</p><p>${second}</p>
<table><tr><td data-confab-anchor="cell-1">42</td></tr></table></article>
<confab-annotations for="#content"></confab-annotations>`;

// A reader comments on the words of a page, and finds the thread at them again.
describe('<confab-annotations>', () => {
  const world = useWorld();
  const { host, server } = world;
  const [ada, bob] = usePeople(server, 'Ada', 'Bob');

  async function opened(path: string, options: Opening = {}): Promise<ElementPage> {
    const language = options.language === 'ar' ? 'ar' : 'en';
    return await world.open({
      path,
      markup: article(words[language]),
      storageState: signedIn({ host, server }, { ...ada, name: 'Ada' }),
      ...options,
    });
  }

  /** An app with a thread of Bob's about some words of the page at a path. */
  async function commented(path: string, language: 'en' | 'ar' = 'en'): Promise<number> {
    const app = await makeApp(server, { uid: pageUid(host.url + path), access: 'write' });
    const { first, quote } = words[language];
    const start = first.indexOf(quote);
    const exact = {
      type: 'TextQuoteSelector',
      exact: quote,
      prefix: first.slice(0, start),
      suffix: first.slice(start + quote.length),
    };
    const { id } = await makeComment(bob, app.id, {
      text: 'Which door?',
      anchor: { key: 'content', selector: [exact] },
    });
    return id;
  }

  const opener = (page: Page) => page.locator('confab-annotations .opener');
  const panel = (page: Page) => page.locator('confab-annotations').getByRole('dialog');

  /** Selects some words of the page, as somebody does who drags over them. */
  async function select(page: Page, text: string): Promise<void> {
    await page.evaluate(`{
      const walker = document.createTreeWalker(document.querySelector('#content'), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(${JSON.stringify(text)});
        if (at >= 0) getSelection().setBaseAndExtent(node, at, node, at + ${text.length});
      }
    }`);
  }

  /** The words that are marked as of a kind. */
  const marked = async (page: Page, kind = 'open') =>
    String(
      await page.evaluate(
        `[...(CSS.highlights.get('confab-${kind}') ?? [])].map((each) => each.toString()).join('|')`,
      ),
    );

  test('comments on selected words, is answered, resolved and reopened', async () => {
    const app = await makeApp(server, { uid: pageUid(`${host.url}/select`), access: 'write' });
    const { page, faults, context } = await opened('/select', screens.desktop);
    const hands = handsOf(page, 'mouse');
    await opener(page).waitFor();
    await select(page, 'down from the door');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await hands.write(panel(page).getByRole('textbox'), 'Which door?');
    await panel(page).locator('[part~="send"]').click();
    await panel(page)
      .getByRole('article', { name: /^Comment by/ })
      .waitFor();
    await poll('the mark', async () => (await marked(page)) === 'down from the door' || undefined);
    await keepPicture(page, 'elements-annotations-thread');
    const { data } = await ada.read(`/api/apps/${app.id}/comments`);
    assert.match(JSON.stringify(data[0]), /"exact":"down from the door"/);

    await hands.press(panel(page).getByRole('button', { name: 'Reply', exact: true }));
    await hands.write(panel(page).getByRole('textbox'), 'The green one.');
    await panel(page).locator('[part~="send"]').click();
    await panel(page)
      .getByRole('article', { name: /^Reply by/ })
      .waitFor();
    await panel(page).getByRole('button', { name: 'Resolve' }).click();
    await poll('the end of the mark', async () => (await marked(page)) === '' || undefined);
    await panel(page).getByRole('button', { name: 'Reopen' }).click();
    await poll('the mark', async () => (await marked(page)) === 'down from the door' || undefined);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('finds its words again after an edit, and says when they are gone', async () => {
    await commented('/edited');
    const { page, faults, context } = await opened('/edited');
    await poll('the mark', async () => (await marked(page)) === 'down from the door' || undefined);
    const edit = (text: string) =>
      page.evaluate(`document.querySelector('#content p').textContent = ${JSON.stringify(text)}`);
    await edit('Long ago: the road goes ever on, slowly down from the old door where it all began.');
    await poll('the new mark', async () => (await marked(page)) === 'down from the old door' || undefined);
    await edit('Nothing of it.');
    await poll('no mark', async () => (await marked(page)) === '' || undefined);
    await opener(page).click();
    const item = panel(page).getByRole('listitem').filter({ hasText: 'no longer there' });
    await item.filter({ hasText: 'down from the door' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('works by keyboard alone', async () => {
    await commented('/keys');
    const { page, faults, context } = await opened('/keys');
    const hands = handsOf(page, 'keyboard');
    await hands.press(opener(page));
    await hands.press(panel(page).getByRole('button', { name: 'Choose a part of the text' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel(page).locator('textarea').waitFor();
    await page.keyboard.type('A note');
    await page.keyboard.press('Control+Enter');
    await panel(page)
      .getByRole('article', { name: /^Comment by/ })
      .waitFor();
    await poll('the mark', async () => (await marked(page)).includes(words.en.second) || undefined);
    await page.keyboard.press('Control+Alt+N');
    await poll(
      'the other one',
      async () => (await marked(page, 'current')) === 'down from the door' || undefined,
    );
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('has nothing for axe to object to, light and dark, on phone and desktop, in both directions', async () => {
    const phone: Mode = { colorScheme: 'dark', viewport: { width: 360, height: 640 } };
    const desktop: Mode = { colorScheme: 'light', viewport: { width: 1200, height: 800 } };
    for (const language of ['en', 'ar'] as const) {
      await commented(`/axe-${language}`, language);
      const { page, context } = await opened(`/axe-${language}`, { language });
      await drawGround(page);
      await opener(page).click();
      await panel(page).getByRole('listitem').waitFor();
      for (const mode of [phone, desktop]) {
        await setMode(page, mode);
        await keepPicture(page, `elements-annotations-list-${mode.colorScheme}-${language}`);
        assert.deepEqual(await faultsOfAxe(page), []);
      }
      await panel(page).getByRole('listitem').getByRole('button').click();
      await panel(page).getByRole('article').waitFor();
      for (const mode of [phone, desktop]) {
        await setMode(page, mode);
        await keepPicture(page, `elements-annotations-${mode.colorScheme}-${language}`);
        assert.deepEqual(await faultsOfAxe(page), []);
      }
      await context.close();
    }
  });
});
