import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keepPicture } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe } from 'confab-testing/browser/looks.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { signedIn, useWorld } from '../page.ts';

// What a page is about gets reactions beside its text, apart from any list of comments.
describe('<confab-reactions>', () => {
  const world = useWorld();
  const { host, server } = world;

  async function announcement() {
    const [ada, bob] = await Promise.all(['Ada', 'Bob'].map((name) => makeUser(server, { name })));
    assert.ok(ada !== undefined && bob !== undefined);
    const app = await makeApp(server, { access: 'write', visitors: 'read' });
    const { id } = await makeComment(ada, app.id, { text: 'We have moved' });
    await bob.call('POST', `/api/comments/${id}/reactions`, { content: '🚀' });
    return { ada, bob, id, app: app.id, markup: `<confab-reactions comment="${id}"></confab-reactions>` };
  }

  test('shows everybody which there are', async () => {
    const { markup } = await announcement();
    const { page, faults, context } = await world.open({ path: '/read', markup });
    const items = page.getByRole('list', { name: 'Reactions' }).getByRole('listitem');
    await items.first().waitFor();
    assert.equal(await items.count(), 1);
    assert.match((await items.textContent()) ?? '', /🚀 1\s*.*🚀.*: 1 person/s);
    assert.equal(await page.getByRole('button').count(), 0);
    assert.deepEqual(await faultsOfAxe(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('takes one of whoever is signed in, and takes it back', async () => {
    const { ada, id, markup } = await announcement();
    const { page, faults, context } = await world.open({
      path: '/react',
      markup,
      storageState: signedIn({ host, server }, { ...ada, name: 'Ada' }),
    });
    const given = async () =>
      (await ada.read(`/api/comments/${id}/reactions`)).data.map((each: any) => each.content).sort();
    const party = page.getByRole('button', { name: /🎉/ });
    await party.focus();
    await page.keyboard.press('Enter');
    await poll('the reaction', async () => (await given()).includes('🎉') || undefined);
    assert.equal(await party.getAttribute('aria-pressed'), 'true');
    assert.match((await party.textContent()) ?? '', /🎉 1/);
    await keepPicture(page, 'elements-reactions');
    assert.deepEqual(await faultsOfAxe(page), []);

    // A person has one: another takes the place of the first.
    await page.getByRole('button', { name: /🚀/ }).click();
    await poll('the other reaction', async () => (await given()).join() === '🚀,🚀' || undefined);
    assert.equal(await party.getAttribute('aria-pressed'), 'false');
    await page.getByRole('button', { name: /🚀/ }).click();
    await poll('no reaction', async () => (await given()).join() === '🚀' || undefined);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('follows those of others, all of a page over one connection', async () => {
    const { ada, bob, id, app, markup } = await announcement();
    const other = await makeComment(ada, app, { text: 'And moved back' });
    const streams: string[] = [];
    const { page, faults, context } = await world.open({
      path: '/followed',
      markup: `${markup}<confab-reactions comment="${other.id}"></confab-reactions>`,
      prepare: async (page) =>
        page.on('request', (request) => request.url().endsWith('/changes') && streams.push(request.url())),
    });
    await page.getByText('🚀 1').waitFor();
    await ada.call('POST', `/api/comments/${id}/reactions`, { content: '🚀' });
    await page.getByText('🚀 2').waitFor();
    await bob.call('POST', `/api/comments/${other.id}/reactions`, { content: '🎉' });
    await page.getByText('🎉 1').waitFor();
    await bob.call('DELETE', `/api/comments/${id}/reactions`);
    await page.getByText('🚀 1').waitFor();
    assert.equal(streams.length, 1);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test('undoes what the server refuses, and says why', async () => {
    const { ada, markup } = await announcement();
    const { page, context } = await world.open({
      path: '/refused',
      markup,
      storageState: signedIn({ host, server }, { ...ada, name: 'Ada' }),
    });
    await page.route('**/reactions', (route) =>
      route.fulfill({
        status: 403,
        headers: { 'access-control-allow-origin': '*' },
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'forbidden', detail: 'The comments are locked.' }),
      }),
    );
    const party = page.getByRole('button', { name: /🎉/ });
    await party.click();
    await page.getByRole('alert').getByText('The comments are locked.').waitFor();
    assert.equal(await party.getAttribute('aria-pressed'), 'false');
    await context.close();
  });
});
