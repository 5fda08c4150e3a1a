import type { Page } from 'playwright-core';
import type { World } from './world.ts';

/** What is measured in a page. What runs in the browser is text: it has other types than this script. */
export type Contender = {
  readonly name: string;
  /** What a page that shows a thread has in its head, and in its body where the comments belong. */
  markup(world: World, thread: string): { readonly head: string; readonly body: string };
  /** In the page: an expression for the comments that are there. It costs little, because it is asked in each frame. */
  readonly comments: string;
  /** In the page: an expression for the element with the text of a `comment`. */
  readonly textOf: string;
  /** In the page: a statement that asks for the next comments, as somebody does who has read the last one. */
  readonly more: string;
  /** Whether `more` has to be repeated until they come, as scrolling does. */
  readonly isRepeated: boolean;
  /** Writes and sends a comment as somebody who has not written before. */
  write(page: Page, text: string): Promise<void>;
};

const confab: Contender = {
  name: 'confab-comments',
  markup: ({ confab }) => ({
    head: `<script type="module" src="${confab}/elements.js"></script>`,
    body: '<confab-comments></confab-comments>',
  }),
  comments: `document.querySelector('confab-comments')?.shadowRoot?.querySelectorAll('.text') ?? []`,
  textOf: 'comment',
  more: `document.querySelector('confab-comments').shadowRoot.querySelector('.more').click()`,
  isRepeated: false,
  async write(page, text) {
    await page.getByRole('textbox', { name: 'Write a comment' }).click();
    await page.keyboard.type(text);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your name').fill('Somebody New');
    await dialog.getByRole('button', { name: 'Continue as a guest' }).click();
    await page.locator('article', { hasText: text }).waitFor();
  },
};

const kit: Contender = {
  name: 'kit',
  markup: ({ confab }) => ({
    head: `<script src="${confab}/embed.js" data-token-url="/token" defer></script>`,
    body: '<wy-comments></wy-comments>',
  }),
  comments: `document.querySelector('wy-comments')?.shadowRoot?.querySelector('wy-comment-list')
    ?.shadowRoot?.querySelectorAll('wy-comment') ?? []`,
  textOf: `comment.shadowRoot?.querySelector('.wy-content')`,
  more: `window.scrollTo(0, document.documentElement.scrollHeight)`,
  isRepeated: true,
  async write(page, text) {
    await page.locator('wy-comment-editor .cm-content').click();
    await page.keyboard.type(text);
    await page.locator('wy-comment-editor wy-button[title="Comment"]').click();
    await page.locator('wy-comment', { hasText: text }).waitFor();
  },
};

const artalk: Contender = {
  name: 'ArtalkLite',
  markup: ({ artalk }, thread) => ({
    head: `<link rel="stylesheet" href="${artalk}/dist/ArtalkLite.css">`,
    body: `<div id="Comments"></div>
<script src="${artalk}/dist/ArtalkLite.js"></script>
<script>Artalk.init({ el: '#Comments', pageKey: '${thread}', pageTitle: 'An article', server: '${artalk}', site: 'Bench' })</script>`,
  }),
  comments: `document.querySelectorAll('.atk-list .atk-content')`,
  textOf: 'comment',
  more: `document.querySelector('.atk-list-read-more').click()`,
  isRepeated: false,
  async write(page, text) {
    await page.locator('.atk-name').fill('Somebody New');
    await page.locator('.atk-email').fill('new@example.com');
    await page.locator('.atk-textarea').fill(text);
    await page.locator('.atk-send-btn').click();
    await page.locator('.atk-comment', { hasText: text }).waitFor();
  },
};

/** What is measured, in the order in which they take turns. */
export const contenders: readonly Contender[] = [confab, kit, artalk];
