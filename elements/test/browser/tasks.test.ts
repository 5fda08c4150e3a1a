import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { makeApp, makeComment, type Person, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { before } from 'confab-testing/server.ts';
import { guests, signedIn, useWorld } from './page.ts';
import { moderating, preparePage, tasks } from './task-list.ts';

type Visit = Awaited<ReturnType<Awaited<ReturnType<typeof preparePage>>>>;

/** How long a comment above what is read becomes, and how far that may move it, in pixels. */
const long = 'Words that say something. '.repeat(12).trim();
const driftMax = 4;

// Each task of the elements can be done, by mouse on a desktop. The other files try them in all ways and under all conditions.
describe('the tasks of the elements', () => {
  const world = useWorld(guests);
  const { host, server, open, appFor } = world;
  const [ada, mina, bea] = usePeople(server, 'Ada', 'Mina', 'Bea');
  const as = (person: Person) => ({ storageState: signedIn({ host, server }, { ...person, name: 'Bea' }) });

  describe('in <confab-comments>', () => {
    let visit: Awaited<ReturnType<typeof preparePage>>;
    let opened: Visit;

    /** Has each task be done on one page, opened by a visitor or by Mina. */
    function allOf(list: typeof tasks, as?: 'mina'): void {
      before(async () => {
        visit ??= await preparePage(
          world,
          { ada, mina },
          { way: 'mouse', screen: 'desktop', language: 'en' },
        );
        opened = await visit(as);
      });
      for (const [name, task] of Object.entries(list))
        test(name, async () => {
          await task(opened.scene);
          assert.deepEqual(opened.faults, []);
        });
      after(() => opened.context.close());
    }

    describe('as a visitor', () => allOf(tasks));
    describe('as a moderator', () => allOf(moderating, 'mina'));
  });

  test('hear of an answer, and go to it', async () => {
    const app = await makeApp(server, { uid: pageUid(`${host.url}/answered`), access: 'write' });
    const { id } = await makeComment(bea, app.id, { text: 'What do you think?' });
    await makeComment(mina, app.id, { text: 'A thought', reply_to: id });
    const markup = '<confab-notifications></confab-notifications>';
    const { page, faults, context } = await open({ path: '/elsewhere', markup, ...as(bea) });
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    host.serve('/answered', {
      type: 'text/html',
      body: '<!doctype html><link rel="icon" href="data:,">there',
    });
    await page.getByRole('listitem').filter({ hasText: 'A thought' }).getByRole('button').click();
    await page.waitForURL(/\/answered#comment-\d+$/);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('see how many comments a page has', async () => {
    await makeComment(ada, await appFor('/counted'), { text: 'One' });
    const markup = '<a href="/counted"><confab-count>Comments</confab-count></a>';
    const { page, faults, context } = await open({ path: '/list', markup });
    await page.locator('confab-count', { hasText: '1 comment' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('react to what a page is about', async () => {
    const { id } = await makeComment(mina, await appFor('/announced'), { text: 'We have moved' });
    const markup = `<confab-reactions comment="${id}"></confab-reactions>`;
    const { page, faults, context } = await open({ path: '/about', markup, ...as(bea) });
    await page.getByRole('button', { name: /🎉/ }).click();
    await poll('the reaction', async () => {
      const { data } = await bea.read(`/api/comments/${id}/reactions`);
      return data.length === 1 || undefined;
    });
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('read on where they are while a comment above becomes longer', async () => {
    const app = await appFor('/read');
    const ids: number[] = [];
    for (let number = 0; number < 16; number += 1)
      ids.push((await makeComment(mina, app, { text: `Thread ${number}` })).id);
    const [read = 0, above = 0] = ids.slice(8);
    const { page, faults, context } = await open({ path: '/read', viewport: { width: 900, height: 700 } });
    const article = page.locator(`#comment-${read}`);
    const top = () => article.evaluate((each: any) => each.getBoundingClientRect().top as number);
    await article.waitFor();
    // So that the end of the comment above is still seen.
    await article.evaluate((each: any) =>
      each.ownerDocument.defaultView.scrollBy(0, -40 + each.getBoundingClientRect().top),
    );
    const place = await top();
    await mina.call('PATCH', `/api/comments/${above}`, { text: long });
    await page.locator(`#comment-${above}`, { hasText: long }).waitFor({ state: 'attached' });
    assert.ok(Math.abs((await top()) - place) <= driftMax, `from ${place} to ${await top()}`);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
