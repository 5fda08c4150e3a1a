import assert from 'node:assert/strict';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { type AppFields, makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshName } from 'confab-testing/visitors.ts';
import { annotationsEnglish } from '../../src/texts/annotations-english.ts';
import { screens } from './hands.ts';
import { type Opening, signedIn } from './page.ts';
import { languages, type Manner } from './task-list.ts';
import type { Users, Visited } from './user-tasks.ts';
import type { View } from './view.ts';

/** What readers do with `<confab-annotations>`, in any manner. Each task opens pages of its own. */

/** Users, and how they do their tasks. */
export type Readers = Users & { readonly manner: Manner };

const texts = { en: { ...languages.en, ...annotationsEnglish }, ar: languages.ar } as const;

/** The words of the article. */
export const words = {
  en: {
    first: 'The road goes ever on and on, down from the door where it began.',
    second: 'Now far ahead the road has gone, and I must follow, if I can.',
    quote: 'down from the door',
    begun: 'Now far',
    edited: 'Long ago: the road goes ever on, slowly down from the old door where it all began.',
    grown: 'down from the old door',
  },
  ar: {
    first: 'يمضي الطريق أبعد وأبعد، نازلًا من الباب الذي بدأ منه.',
    second: 'والآن مضى الطريق بعيدًا أمامي، وعليّ أن أتبعه إن استطعت.',
    quote: 'نازلًا من الباب',
    begun: 'والآن مضى',
    edited: 'قديمًا كان يمضي الطريق أبعد وأبعد، نازلًا ببطء من الباب الذي بدأ منه كل شيء.',
    grown: 'نازلًا ببطء من الباب',
  },
} as const;

const wordsOf = ({ manner }: Readers) => words[manner.language];
const textsOf = ({ manner }: Readers) => texts[manner.language] as (typeof texts)['en'];

const plan = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200">
<rect x="10" y="10" width="300" height="180" fill="none" stroke="gray"/></svg>`;

/** The page that the tasks are about: an article with a table and a picture. */
function articleOf({ host }: Readers, { first, second }: { first: string; second: string }): string {
  return `<article id="content"><p>${first}</p><p>${second}</p>
<table><tr><th>1</th><td data-confab-anchor="cell-1">42</td></tr></table>
<img data-confab-anchor="plan" width="320" height="200" alt="A plan" src="${host.url}/plan.svg"></article>
<confab-annotations for="#content"></confab-annotations>`;
}

/** A page with an app of its own, which nobody has opened yet. */
export async function pageFor(readers: Readers, name: string, fields: AppFields = {}) {
  const { host, server, manner, ada } = readers;
  const { way, screen, language } = manner;
  const path = `/${name}-${way}-${screen}-${language}`;
  host.serve('/plan.svg', { type: 'image/svg+xml', body: plan });
  const app = await makeApp(server, { uid: pageUid(host.url + path), access: 'write', ...fields });
  const opening: Opening = {
    ...screens[screen],
    ...{ path, language, markup: articleOf(readers, wordsOf(readers)), pictures: [host.url] },
    storageState: signedIn({ host, server }, { ...ada, name: 'Ada' }),
  };
  return { app: app.id, opening };
}

/** Makes a thread of Mina's about words of the article. */
export async function threadAbout({ mina }: Readers, app: number, text: string, quote: string) {
  const start = text.indexOf(quote);
  const [prefix, suffix] = [text.slice(0, start), text.slice(start + quote.length)];
  const selector = [{ type: 'TextQuoteSelector', exact: quote, prefix, suffix }];
  return await makeComment(mina, app, { text: 'Which door?', anchor: { key: 'content', selector } });
}

/** What is marked as of a kind. */
export async function marked(page: View, kind = 'open'): Promise<string> {
  const marks = `[...(CSS.highlights.get('confab-${kind}') ?? [])]`;
  return String(await page.evaluate(`${marks}.map((each) => each.toString().trim()).join('|')`));
}

const isMarked = (page: View, text: string, kind = 'open') =>
  poll(`the mark of "${text}"`, async () => (await marked(page, kind)) === text || undefined);

const opener = (page: View) => page.locator('.opener');
const panel = (page: View) => page.locator('.panel');
const inPanel = (page: View, name: string) => panel(page).getByRole('button', { name, exact: true });
const comment = (page: View, text: string) => panel(page).locator('article[id^=comment]', { hasText: text });

/** Selects words of the page, as a reader does who drags over them or holds a finger on them. */
async function select(page: View, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector('#content'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(${JSON.stringify(text)});
      if (at >= 0) getSelection().setBaseAndExtent(node, at, node, at + ${text.length});
    }
  })()`);
}

