import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { guests, useWorld } from '../page.ts';

const { server, open, appFor } = useWorld(guests);
const [ada, bob] = usePeople(server, 'Ada Lovelace', 'Bob');

// What is read says no more than what is known, and stands where a reader looks for it.
describe('reading', { concurrency: 3 }, () => {
  test('counts all replies below a comment, or does not count them while some are not loaded', async () => {
    const app = await appFor('/replies');
    let last = (await makeComment(ada, app, { text: 'The first' })).id;
    for (let written = 1; written <= 8; written += 1)
      last = (await makeComment(bob, app, { text: `Level ${written}`, reply_to: last })).id;
    const { page, faults, context } = await open({ path: '/replies' });
    const folds = page.locator('.fold');
    await folds.first().waitFor();
    assert.deepEqual(await folds.allInnerTexts(), ['8 replies', 'Replies', 'Replies']);
    // Neither a minus nor a plus, which a number follows.
    const marks = await folds.evaluateAll((all: any[]) =>
      all.map((each) => each.ownerDocument.defaultView.getComputedStyle(each, '::before').content),
    );
    for (const mark of marks) assert.doesNotMatch(mark, /[-−+\d]/);
    await page.getByRole('button', { name: 'Show 5 more replies' }).click();
    await page.locator('article', { hasText: 'Level 8' }).waitFor();
    assert.deepEqual(await folds.allInnerTexts(), ['8 replies', '7 replies', '6 replies']);
    await folds.nth(1).click();
    assert.equal(await page.locator('article', { hasText: 'Level 2' }).isVisible(), false);
    await keepPicture(page, 'elements-folded');
    assert.deepEqual(faults, []);
    await context.close();
  });
});
