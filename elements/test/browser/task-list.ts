import assert from 'node:assert/strict';
import { addMembers, makeComment, type Person } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { freshName } from 'confab-testing/visitors.ts';
import { english } from '../../src/texts/english.ts';
import { texts as arabic } from '../../src/texts/languages/ar.ts';
import { moderateEnglish } from '../../src/texts/moderate-english.ts';
import { myDataEnglish } from '../../src/texts/my-data-english.ts';
import { signInEnglish } from '../../src/texts/sign-in-english.ts';
import { unfoldingEnglish } from '../../src/texts/unfolding-english.ts';
import { writingEnglish } from '../../src/texts/writing-english.ts';
import { type Hands, handsOf, screens, undoneWithinMs, type Way } from './hands.ts';
import { type Opening, signedIn, type World } from './page.ts';
import type { View } from './view.ts';

/** What people do in `<confab-comments>`, whatever they hold in their hands and whichever way they read. */

/** The words of the languages in which the tasks are done. */
export const languages = {
  en: {
    ...english,
    ...writingEnglish,
    ...signInEnglish,
    ...myDataEnglish,
    ...unfoldingEnglish,
    ...moderateEnglish,
  },
  ar: arabic,
} as const;
/** A language in which the tasks are done. */
export type Language = keyof typeof languages;
/** A screen on which they are done. */
export type Screen = keyof typeof screens;

/** What somebody has who does the tasks: the page, their hands, the words of the language, and the app. */
export type Scene = {
  readonly page: View;
  readonly hands: Hands;
  readonly say: (typeof languages)['en'];
  readonly server: TestServer;
  readonly app: number;
  /** The newest comment of the page, of Ada, which has four answers. */
  readonly question: number;
};

/** How many comments are on the page at first; more than a page has. */
const commentsAtFirst = 27;
const answersAtFirst = 4;

const button = ({ page }: Scene, name: string) => page.getByRole('button', { name, exact: true });
const field = ({ page }: Scene, name: string) => page.getByRole('textbox', { name, exact: true });
const comment = ({ page }: Scene, text: string) => page.locator('article[id^=comment]', { hasText: text });
const first = (scene: Scene) => scene.page.locator('article .text').first();

async function textsOf({ app, server }: Scene): Promise<string[]> {
  const { data } = await server.read(`/api/apps/${app}/comments?top=100`);
  return data.map(({ text = '' }: { text?: string }) => text);
}

/** Unfolds what there is below a comment of one's own. */
async function unfold(scene: Scene, text: string): Promise<void> {
  const { hands, say } = scene;
  await hands.press(comment(scene, text).getByRole('button', { name: say.moreActions, exact: true }));
}