/** Begins a comment on words of the article, and returns these. */
async function beginAtWords(readers: Readers, { page, hands }: Visited): Promise<string> {
  const { manner } = readers;
  const say = textsOf(readers);
  const { quote, begun } = wordsOf(readers);
  await opener(page).waitFor();
  if (manner.way !== 'keyboard') {
    await select(page, quote);
    await hands.press(page.locator('.annotate'));
    return quote;
  }
  await hands.press(opener(page));
  await hands.press(inPanel(page, say.annotatePart));
  await page.locator('.chooser:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  const on = manner.language === 'ar' ? 'ArrowLeft' : 'ArrowRight';
  for (let word = 0; word < 2; word += 1) await page.keyboard.press(`Shift+${on}`);
  await page.keyboard.press('Enter');
  return begun;
}

/** Begins a comment on something that has a key. By keyboard it is the last part or the one before. */
async function beginAtElement(readers: Readers, { page, hands }: Visited, key: 'plan' | 'cell-1') {
  const { manner } = readers;
  const say = textsOf(readers);
  await opener(page).waitFor();
  if (key === 'plan' && manner.way !== 'keyboard')
    return await hands.press(page.locator('[data-confab-anchor=plan]'));
  if (key !== 'plan') return await hands.press(page.locator('.add'));
  await hands.press(opener(page));
  await hands.press(inPanel(page, say.annotatePart));
  await page.locator('.chooser:focus').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
}

async function write({ page, hands }: Visited, place: string, text: string): Promise<void> {
  await hands.write(panel(page).locator(`${place} textarea`), text);
  await hands.press(panel(page).locator(`${place} [part~=send]`));
  await comment(page, text).waitFor();
}

const first = '.composer:not([data-place^=to])';

/** The tasks, in any order. */
export const annotationTasks: Readonly<Record<string, (readers: Readers) => Promise<void>>> = {
  async 'comment on words, answer, resolve and reopen'(readers) {
    const say = textsOf(readers);
    const { app, opening } = await pageFor(readers, 'annotate');
    const visited = await readers.open(opening);
    const { page, hands, leave } = visited;
    const quote = await beginAtWords(readers, visited);
    await write(visited, first, 'Which door?');
    await isMarked(page, quote);
    assert.match((await opener(page).textContent()) ?? '', /1/);
    const { data } = await readers.server.read(`/api/apps/${app}/comments?anchor=content`);
    assert.equal(data[0].anchor.selector[0].exact, quote);
    await hands.press(comment(page, 'Which door?').locator('[data-act=answer]'));
    await write(visited, '.composer[data-place^=to]', 'The green one.');
    await hands.press(inPanel(page, say.resolve));
    await isMarked(page, '');
    await hands.press(inPanel(page, say.reopen));
    await isMarked(page, quote);
    await leave();
  },

  async 'find words again after an edit, and see that they are gone'(readers) {
    const { app, opening } = await pageFor(readers, 'edited');
    const { first: text, quote, edited, grown } = wordsOf(readers);
    await threadAbout(readers, app, text, quote);
    const { page, hands, leave } = await readers.open(opening);
    await isMarked(page, quote);
    const edit = (to: string) =>
      page.evaluate(`void (document.querySelector('#content p').textContent = ${JSON.stringify(to)})`);
    await edit(edited);
    await isMarked(page, grown);
    await edit('—');
    await isMarked(page, '');
    await hands.press(opener(page));
    await hands.press(panel(page).locator('.item', { hasText: quote }));
    await panel(page).locator('.gone').waitFor();
    await comment(page, 'Which door?').waitFor();
    await leave();
  },

  async 'comment on a picture'(readers) {
    const say = textsOf(readers);
    const { app, opening } = await pageFor(readers, 'picture');
    const visited = await readers.open(opening);
    await beginAtElement(readers, visited, 'plan');
    await write(visited, first, 'A door here?');
    const pin = visited.page.locator('button.pin:not(.add)');
    // Names are set apart from the direction of the text around them.
    assert.equal(await pin.getAttribute('aria-label'), say.pinBy.replace('{name}', '\u2068Ada\u2069'));
    const { data } = await readers.server.read(`/api/apps/${app}/comments?anchor=plan`);
    const place = JSON.stringify(data[0].anchor);
    if (readers.manner.way === 'keyboard') assert.equal(place, '{"key":"plan"}');
    else assert.match(place, /"value":"xywh=percent:(?:49|50)(?:\.\d)?,(?:49|50)(?:\.\d)?,0,0"/);
    await visited.hands.press(inPanel(visited.page, say.close));
    await panel(visited.page).waitFor({ state: 'detached' });
    await visited.hands.press(pin);
    await comment(visited.page, 'A door here?').waitFor();
    await visited.leave();
  },

  async 'comment on a cell of a table'(readers) {
    const { app, opening } = await pageFor(readers, 'cell');
    const visited = await readers.open(opening);
    await beginAtElement(readers, visited, 'cell-1');
    await write(visited, first, 'Why 42?');
    await visited.page.locator('button.pin:not(.add)').waitFor();
    const { data } = await readers.server.read(`/api/apps/${app}/comments?anchor=cell-1`);
    assert.deepEqual(data[0].anchor, { key: 'cell-1' });
    await visited.leave();
  },

  async 'go from thread to thread, and see those that are resolved'(readers) {
    const say = textsOf(readers);
    const { app, opening } = await pageFor(readers, 'steps');
    const { first: text, second, quote, begun } = wordsOf(readers);
    const { id } = await threadAbout(readers, app, second, begun);
    await threadAbout(readers, app, text, quote);
    const { page, hands, leave } = await readers.open(opening);
    await isMarked(page, `${quote}|${begun}`);
    await hands.press(opener(page));
    for (const current of [quote, begun]) {
      await hands.press(inPanel(page, say.nextThread));
      await isMarked(page, current, 'current');
    }
    await readers.mina.call('POST', `/api/comments/${id}/resolve`);
    await isMarked(page, quote);
    await hands.press(inPanel(page, say.backToThreads));
    await hands.choose(panel(page).getByRole('combobox', { name: say.showThreads }), 'resolved', 1);
    await panel(page).locator('.item', { hasText: begun }).waitFor();
    await isMarked(page, begun, 'resolved');
    await leave();
  },

  async 'go to the thread that an address names'(readers) {
    const { app, opening } = await pageFor(readers, 'named');
    const { first: text, quote } = wordsOf(readers);
    const { id } = await threadAbout(readers, app, text, quote);
    await readers.mina.call('POST', `/api/comments/${id}/resolve`);
    const { page, leave } = await readers.open({ ...opening, fragment: `#comment-${id}` });
    await comment(page, 'Which door?').waitFor();
    await isMarked(page, quote, 'current');
    assert.equal(await panel(page).locator('.gone').count(), 0);
    await leave();
  },

  async 'comment as a guest, who resolves nothing'(readers) {
    const say = textsOf(readers);
    const { opening } = await pageFor(readers, 'guest', { visitors: 'write' });
    const { storageState: _, ...unknown } = opening;
    const visited = await readers.open(unknown);
    const { page, hands, leave } = visited;
    const quote = await beginAtWords(readers, visited);
    await hands.write(panel(page).locator(`${first} textarea`), 'From a guest');
    await hands.press(panel(page).locator(`${first} [part~=send]`));
    await hands.write(page.getByLabel(say.yourName, { exact: true }), freshName());
    await hands.press(page.getByRole('button', { name: say.asGuest, exact: true }));
    await comment(page, 'From a guest').waitFor();
    await isMarked(page, quote);
    assert.equal(await panel(page).locator('.resolve').count(), 0);
    await leave();
  },
};
