import assert from 'node:assert/strict';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { addMembers, makeApp, makeComment, type Person } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { english } from '../../src/texts/english.ts';
import { moderateEnglish } from '../../src/texts/moderate-english.ts';
import { writingEnglish } from '../../src/texts/writing-english.ts';
import type { Hands } from './hands.ts';
import { type Opening, signedIn } from './page.ts';
import type { Ground } from './task-list.ts';
import type { View } from './view.ts';

/** What users of a product do on several pages, with all elements, in English. Each task opens pages of its own. */

/** A page that is open, and who uses it. `leave` closes it, and fails if anything went wrong in it. */
export type Visited = { readonly page: View; readonly hands: Hands; leave(): Promise<void> };

/** Where users do their tasks, and who they are. */
export type Users = Ground<Visited> & Readonly<Record<'ada' | 'mina' | 'bea', Person>>;

/** How long a comment above what is read becomes, and how far that may move it, in pixels. */
const long = 'Words that say something. '.repeat(12).trim();
const driftMax = 4;

const say = { ...english, ...writingEnglish, ...moderateEnglish };
const named = (page: View, name: string) => page.getByRole('button', { name, exact: true });

/** Opens a page as Bea or Mina, signed in. */
const as = ({ host, server }: Users, person: Person, name: string): Opening => ({
  storageState: signedIn({ host, server }, { ...person, name }),
});

/** The address of the token of a user, as a product has it. */
function tokenUrl({ host }: Users, { token }: Person): string {
  const body = JSON.stringify({ access_token: token });
  return host.serve('/confab-token', { type: 'application/json', body });
}