/** The tasks of a visitor, one after the other; each leaves the page as the next one wants it. */
export const tasks: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async read(scene) {
    await comment(scene, 'The question').waitFor();
    const box = await comment(scene, 'The question').boundingBox();
    const width = Number(await scene.page.evaluate('document.documentElement.clientWidth'));
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width);
    assert.equal(await scene.page.evaluate('document.documentElement.scrollWidth'), width);
  },

  async 'see more comments'(scene) {
    await scene.hands.press(button(scene, scene.say.more));
    await comment(scene, 'Comment 1.').waitFor();
    await button(scene, scene.say.more).waitFor({ state: 'detached' });
  },

  async sort(scene) {
    const list = scene.page.getByRole('combobox', { name: scene.say.sort });
    await scene.hands.choose(list, 'oldest', 1);
    await poll(
      'the oldest',
      async () => (await first(scene).textContent())?.includes('Comment 1.') || undefined,
    );
    await scene.hands.choose(list, 'newest', -1);
    await poll(
      'the newest',
      async () => (await first(scene).textContent())?.includes('The question') || undefined,
    );
  },

  async collapse({ page, hands, question }) {
    const fold = page.locator(`#comment-${question} .fold`);
    const answer = page.locator(`#answers-${question} article`).first();
    await hands.press(fold);
    await answer.waitFor({ state: 'hidden' });
    await hands.press(fold);
    await answer.waitFor();
  },

  async 'see more answers'({ page, hands, question }) {
    const answers = page.locator(`#answers-${question} article`);
    assert.equal(await answers.count(), answersAtFirst - 1);
    await hands.press(page.locator(`#answers-${question} .rest`));
    await poll('all answers', async () => (await answers.count()) === answersAtFirst || undefined);
  },

  async 'write and sign in as a guest'(scene) {
    const { page, hands, say } = scene;
    await hands.write(field(scene, say.write), 'From a guest');
    await hands.press(button(scene, say.send));
    await hands.write(page.getByRole('dialog').getByLabel(say.yourName, { exact: true }), freshName());
    await hands.press(button(scene, say.asGuest));
    await comment(scene, 'From a guest').waitFor();
    assert.ok((await textsOf(scene)).includes('From a guest'));
  },

  async answer(scene) {
    const { page, hands, say, question } = scene;
    await hands.press(page.locator(`#comment-${question} [data-act=answer]`));
    await hands.write(field(scene, say.yourAnswer), 'An answer of a guest');
    await hands.press(page.locator(`[data-place=to-${question}] .primary`));
    await comment(scene, 'An answer of a guest').waitFor();
    assert.ok((await textsOf(scene)).includes('An answer of a guest'));
  },

  async edit(scene) {
    const { hands, say } = scene;
    await unfold(scene, 'From a guest');
    await hands.press(button(scene, say.edit));
    await hands.write(field(scene, say.yourEdit), ', changed');
    await hands.press(button(scene, say.save));
    await comment(scene, 'From a guest, changed').waitFor();
    assert.ok((await textsOf(scene)).includes('From a guest, changed'));
  },

  async react(scene) {
    const { page, hands, question, server } = scene;
    await hands.press(page.locator(`#comment-${question} [data-act=react]`));
    await hands.press(page.locator(`#comment-${question} .popover button`).first());
    await page.locator(`#comment-${question} .reactions [aria-pressed=true]`).waitFor();
    await poll('the reaction', async () => {
      const { body } = await server.call('GET', `/api/comments/${question}`);
      return body.reactions.length === 1 || undefined;
    });
  },

  async 'delete and undo, and delete'(scene) {
    const { page, hands, say } = scene;
    const remove = async () => {
      await unfold(scene, 'From a guest, changed');
      await hands.press(button(scene, say.remove));
    };
    await remove();
    await hands.press(button(scene, say.undo));
    await comment(scene, 'From a guest, changed').waitFor();
    assert.ok((await textsOf(scene)).includes('From a guest, changed'));
    await page.locator('[data-act=more][aria-expanded=true]').waitFor({ state: 'detached' });
    await page.clock?.install();
    await remove();
    await button(scene, say.undo).waitFor();
    await page.clock?.fastForward(undoneWithinMs);
    await comment(scene, 'From a guest, changed').waitFor({ state: 'detached' });
    await poll('its end', async () => !(await textsOf(scene)).includes('From a guest, changed') || undefined);
  },

  async report(scene) {
    const { page, hands, say, question, server } = scene;
    await hands.press(page.locator(`#comment-${question} [data-act=more]`));
    await hands.press(button(scene, say.report));
    await hands.write(field(scene, say.reportText), 'For moderators');
    await hands.press(page.locator('.report .primary'));
    await page.getByText(say.reportSent).waitFor();
    const { data } = await server.read(`/api/reports?app=${scene.app}`);
    assert.equal(data[0]?.texts[0]?.text, 'For moderators');
  },

  async 'follow a permanent link'({ page, hands, question }) {
    await hands.press(page.locator(`#comment-${question} .time`));
    await page.locator(`#comment-${question}:focus`).waitFor();
    assert.equal(await page.evaluate('location.hash'), `#comment-${question}`);
  },

  async 'see their data'(scene) {
    const { page, hands, say } = scene;
    await hands.press(page.locator('.account > button'));
    await hands.press(page.getByRole('menuitem', { name: say.myData }));
    const dialog = page.getByRole('dialog', { name: say.myData });
    await dialog.getByText(say.wayGuest).waitFor();
    await hands.press(dialog.getByRole('button', { name: say.close, exact: true }));
    await dialog.waitFor({ state: 'detached' });
  },
};

