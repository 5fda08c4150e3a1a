import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { usePeople } from 'confab-testing/fixtures.ts';
import { screens, type Way, ways } from '../hands.ts';
import { guests, useWorld } from '../page.ts';
import { type Language, languages, moderating, preparePage, type Screen, tasks } from '../task-list.ts';

/**
 * `ELEMENTS_TASKS=all` tries each way on each screen in each language; otherwise every two of these meet once. By mouse on a
 * desktop in English they meet in `tasks.test.ts`.
 */
const meets = (way: Way, screen: Screen, language: Language): boolean =>
  process.env.ELEMENTS_TASKS === 'all' ||
  ((way === 'mouse') === ((screen === 'desktop') === (language === 'en')) &&
    !(way === 'mouse' && screen === 'desktop'));

// Whatever people hold in their hands, and whichever way they read, each task can be done to its end.
describe('each task in <confab-comments>', { concurrency: 2 }, () => {
  const world = useWorld(guests);
  const [ada, mina] = usePeople(world.server, 'Ada', 'Mina');

  for (const way of ways)
    for (const screen of Object.keys(screens) as Screen[])
      for (const language of Object.keys(languages) as Language[])
        if (meets(way, screen, language))
          test(`by ${way} on a ${screen} in ${language}`, async () => {
            const visit = await preparePage(world, { ada, mina }, { way, screen, language });
            const guest = await visit();
            for (const [name, task] of Object.entries(tasks)) await step(name, () => task(guest.scene));
            await keepPicture(guest.page, `elements-tasks-${way}-${screen}-${language}`);
            assert.deepEqual(guest.faults, []);
            await guest.context.close();

            const moderator = await visit('mina');
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
