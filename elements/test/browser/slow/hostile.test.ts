import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HostileText, hostileTexts } from 'confab-testing/corpus/hostile-texts.ts';
import { makeApp, makeComment, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { sendUpload } from 'confab-testing/uploads.ts';
import type { Page } from 'playwright-core';
import { type ElementPage, type Opening, signedIn, useWorld } from '../page.ts';

/** The longest name of a user, an app or a file. */
const nameMax = 256;
/** Requests under way at once while the texts are written. */
const writersMax = 8;
/** How many comments are on one page: a browser takes long to lay out all of them on one. */
const textsOnPage = 150;
/** Of the longest texts each of so many is shown as long as it is, of the others so many characters. */
const wholeEvery = 10;
const shortMax = 2048;
/** How many people with such names one user hears of: as many as a list shows. */
const namesMax = 20;
/** How many texts are tried where each takes a page or a request of its own. */
const fewMax = 60;

/**
 * Every markup, address and place at least once; `HOSTILE_TEXTS=all` takes each markup in each place. What the server
 * makes of all of these is tried in `rendered-html.test.ts`, in a page that nothing protects.
 */
const briefly =
  process.env.HOSTILE_TEXTS === 'all' ? hostileTexts : hostileTexts.filter(({ isOfBrief }) => isOfBrief);
const texts = [...new Set(briefly.map(shortened))].filter((text) => text.trim() !== '');
/** All of the corpus, of which names are taken. */
const every = [...new Set(hostileTexts.map(({ text }) => text))].filter((text) => text.trim() !== '');
const names = [...new Set(every.map((text) => text.slice(0, nameMax)))];
/** Some of them, of all families. */
const few = spread(every.filter((text) => text.length <= nameMax));

/** A text as a browser lays it out in a short time. Some of the longest are left as they are. */
function shortened({ family, text }: HostileText, index: number): string {
  return family === 'abuse' && index % wholeEvery !== 0 ? text.slice(0, shortMax) : text;
}

function spread(all: readonly string[]): readonly string[] {
  const step = Math.ceil(all.length / fewMax);
  return all.filter((_, index) => index % step === 0);
}

/** Calls `write` with each text and its number, some at once. Resolves to how often it said yes. */
async function forEach(
  all: readonly string[],
  write: (text: string, index: number) => Promise<boolean>,
): Promise<number> {
  let next = 0;
  let taken = 0;
  const writers = Array.from({ length: writersMax }, async () => {
    for (let index = next++; index < all.length; index = next++)
      if (await write(all[index] as string, index)) taken += 1;
  });
  await Promise.all(writers);
  return taken;
}

/** Follows every link in the shadow of an element as a reader might; addresses of the web stay closed. Returns how many there are. */
const clickLinks = `{
  const links = [...document.querySelector('confab-comments').shadowRoot.querySelectorAll('a[href]')];
  addEventListener('click', (event) => {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (/^(https?|mailto):$/.test(link?.protocol)) event.preventDefault();
  });
  for (const link of links) link.click();
  links.length;
}`;

/** What is in the elements that no text may put there: their names. */
const foreign = `[...document.querySelector('confab-comments').shadowRoot.querySelectorAll(
  'script, iframe, object, embed, style, link, meta, base, form, svg:not(.tools svg, confab-extras .document > svg), math, template, [onerror], [onload], .text [id], .text [style]',
)].map((each) => each.outerHTML.slice(0, 100))`;

/** The policy of the page stops the pictures of other servers, which is what the browser says. */
const pictures = {
  fault: /violates the following Content Security Policy directive: "img-src/,
  reason: 'texts show pictures of other servers, which the policy of the page stops',
};

// Nothing that anybody writes runs in a page, with Trusted Types and the strictest policy, and no page asks another server.
describe('hostile texts in the elements', () => {
  const { host, server, open, appFor } = useWorld();
  /** What a text has run. */
  const ran: string[] = [];

  /** Opens a page that notices what runs. */
  async function openWatched(opening: Opening): Promise<ElementPage> {
    const opened = await open({
      ...opening,
      prepare: async (page) => {
        await page.context().exposeBinding('canary', () => void ran.push('canary'));
        page.context().on('dialog', (dialog) => {
          ran.push(`dialog ${dialog.message()}`);
          void dialog.dismiss();
        });
        await opening.prepare?.(page);
      },
    });
    await opened.page.locator('confab-comments h2, confab-comments [role=alert]').first().waitFor();
    return opened;
  }

  /** Shows all that there is, page by page. */
  async function showAll(page: Page): Promise<number> {
    const articles = page.locator('article');
    // The name of a button would be looked for among all that is shown.
    const more = page.locator('.more');
    await articles.first().waitFor();
    while ((await more.count()) > 0) {
      const count = await articles.count();
      await more.click();
      await poll('more', async () => (await articles.count()) > count || undefined);
    }
    return await articles.count();
  }

  async function assertHarmless({ page, faults, context }: ElementPage, at: string): Promise<void> {
    assert.deepEqual(ran.splice(0), [], at);
    assert.deepEqual(host.canaries, [], at);
    assert.deepEqual(faults, [], at);
    assert.deepEqual(await page.evaluate(foreign), [], at);
    assert.equal(page.url().startsWith(host.url), true, at);
    await context.close();
  }

  test('what runs is noticed, and Trusted Types are enforced', async () => {
    const { page, context } = await openWatched({ path: '/control' });
    await page.evaluate('canary(1)');
    await poll('the canary', () => ran.length || undefined);
    assert.deepEqual(ran.splice(0), ['canary']);
    await assert.rejects(page.evaluate(`document.body.innerHTML = '<p>Text</p>'`), /TrustedHTML/);
    await context.close();
  });

  test('as comments', async () => {
    const ada = await makeUser(server, { name: 'Ada' });
    let shown = 0;
    for (let start = 0; start < texts.length; start += textsOnPage) {
      const path = `/texts-${start}`;
      const app = await appFor(path);
      const taken = await forEach(texts.slice(start, start + textsOnPage), async (text) => {
        const { status } = await ada.call('POST', `/api/apps/${app}/comments`, { text });
        return status === 201;
      });
      const opened = await openWatched({ path, expected: [pictures] });
      assert.equal(await showAll(opened.page), taken);
      assert.ok((await opened.page.evaluate<number>(clickLinks)) > taken);
      await assertHarmless(opened, path);
      shown += taken;
    }
    console.log(`${shown} of ${texts.length} hostile texts were taken, and all of these were shown`);
    assert.ok(shown > texts.length * 0.95);
  });

  test('as names of people and files, options of polls, and previews of links', async () => {
    const app = await appFor('/names');
    const taken = await forEach(spread(names).concat(few), async (name, index) => {
      const uid = `author-${index}`;
      if ((await server.call('PUT', `/api/users/${uid}`, { name })).status !== 201) return false;
      const sending = { headers: { 'x-confab-user': uid } };
      const blob = await sendUpload(server, { name }, sending);
      const address = host.serve(`/preview-${index}`, {
        type: 'text/html; charset=utf-8',
        body: `<title>${name}</title><meta property="og:title" content="${escaped(name)}">
<meta property="og:description" content="${escaped(name)}"><meta property="og:site_name" content="${escaped(name)}">`,
      });
      const embed = await server.call('POST', '/api/embeds', { url: address }, sending);
      const comment = {
        text: 'Words',
        options: [{ text: name }],
        ...(blob.status === 201 ? { blobs: [blob.body.id] } : {}),
        ...(embed.status === 201 ? { embed_id: embed.body.id } : {}),
      };
      const path = `/api/apps/${app}/comments` as const;
      return (await server.call('POST', path, comment, sending)).status === 201;
    });
    assert.ok(taken > few.length);
    const opened = await openWatched({ path: '/names' });
    assert.equal(await showAll(opened.page), taken);
    const shown = (selector: string) => opened.page.locator(selector).count();
    assert.ok((await shown('.attachments')) > taken * 0.9);
    assert.ok((await shown('.poll')) > taken * 0.9);
    assert.ok((await shown('.preview')) > taken * 0.9, `${await shown('.preview')} of ${taken}`);
    await opened.page.evaluate(clickLinks);
    await assertHarmless(opened, 'names');
  });

  test('as the name of whoever is signed in, who hears of people and apps with such names', async () => {
    const ada: Person = await makeUser(server, { name: 'Ada' });
    const taken: string[] = [];
    for (const name of few.slice(0, namesMax)) {
      const uid = `told-${taken.length}`;
      if ((await server.call('PUT', `/api/users/${uid}`, { name })).status !== 201) continue;
      const app = await makeApp(server, { name, access: 'write' });
      const { id } = await makeComment(ada, app.id, { text: 'A question' });
      await makeComment(server, app.id, { text: name, reply_to: id }, { headers: { 'x-confab-user': uid } });
      taken.push(name);
    }
    await poll('the notifications', async () => {
      const { count } = await ada.read('/api/notifications?unread=true&count_only=true');
      return count === taken.length || undefined;
    });
    const opened = await openWatched({
      path: '/told',
      markup: '<confab-notifications></confab-notifications><confab-comments></confab-comments>',
      storageState: signedIn({ host, server }, { ...ada, name: 'Ada' }),
      expected: [pictures],
    });
    const { page } = opened;
    await page.getByRole('button', { name: `Notifications, ${taken.length} unread` }).click();
    const items = page.locator('confab-notifications [part~=item]');
    await items.nth(taken.length - 1).waitFor();
    assert.equal(await items.count(), taken.length);
    for (const name of taken) {
      const session = { access_token: ada.token, user: { id: ada.id, display_name: name }, expires_in: 3600 };
      const kept = [`confab ${server.url}/`, JSON.stringify({ ...session, issuedAt: Date.now() })] as const;
      await page.evaluate(([key, value]) => localStorage.setItem(key, value), kept);
      await page.reload();
      await page.locator('confab-account .name').waitFor();
    }
    await assertHarmless(opened, 'names of who is signed in');
  });

  test('in the address of the page', async () => {
    await makeComment(await makeUser(server), await appFor('/address'), { text: 'Words' });
    const opened = await openWatched({
      path: '/address',
      expected: [{ fault: /answered 4\d\d/, reason: 'there is no such code and no such comment' }],
    });
    const { page } = opened;
    for (const text of few)
      for (const fragment of [`#${text}`, `#comment-${text}`, `#comment-1${text}`])
        await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    for (const text of few.slice(0, 20)) {
      await page.goto('about:blank');
      await page.goto(
        `${host.url}/address?${encodeURIComponent(text)}#confab-code=${encodeURIComponent(text)}`,
      );
      await page.locator('confab-comments h2').waitFor();
    }
    await assertHarmless(opened, 'addresses');
  });

  test('in attributes and texts of the page', async () => {
    const opened = await openWatched({
      path: '/address',
      expected: [
        { fault: /answered 4\d\d/, reason: 'there are no such apps' },
        {
          fault: /^console: (?:Connecting to|Fetch API cannot load|Confab: the token address) /,
          reason: 'the policy of the page stops what is no address of tokens',
        },
        { fault: /^failed: .*|^exception: .*URL/, reason: 'what is no address cannot be asked for' },
      ],
    });
    const { page } = opened;
    for (const text of few) {
      await page.evaluate(
        ([value]) => {
          const { document, customElements } = globalThis as any;
          for (const name of ['uid', 'app', 'lang', 'sort', 'token-url', 'href', 'comment', 'post'])
            for (const tag of [
              'confab-comments',
              'confab-count',
              'confab-reactions',
              'confab-notifications',
            ]) {
              const element = document.createElement(tag);
              element.setAttribute(name, value);
              document.querySelector('main').append(element);
              element.remove();
            }
          const element = document.querySelector('confab-comments');
          element.texts = { heading: value, comments: { one: value, other: value }, write: value };
          return customElements.get('confab-comments') !== undefined;
        },
        [text],
      );
      await page.locator('confab-comments h2').waitFor();
    }
    await assertHarmless(opened, 'attributes');
  });
});

/** A text in an attribute of HTML between double quotes. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