/** The tasks of a moderator, after those of a visitor. */
export const moderating: typeof tasks = {
  async 'decide about a comment and take it back'(scene) {
    const { page, hands, say, question, server } = scene;
    const at = page.locator(`#comment-${question}`);
    await hands.press(at.getByRole('button', { name: say.moreActions, exact: true }));
    await hands.press(at.getByRole('button', { name: say.hold, exact: true }));
    await hands.press(page.locator('.done').getByRole('button', { name: say.undo }));
    await poll('its approval', async () => {
      const { body } = await server.call('GET', `/api/comments/${question}`);
      return body.is_held !== true || undefined;
    });
  },

  async 'decide about what was reported'(scene) {
    const { page, hands, say, question } = scene;
    await hands.press(page.locator('.desk button').first());
    await hands.press(page.locator('.review').getByRole('button', { name: say.keep, exact: true }));
    await page.getByText(say.nothingToReview).waitFor();
    await hands.press(page.locator('.done').getByRole('button', { name: say.dismiss }));
    await page.locator(`#comment-${question}:focus`).waitFor();
  },

  async 'lock and unlock'(scene) {
    const { page, hands, say } = scene;
    await hands.press(button(scene, say.lock));
    await page.locator('.notice', { hasText: say.locked }).waitFor();
    await hands.press(page.locator('.desk').getByRole('button', { name: say.unlock, exact: true }));
    await page.locator('.notice', { hasText: say.locked }).waitFor({ state: 'detached' });
  },
};

async function fill(ada: Person, app: number): Promise<number> {
  for (let number = 1; number < commentsAtFirst; number += 1)
    await makeComment(ada, app, { text: `Comment ${number}.` });
  const { id } = await makeComment(ada, app, { text: 'The question' });
  for (let number = 1; number <= answersAtFirst; number += 1)
    await makeComment(ada, app, { text: `Answer ${number}.`, reply_to: id });
  return id;
}

/** Where tasks are done: a site, a server that knows it, and what opens a page of the site in a browser. */
export type Ground<Opened extends { readonly page: View }> = Omit<World, 'open'> & {
  readonly open: (opening?: Opening) => Promise<Opened>;
};

/** How the tasks are done. */
export type Manner = { readonly way: Way; readonly screen: Screen; readonly language: Language };

/** The fewest manners in which each way, screen and direction of reading is met. */
export const manners = [
  { way: 'mouse', screen: 'desktop', language: 'en' },
  { way: 'touch', screen: 'phone', language: 'en' },
  { way: 'keyboard', screen: 'phone', language: 'ar' },
] as const satisfies readonly Manner[];

/** Makes a page with comments of Ada, which Mina moderates. Returns what opens it, for a visitor or for Mina. */
export async function preparePage<Opened extends { readonly page: View }>(
  { host, server, open, appFor }: Ground<Opened>,
  { ada, mina }: Readonly<Record<'ada' | 'mina', Person>>,
  { way, screen, language }: Manner,
): Promise<(as?: 'mina') => Promise<Opened & { readonly scene: Scene }>> {
  const path = `/tasks-${way}-${screen}-${language}`;
  const app = await appFor(path, { visitors: 'write' });
  await addMembers(server, app, { moderator: [mina] });
  const question = await fill(ada, app);
  const say = languages[language] as Scene['say'];
  const opening = { path, language, ...screens[screen] };
  return async (as) => {
    const storageState = signedIn({ host, server }, { ...mina, name: 'Mina' });
    const opened = await open(as === undefined ? opening : { ...opening, storageState });
    if (as !== undefined) await opened.page.locator('.desk').waitFor();
    const { page } = opened;
    return { ...opened, scene: { page, hands: handsOf(page, way), say, server, app, question } };
  };
}
