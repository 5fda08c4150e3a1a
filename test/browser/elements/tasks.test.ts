import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { english } from '../../../elements/src/texts/english.ts';
import { texts as arabic } from '../../../elements/src/texts/languages/ar.ts';
import { moderateEnglish } from '../../../elements/src/texts/moderate-english.ts';
import { signInEnglish } from '../../../elements/src/texts/sign-in-english.ts';
import { unfoldingEnglish } from '../../../elements/src/texts/unfolding-english.ts';
import { writingEnglish } from '../../../elements/src/texts/writing-english.ts';
import { addMembers, makeComment, usePeople } from '../../support/fixtures.ts';
import { poll } from '../../support/poll.ts';
import { freshName } from '../../support/visitors.ts';
import { keepPicture } from '../browser.ts';
import { type Hands, handsOf, screens, type Way, ways } from './hands.ts';
import { guests, signedIn, useWorld } from './page.ts';

const languages = {
  en: { ...english, ...writingEnglish, ...signInEnglish, ...unfoldingEnglish, ...moderateEnglish },
  ar: arabic,
} as const;
type Language = keyof typeof languages;
type Screen = keyof typeof screens;

/** `ELEMENTS_TASKS=all` tries each way on each screen in each language; otherwise every two of these meet once. */
const meets = (way: Way, screen: Screen, language: Language): boolean =>
  process.env.ELEMENTS_TASKS === 'all' ||
  (way === 'mouse') === ((screen === 'desktop') === (language === 'en'));

/** What somebody has who does the tasks: the page, their hands, the words of the language, and the app. */
type Scene = {
  readonly page: Page;
  readonly hands: Hands;
  readonly say: (typeof languages)['en'];
  readonly app: number;
  /** The newest comment of the page, of Ada, which has four answers. */
  readonly question: number;
};

/** How many comments are on the page at first; more than a page has. */
const commentsAtFirst = 27;
const answersAtFirst = 4;

// Whatever people hold in their hands, and whichever way they read, each task can be done to its end.
describe('each task in <confab-comments>', () => {
  const { host, server, open, appFor } = useWorld(guests);
  const [ada, mina] = usePeople(server, 'Ada', 'Mina');

  const button = ({ page }: Scene, name: string) => page.getByRole('button', { name, exact: true });
  const field = ({ page }: Scene, name: string) => page.getByRole('textbox', { name, exact: true });
  const comment = ({ page }: Scene, text: string) => page.locator('article[id^=comment]', { hasText: text });
  const first = (scene: Scene) => scene.page.locator('article .text').first();

  async function textsOf({ app }: Scene): Promise<string[]> {
    const { data } = await server.read(`/api/apps/${app}/comments?top=100`);
    return data.map(({ text = '' }: { text?: string }) => text);
  }

  /** Unfolds what there is below a comment of one's own. */
  async function unfold(scene: Scene, text: string): Promise<void> {
    const { hands, say } = scene;
    await hands.press(comment(scene, text).getByRole('button', { name: say.moreActions, exact: true }));
  }

  /** The tasks, one after the other; each leaves the page as the next one wants it. */
  const tasks: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
    async read(scene) {
      await comment(scene, 'The question').waitFor();
      const box = await comment(scene, 'The question').boundingBox();
      const width = scene.page.viewportSize()?.width ?? 0;
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
      const { page, hands, question } = scene;
      await hands.press(page.locator(`#comment-${question} [data-act=react]`));
      await hands.press(page.locator(`#comment-${question} .emojis button`).first());
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
      await remove();
      await comment(scene, 'From a guest, changed').waitFor({ state: 'detached' });
      await poll(
        'its end',
        async () => !(await textsOf(scene)).includes('From a guest, changed') || undefined,
      );
    },

    async report(scene) {
      const { page, hands, say, question } = scene;
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
      assert.equal(new URL(page.url()).hash, `#comment-${question}`);
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

  /** The tasks of a moderator. */
  const moderating: typeof tasks = {
    async 'decide about a comment and take it back'(scene) {
      const { page, hands, say, question } = scene;
      const at = page.locator(`#comment-${question}`);
      await hands.press(at.getByRole('button', { name: say.moderate, exact: true }));
      await hands.press(at.getByRole('button', { name: say.hold, exact: true }));
      await hands.press(page.locator('.done').getByRole('button', { name: say.undo }));
      await at.getByRole('button', { name: say.moderate, exact: true }).waitFor();
      const { body } = await server.call('GET', `/api/comments/${question}`);
      assert.equal(body.is_held ?? false, false);
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

  async function fill(app: number): Promise<number> {
    for (let number = 1; number < commentsAtFirst; number += 1)
      await makeComment(ada, app, { text: `Comment ${number}.` });
    const { id } = await makeComment(ada, app, { text: 'The question' });
    for (let number = 1; number <= answersAtFirst; number += 1)
      await makeComment(ada, app, { text: `Answer ${number}.`, reply_to: id });
    return id;
  }

  for (const way of ways)
    for (const screen of Object.keys(screens) as Screen[])
      for (const language of Object.keys(languages) as Language[])
        if (meets(way, screen, language))
          test(`by ${way} on a ${screen} in ${language}`, async () => {
            const path = `/tasks-${way}-${screen}-${language}`;
            const app = await appFor(path, { visitors: 'write' });
            await addMembers(server, app, { moderator: [mina] });
            const question = await fill(app);
            const say = languages[language] as (typeof languages)['en'];
            const opening = { path, language, ...screens[screen] };
            const visit = async (storageState?: ReturnType<typeof signedIn>) => {
              const opened = await open({
                ...opening,
                ...(storageState === undefined ? {} : { storageState }),
              });
              return {
                ...opened,
                scene: { page: opened.page, hands: handsOf(opened.page, way), say, app, question },
              };
            };
            const guest = await visit();
            for (const [name, task] of Object.entries(tasks)) await step(name, () => task(guest.scene));
            await keepPicture(guest.page, `elements-tasks-${way}-${screen}-${language}`);
            assert.deepEqual(guest.faults, []);
            await guest.context.close();

            const moderator = await visit(signedIn({ host, server }, { ...mina, name: 'Mina' }));
            await moderator.page.locator('.desk').waitFor();
            for (const [name, task] of Object.entries(moderating))
              await step(name, () => task(moderator.scene));
            assert.deepEqual(moderator.faults, []);
            await moderator.context.close();
          });
});

/** Says which task it was that failed. */
async function step(name: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    throw new Error(`the task "${name}" cannot be done: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
