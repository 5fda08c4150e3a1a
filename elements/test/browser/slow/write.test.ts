import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { look, type Mode, setMode } from 'confab-testing/browser/looks.ts';
import { makeApp, makeComment, makeUser, type Person, usePeople } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { signInGuest } from 'confab-testing/visitors.ts';
import type { Page } from 'playwright-core';
import { undoneWithinMs } from '../hands.ts';
import { drawGround, type ElementPage, guests, type Opening, useWorld } from '../page.ts';

/** What is kept of a session in the storage of a page. */
type Session = { readonly access_token: string; readonly user: object };

const phone = { width: 360, height: 800 };
const phoneByDay: Mode = { colorScheme: 'light', viewport: phone };
const phoneByNight: Mode = { colorScheme: 'dark', viewport: phone };
const desktopByNight: Mode = { colorScheme: 'dark', viewport: { width: 1200, height: 800 } };

// Writing in a page of another origin under the strictest policy: what somebody types is never lost and never sent twice.
describe('writing in <confab-comments>', () => {
  const world = useWorld(guests);
  const { host, server } = world;
  const [ada] = usePeople(server, 'Ada');
  let pages = 0;

  /** An app for a page of its own, in which visitors write. */
  async function freshApp(fields: object = {}): Promise<{ path: string; app: number }> {
    pages += 1;
    const path = `/write-${pages}`;
    const uid = pageUid(host.url + path);
    const { id } = await makeApp(server, { uid, access: 'write', visitors: 'write', ...fields });
    return { path, app: id };
  }

  /** Opens a page, where there is a session as somebody who has signed in there before. */
  async function open(opening: Opening, session?: Session): Promise<ElementPage> {
    if (session === undefined) return await world.open(opening);
    const kept = JSON.stringify({ expires_in: 3600, ...session, issuedAt: Date.now() });
    const script = `if (location.origin !== 'null') localStorage.setItem(${JSON.stringify(`confab ${server.url}/`)}, ${JSON.stringify(kept)})`;
    const prepare = (page: Page) => page.addInitScript(script);
    return await world.open({ ...opening, prepare });
  }

  const asUser = ({ token, id }: Person): Session => ({
    access_token: token,
    user: { id, display_name: 'Ada' },
  });

  /** The texts of an app's comments as the server has them. */
  async function textsOf(app: number): Promise<string[]> {
    const { data } = await server.read(`/api/apps/${app}/comments?top=100`);
    return data.map(({ text }: { text: string }) => text);
  }

  const field = (page: Page, name = 'Write a comment') => page.getByRole('textbox', { name });
  const article = (page: Page, text: string) => page.locator('article', { hasText: text });

  test('sends a comment and an answer, by keyboard alone', async () => {
    const { path, app } = await freshApp();
    const guest = await signInGuest(server);
    const { page, faults, context } = await open({ path }, guest);
    await field(page).focus();
    await page.keyboard.type('First, with **weight**');
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await keepPicture(page, 'elements-write');
    await page.keyboard.press('Control+Enter');
    await article(page, 'First, with weight').waitFor();
    assert.equal(await field(page).inputValue(), '');

    await article(page, 'First, with weight').getByRole('button', { name: 'Reply' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('textarea[aria-label="Your reply"]:focus').waitFor();
    await page.keyboard.type('An answer');
    await page.keyboard.press('Control+Enter');
    await page.locator('article:focus', { hasText: 'An answer' }).waitFor();
    // It stands there while it is being sent, and has an id once the server has it.
    await page.locator('article[id^=comment]', { hasText: 'An answer' }).waitFor();
    assert.deepEqual(await textsOf(app), ['First, with **weight**', 'An answer']);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('asks to sign in when a comment is sent, and then sends it by itself', async () => {
    const { path, app } = await freshApp();
    const { page, faults, context } = await open({ path });
    const guest = await signInGuest(server);
    const kept = JSON.stringify(guest);
    await page.evaluate(`{
      const comments = document.querySelector('confab-comments');
      comments.signIn = async () => {
        comments.server.session.keep({ ...${kept}, issuedAt: Date.now() });
        return true;
      };
    }`);
    await field(page).click();
    await page.keyboard.type('From somebody new');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('article[id^=comment]', { hasText: 'From somebody new' }).waitFor();
    assert.deepEqual(await textsOf(app), ['From somebody new']);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('keeps what is typed over a reload, and what is sent until the server has it', async () => {
    const { path, app } = await freshApp();
    const { page, context } = await open({ path }, await signInGuest(server));
    await field(page).click();
    await page.keyboard.type('Half a thought');
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await page.reload();
    await poll('the draft', async () =>
      (await field(page).inputValue()) === 'Half a thought' ? true : undefined,
    );

    // The first answer is lost on its way; the server has the comment all the same.
    let tries = 0;
    await page.route(`${server.url}/api/apps/*/comments`, async (route) => {
      if (route.request().method() !== 'POST') return await route.continue();
      tries += 1;
      if (tries > 1) return await route.continue();
      await route.fetch();
      await route.abort();
    });
    await field(page).focus();
    await page.keyboard.press('Control+Enter');
    await page.locator('article[id^=comment]', { hasText: 'Half a thought' }).waitFor();
    await page.locator('.unsent').waitFor({ state: 'detached' });
    assert.ok(tries > 1);
    assert.deepEqual(await textsOf(app), ['Half a thought']);
    assert.deepEqual(
      await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('confab-write'))),
      [],
    );
    await context.close();
  });

  /** Signs somebody in on a page as another tab would, or ends a session as the server would. */
  const keep = (page: Page, session: Session | undefined) =>
    page.evaluate(
      `document.querySelector('confab-comments').server.session.keep(${JSON.stringify(session && { expires_in: 3600, ...session, issuedAt: Date.now() })})`,
    );

  async function signOut(page: Page): Promise<void> {
    await page.locator('confab-account .who').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.locator('confab-account .who').waitFor({ state: 'detached' });
  }

  /** All that the page has kept of writing. */
  const keptWords = (page: Page) =>
    page.evaluate(() =>
      Object.entries(localStorage)
        .filter(([name]) => name.startsWith('confab-write'))
        .join('\n'),
    );

  test('sends what waits as its author alone, and shows it to nobody else who signs in on the page', async () => {
    const { path, app } = await freshApp();
    const bob = await makeUser(server, { name: 'Bob' });
    const asBob = { ...asUser(bob), user: { id: bob.id, display_name: 'Bob' } };
    const { page, context } = await open({ path });
    await field(page).waitFor();
    await keep(page, asUser(ada));
    let isAway = true;
    await page.route(`${server.url}/api/apps/*/comments`, async (route) => {
      if (isAway && route.request().method() === 'POST') {
        // The server has it, and its answer is lost.
        await route.fetch();
        await route.abort();
      } else await route.continue();
    });
    await field(page).click();
    await page.keyboard.type('Said by Ada');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const unsent = page.locator('.unsent', { hasText: 'Said by Ada' });
    await unsent.getByText("The server can't be reached.").waitFor();
    await field(page).fill('Thought by Ada');
    await poll('the draft', async () => (await keptWords(page)).includes('Thought by Ada') || undefined);

    await signOut(page);
    await unsent.waitFor({ state: 'detached' });
    assert.equal(await field(page).inputValue(), '');
    assert.doesNotMatch(await keptWords(page), /Thought by Ada/);
    isAway = false;
    await keep(page, asBob);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await field(page).fill('Said by Bob');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('article[id^=comment]', { hasText: 'Said by Bob' }).waitFor();
    assert.equal(await unsent.count(), 0);
    const authors = async () => {
      const { data } = await server.read(`/api/apps/${app}/comments?expand=created_by`);
      return data.map((each: any) => `${each.created_by.display_name}: ${each.text}`);
    };
    assert.deepEqual(await authors(), ['Ada: Said by Ada', 'Bob: Said by Bob']);

    await signOut(page);
    await keep(page, asUser(ada));
    await unsent.getByRole('button', { name: 'Try again' }).click();
    await unsent.waitFor({ state: 'detached' });
    assert.deepEqual(await authors(), ['Ada: Said by Ada', 'Bob: Said by Bob']);
    assert.equal(await field(page).inputValue(), '');
    await context.close();
  });

  test('keeps what is typed before signing in and over the end of a session, for its author alone', async () => {
    const { path } = await freshApp();
    const guest = await signInGuest(server);
    const bob = await makeUser(server, { name: 'Bob' });
    const { page, context } = await open({ path });
    const shows = (text: string) =>
      poll(`"${text}"`, async () => (await field(page).inputValue()) === text || undefined);
    await field(page).click();
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await page.keyboard.type('Typed by a reader');
    await keep(page, guest as Session);
    await page.locator('confab-account .who').waitFor();
    await shows('Typed by a reader');
    await page.reload();
    await shows('Typed by a reader');
    // The session ends: its author is still there, and nobody else.
    await keep(page, undefined);
    await page.locator('confab-account .who').waitFor({ state: 'detached' });
    await shows('Typed by a reader');
    await keep(page, { ...asUser(bob), user: { id: bob.id, display_name: 'Bob' } });
    await shows('');
    await page.reload();
    await page.locator('confab-account .who').waitFor();
    await shows('');
    await keep(page, guest as Session);
    await shows('Typed by a reader');
    assert.doesNotMatch(await keptWords(page), /by-nobody/);
    await context.close();
  });

  test('keeps a comment that is refused, with the reason, and lets its author change it', async () => {
    const { path, app } = await freshApp();
    const { page, context } = await open({ path }, await signInGuest(server));
    await field(page).click();
    await page.keyboard.type('Too late');
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    const locked = await server.call('POST', `/api/apps/${app}/lock`, {});
    assert.equal(locked.status, 200, locked.text);
    await page.keyboard.press('Control+Enter');
    const unsent = page.locator('.unsent', { hasText: 'Too late' });
    await unsent.getByText('only moderators still write here').waitFor();
    await keepPicture(page, 'elements-refused');
    await server.call('POST', `/api/apps/${app}/unlock`);
    await unsent.getByRole('button', { name: 'Try again' }).click();
    await page.locator('article[id^=comment]', { hasText: 'Too late' }).waitFor();
    assert.deepEqual(await textsOf(app), ['Too late']);
    await context.close();
  });

  test('edits, and shows both texts where somebody else has changed it', async () => {
    const { path, app } = await freshApp();
    const comment = await makeComment(ada, app, { text: 'One' });
    const { page, context } = await open({ path }, asUser(ada));
    await article(page, 'One').getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const edited = field(page, 'Your comment');
    await edited.fill('Two');
    await ada.call('PATCH', `/api/comments/${comment.id}`, { text: 'Three' });
    await edited.press('Control+Enter');
    await page.getByText('This comment was edited elsewhere').first().waitFor();
    await page.locator('.theirs', { hasText: 'Three' }).waitFor();
    await keepPicture(page, 'elements-conflict');
    await page.getByRole('button', { name: 'Save mine anyway' }).click();
    await page.locator('article:focus', { hasText: 'Two' }).waitFor();
    assert.deepEqual(await textsOf(app), ['Two']);
    await article(page, 'Two').getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Earlier versions' }).click();
    await page.locator('.versions del', { hasText: 'Three' }).waitFor();
    await keepPicture(page, 'elements-versions');
    await context.close();
  });

  test('deletes with an undo', async () => {
    const { path, app } = await freshApp();
    const guest = await signInGuest(server);
    await makeComment(server.as(guest.access_token), app, { text: 'Stays' });
    const { page, context } = await open({ path }, guest);
    const remove = async () => {
      await article(page, 'Stays').getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    await page.locator('button:focus', { hasText: 'Undo' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('article:focus', { hasText: 'Stays' }).waitFor();
    assert.deepEqual(await textsOf(app), ['Stays']);
    await page.getByRole('button', { name: 'Delete' }).waitFor({ state: 'detached' });
    await page.clock.install();
    await remove();
    await page.locator('button:focus', { hasText: 'Undo' }).waitFor();
    await page.clock.fastForward(undoneWithinMs);
    await article(page, 'Stays').waitFor({ state: 'detached' });
    await poll('its end', async () => ((await textsOf(app)).length === 0 ? true : undefined));
    await context.close();
  });

  test('reacts, shows the counts at once, and knows the own reaction after a reload', async () => {
    const { path, app } = await freshApp();
    await makeComment(ada, app, { text: 'Like this' });
    const { page, faults, context } = await open({ path }, await signInGuest(server));
    await article(page, 'Like this').getByRole('button', { name: 'React' }).click();
    await page.getByRole('button', { name: 'React with' }).first().click();
    const own = article(page, 'Like this').locator('.reactions button[aria-pressed=true]');
    await own.waitFor();
    await poll('the reaction', async () => {
      const { data } = await server.read(`/api/apps/${app}/comments`);
      return data[0]?.reactions.length === 1 ? true : undefined;
    });
    await page.reload();
    await own.click();
    await own.waitFor({ state: 'detached' });
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('keeps an answer in another tab, and empties its field once this one has sent it', async () => {
    const { path, app } = await freshApp();
    await makeComment(ada, app, { text: 'A question' });
    const { page, context } = await open({ path }, await signInGuest(server));
    await article(page, 'A question').getByRole('button', { name: 'Reply' }).click();
    const answer = field(page, 'Your reply');
    await answer.fill('The answer');
    const other = await context.newPage();
    await other.goto(page.url());
    await poll('the draft in the other tab', async () =>
      (await field(other, 'Your reply').inputValue()) === 'The answer' ? true : undefined,
    );
    await answer.press('Control+Enter');
    await page.locator('article[id^=comment]', { hasText: 'The answer' }).waitFor();
    await poll('the field to be empty', async () =>
      (await field(other, 'Your reply').inputValue()) === '' ? true : undefined,
    );
    assert.deepEqual((await textsOf(app)).toSorted(), ['A question', 'The answer']);
    await context.close();
  });

  test('shows a preview, completes emoji and people, and takes files', async () => {
    const { path, app } = await freshApp();
    const { page, faults, context } = await open({ path }, asUser(ada));
    await field(page).click();
    await page.getByRole('button', { name: 'Add a file' }).waitFor();
    await page.keyboard.type('Hello @Ad');
    await page.getByRole('option', { name: 'Ada' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(':tad');
    await page.getByRole('option', { name: 'tada' }).waitFor();
    await look(page, 'elements-choices');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('bold');
    assert.match(await field(page).inputValue(), /^Hello @Ada 🎉 \*\*bold\*\*$/);

    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(['a plan'], 'plan.txt', { type: 'text/plain' }));
      const composer = document.querySelector('confab-comments').shadowRoot.querySelector('confab-composer');
      composer.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
    await page.locator('.files li', { hasText: 'plan.txt' }).waitFor();
    await page.locator('.files progress').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.composer strong', { hasText: 'bold' }).waitFor();
    await look(page, 'elements-preview');
    await page.getByRole('button', { name: 'Back to editing' }).click();
    await page.keyboard.press('Control+Enter');
    await page.locator('article[id^=comment] .mention', { hasText: 'Ada' }).waitFor();
    await page.locator('article[id^=comment] .attachments', { hasText: 'plan.txt' }).waitFor();
    assert.equal((await textsOf(app)).length, 1);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('votes, and reports with a reason', async () => {
    const { path, app } = await freshApp();
    const bob = await makeUser(server, { name: 'Bob' });
    const options = [{ text: 'Tea' }, { text: 'Coffee' }];
    await makeComment(bob, app, { text: 'Which one?', options });
    const { page, faults, context } = await open({ path }, asUser(ada));
    await page.getByRole('button', { name: 'Tea' }).click();
    await page.getByRole('button', { name: 'Tea', pressed: true }).waitFor();
    await page.getByText('1 vote', { exact: true }).waitFor();
    await article(page, 'Which one?').getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Report' }).click();
    await page.getByRole('radio', { name: 'Something else' }).check();
    await page.getByRole('textbox', { name: 'What moderators should know' }).fill('No question');
    await look(page, 'elements-report');
    await page.locator('form').getByRole('button', { name: 'Report' }).click();
    await page.getByText('Moderators will take a look.').waitFor();
    const { data } = await server.read('/api/reports');
    assert.equal(data[0]?.texts[0]?.text, 'No question');
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('shows its author that a comment waits for approval', async () => {
    const { path, app } = await freshApp({ approval: 'guests' });
    const guest = await signInGuest(server);
    const { page, faults, context } = await open({ path }, guest);
    await field(page).click();
    await page.keyboard.type('May I?');
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    const held = article(page, 'May I?').locator('.notice', { hasText: 'Waiting for approval.' });
    await held.waitFor();
    await page.getByText('It is waiting for approval.').waitFor();
    await page.reload();
    await held.waitFor();
    // Another device of theirs finds it in the list, once, and a reader does not.
    const device = await open({ path }, guest);
    await article(device.page, 'May I?').locator('.notice', { hasText: 'Waiting for approval.' }).waitFor();
    for (const each of [page, device.page]) assert.equal(await article(each, 'May I?').count(), 1);
    await device.page.getByText('1 comment', { exact: true }).waitFor();
    assert.deepEqual(device.faults, []);
    await device.context.close();
    const reader = await open({ path });
    await reader.page.getByText('No comments yet.').first().waitFor();
    await reader.context.close();
    assert.deepEqual(await textsOf(app), []);
    const { data } = await server.read('/api/reports?held=true');
    assert.equal((await server.call('POST', `/api/comments/${data[0]?.entity.id}/approve`)).status, 200);
    await page.reload();
    await article(page, 'May I?').waitFor();
    assert.equal(await held.count(), 0);
    const reply = { text: 'You may', reply_to: data[0]?.entity.id };
    await server.create(`/api/apps/${app}/comments`, reply);
    await article(page, 'May I?').getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = field(page, 'Your comment');
    await edit.fill('May I, please?');
    await edit.press('Control+Enter');
    const edited = article(page, 'May I, please?').locator('.notice', { hasText: 'Waiting for approval.' });
    await edited.waitFor();
    assert.deepEqual(await textsOf(app), ['You may']);
    await page.reload();
    await edited.waitFor();
    await article(page, 'You may').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('makes the comments of a page that has none, for users', async () => {
    const path = '/write-first';
    const { page, context } = await open({ path }, asUser(ada));
    await field(page).click();
    await page.keyboard.type('The first of all');
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.locator('article[id^=comment]', { hasText: 'The first of all' }).waitFor();
    const { id } = await server.read(`/api/apps/${encodeURIComponent(pageUid(host.url + path) ?? '')}`);
    assert.deepEqual(await textsOf(id), ['The first of all']);
    await context.close();
  });

  test('sends what was written without a connection once there is one', async () => {
    const { path, app } = await freshApp();
    const { page, context } = await open({ path }, await signInGuest(server));
    await field(page).click();
    await page.getByRole('button', { name: 'Comment', exact: true }).waitFor();
    await context.setOffline(true);
    await page.keyboard.type('From a tunnel');
    await page.keyboard.press('Control+Enter');
    const unsent = page.locator('.unsent', { hasText: 'From a tunnel' });
    await unsent.getByText("The server can't be reached.").waitFor();
    await context.setOffline(false);
    await page.locator('article[id^=comment]', { hasText: 'From a tunnel' }).waitFor();
    await unsent.waitFor({ state: 'detached' });
    assert.deepEqual(await textsOf(app), ['From a tunnel']);
    await context.close();
  });

  test('asks to sign in for an answer and a reaction, and goes on with both', async () => {
    const { path, app } = await freshApp();
    await makeComment(ada, app, { text: 'A question' });
    const { page, faults, context } = await open({ path });
    const kept = JSON.stringify(await signInGuest(server));
    await page.evaluate(`{
      const comments = document.querySelector('confab-comments');
      comments.signIn = async () => {
        comments.server.session.keep({ ...${kept}, issuedAt: Date.now() });
        return true;
      };
    }`);
    const question = article(page, 'A question');
    await question.getByRole('button', { name: 'Reply' }).click();
    await page.locator('textarea[aria-label="Your reply"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-act=answer]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('textarea[aria-label="Your reply"]:focus').waitFor();
    await page.keyboard.type('An answer of a guest');
    await page.keyboard.press('Control+Enter');
    await page.locator('article[id^=comment]', { hasText: 'An answer of a guest' }).waitFor();
    await question.first().getByRole('button', { name: 'React' }).click();
    await page.getByRole('button', { name: 'React with' }).first().click();
    await page.locator('.reactions button[aria-pressed=true]').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('shows no field where nobody may write', async () => {
    const { path, app } = await freshApp({ visitors: 'read' });
    await makeComment(ada, app, { text: 'Only to read' });
    const { page, faults, context } = await open({ path });
    await article(page, 'Only to read').waitFor();
    assert.equal(await page.locator('confab-composer').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Reply' }).count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  for (const [language, looks] of [
    ['en', { 'light-360': phoneByDay, 'dark-1200': desktopByNight }],
    ['ar', { 'dark-360': phoneByNight }],
  ] as const)
    test(`is accessible in ${language}`, async () => {
      const { path, app } = await freshApp();
      const { id } = await makeComment(ada, app, { text: 'The tea is ready, and there is **cake**.' });
      await ada.call('POST', `/api/comments/${id}/reactions`, { content: '🎉' });
      const guest = await signInGuest(server);
      await makeComment(server.as(guest.access_token), app, { text: 'Mine' });
      const { page, faults, context } = await open({ path, language }, guest);
      await drawGround(page);
      await page.locator('[data-act=answer]').last().click();
      await page.locator('textarea:focus').waitFor();
      await page.keyboard.type('An answer that is being written');
      await page.locator('[data-act=more]').first().click();
      await page.locator('[data-act=react]').last().click();
      await page.locator('.composer textarea').first().focus();
      await page.locator('.primary').nth(1).waitFor();
      for (const [name, mode] of Object.entries(looks)) {
        await setMode(page, mode);
        await look(page, `elements-write-${name}-${language}`);
      }
      assert.deepEqual(faults, []);
      await context.close();
    });
});