/** The tasks of users, in any order. */
export const userTasks: Readonly<Record<string, (users: Users) => Promise<void>>> = {
  async 'write with a mention, a file and a preview, with a token of the product'(users) {
    const { open, appFor, server, host, ada, bea } = users;
    const app = await appFor('/product');
    const markup = `<confab-comments token-url="${tokenUrl(users, bea)}"></confab-comments>`;
    await addMembers(server, app, { write: [ada, bea] });
    const { page, hands, leave } = await open({ path: '/product', markup, calls: [host.url] });
    const field = page.getByRole('textbox', { name: say.write, exact: true });
    await hands.write(field, 'Hello @Ad');
    await page.getByRole('option', { name: 'Ada' }).waitFor();
    await page.keyboard.press('Enter');
    await poll('the mention', async () => /^Hello @Ada $/.test(await field.inputValue()) || undefined);
    // Firefox makes no event of pasting that has files.
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['a plan'], 'plan.txt', { type: 'text/plain' }));
      const composer = document.querySelector('confab-comments').shadowRoot.querySelector('confab-composer');
      composer.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await page.locator('.files li', { hasText: 'plan.txt' }).waitFor();
    await page.locator('.files progress').waitFor({ state: 'detached' });
    await hands.press(named(page, say.preview));
    await page.locator('.composer .mention', { hasText: 'Ada' }).waitFor();
    await hands.press(named(page, say.goOn));
    await hands.press(named(page, say.send));
    await page.locator('article[id^=comment] .mention', { hasText: 'Ada' }).waitFor();
    await page.locator('article[id^=comment] .attachments', { hasText: 'plan.txt' }).waitFor();
    const { data } = await server.read(`/api/apps/${app}/comments`);
    assert.equal(data[0]?.created_by_id, bea.id);
    await leave();
  },

  async 'hear of an answer, and go to it'(users) {
    const { host, server, open, bea, mina } = users;
    const app = await makeApp(server, { uid: pageUid(`${host.url}/answered`), access: 'write' });
    const { id } = await makeComment(bea, app.id, { text: 'What do you think?' });
    await makeComment(mina, app.id, { text: 'A thought', reply_to: id });
    const markup = '<confab-notifications></confab-notifications>';
    const { page, hands, leave } = await open({ path: '/elsewhere', markup, ...as(users, bea, 'Bea') });
    await hands.press(named(page, 'Notifications, 1 unread'));
    host.serve('/answered', {
      type: 'text/html',
      body: '<!doctype html><link rel="icon" href="data:,"><p>there</p>',
    });
    const entry = page.getByRole('listitem').filter({ hasText: 'A thought' });
    await hands.press(entry.getByRole('button'));
    await page.getByText('there').waitFor();
    assert.match(await page.evaluate('location.pathname + location.hash'), /^\/answered#comment-\d+$/);
    await leave();
  },

  async 'see how many comments a page has'({ open, appFor, ada }) {
    await makeComment(ada, await appFor('/counted'), { text: 'One' });
    const markup = '<a href="/counted"><confab-count>Comments</confab-count></a>';
    const { page, leave } = await open({ path: '/list', markup });
    await page.locator('confab-count', { hasText: '1 comment' }).waitFor();
    await leave();
  },

  async 'react to what a page is about'(users) {
    const { open, appFor, mina, bea } = users;
    const { id } = await makeComment(mina, await appFor('/announced'), { text: 'We have moved' });
    const markup = `<confab-reactions comment="${id}"></confab-reactions>`;
    const { page, hands, leave } = await open({ path: '/about', markup, ...as(users, bea, 'Bea') });
    await hands.press(page.getByRole('button', { name: '🎉' }));
    await poll('the reaction', async () => {
      const { data } = await bea.read(`/api/comments/${id}/reactions`);
      return data.length === 1 || undefined;
    });
    await leave();
  },

  async 'see what others write, while they read'({ open, appFor, mina }) {
    const app = await appFor('/live');
    const { id } = await makeComment(mina, app, { text: 'A question' });
    const { page, hands, leave } = await open({ path: '/live' });
    await page.locator(`#comment-${id}`).waitFor();
    await makeComment(mina, app, { text: 'An answer that comes', reply_to: id });
    await hands.press(named(page, '1 new reply'));
    await page.locator('article', { hasText: 'An answer that comes' }).waitFor();
    await makeComment(mina, app, { text: 'A comment that comes' });
    await hands.press(named(page, '1 new comment'));
    await page.locator('article', { hasText: 'A comment that comes' }).waitFor();
    await leave();
  },

  async 'read on where they are while a comment above becomes longer'({ open, appFor, mina }) {
    const app = await appFor('/read');
    const ids: number[] = [];
    for (let number = 0; number < 16; number += 1)
      ids.push((await makeComment(mina, app, { text: `Thread ${number}` })).id);
    const [read = 0, above = 0] = ids.slice(8);
    const { page, leave } = await open({ path: '/read', viewport: { width: 900, height: 700 } });
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
    await leave();
  },

  async 'approve what waits, and move a comment to the trash'(users) {
    const { open, appFor, server, ada, mina } = users;
    const app = await appFor('/queue');
    await addMembers(server, app, { moderator: [mina] });
    const shown = await makeComment(ada, app, { text: 'A doubtful comment' });
    await server.call('PATCH', `/api/apps/${app}`, { approval: 'everything' });
    const held = await makeComment(ada, app, { text: 'Waits' });
    const { page, hands, leave } = await open({ path: '/queue', ...as(users, mina, 'Mina') });
    await hands.press(page.locator('.desk button').first());
    await hands.press(page.locator('.review').getByRole('button', { name: say.approve, exact: true }));
    await page.getByText(say.nothingToReview).waitFor();
    const { is_held: isHeld } = await server.read(`/api/comments/${held.id}`);
    assert.notEqual(isHeld, true);
    const doubtful = page.locator(`#comment-${shown.id}`);
    await hands.press(doubtful.getByRole('button', { name: say.moreActions, exact: true }));
    await hands.press(doubtful.getByRole('button', { name: say.trash, exact: true }));
    await page.locator('.done', { hasText: 'to trash' }).waitFor();
    const { data } = await server.read(`/api/apps/${app}/comments`);
    assert.deepEqual(
      data.map(({ text = '' }) => text),
      ['Waits'],
    );
    await leave();
  },
};
