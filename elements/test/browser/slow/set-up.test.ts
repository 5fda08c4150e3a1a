import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeComment } from 'confab-testing/fixtures.ts';
import { useWorld } from '../page.ts';

/** What each wrong set-up lacks, and the right one. */
const setUps: readonly {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly isListed: boolean;
  readonly missing: readonly string[];
}[] = [
  {
    name: 'no settings',
    settings: {},
    isListed: false,
    missing: ['CONFAB_CORS_ORIGINS=', 'CONFAB_SIGN_IN=guest', 'CONFAB_PAGES_VISITORS=write'],
  },
  {
    name: 'guests and pages of a site that is not listed',
    settings: { CONFAB_SIGN_IN: 'guest', CONFAB_PAGES_VISITORS: 'write' },
    isListed: false,
    missing: ['CONFAB_CORS_ORIGINS='],
  },
  {
    name: 'only the site',
    settings: {},
    isListed: true,
    missing: ['CONFAB_SIGN_IN=guest', 'CONFAB_PAGES_VISITORS=write'],
  },
  {
    name: 'the site and guests',
    settings: { CONFAB_SIGN_IN: 'guest' },
    isListed: true,
    missing: ['CONFAB_PAGES_VISITORS=write'],
  },
  {
    name: 'the site and its pages',
    settings: { CONFAB_PAGES_VISITORS: 'write' },
    isListed: true,
    missing: ['CONFAB_SIGN_IN=guest'],
  },
  {
    name: 'all of them',
    settings: { CONFAB_SIGN_IN: 'guest', CONFAB_PAGES_VISITORS: 'write' },
    isListed: true,
    missing: [],
  },
];

// Two lines of HTML without a setting look like a page without comments: its owner is told what is missing.
for (const { name, settings, isListed, missing } of setUps)
  describe(`a page of a server with ${name}`, () => {
    const world = useWorld({ ...settings }, { isListed });

    test('says what is missing, to its owner and on the console', async () => {
      const warnings: string[] = [];
      const { page, faults, context } = await world.open({
        path: '/set-up',
        prepare: async (prepared) => {
          prepared.on('console', (message) => {
            if (message.type() === 'warning') warnings.push(message.text());
          });
        },
      });
      await page.getByText('No comments yet.').waitFor();
      const note = page.getByRole('note');
      if (missing.length === 0) {
        await page.getByRole('textbox', { name: 'Write a comment' }).waitFor();
        assert.equal(await note.count(), 0);
        assert.deepEqual(warnings, []);
      } else {
        await note.waitFor();
        const text = (await note.textContent()) ?? '';
        for (const name of ['CONFAB_CORS_ORIGINS=', 'CONFAB_SIGN_IN=', 'CONFAB_PAGES_VISITORS='])
          assert.equal(
            text.includes(name),
            missing.some((line) => line.startsWith(name)),
            text,
          );
        const told = warnings.filter((each) => each.includes('cannot comment'));
        assert.equal(told.length, 1, warnings.join('\n'));
      }
      assert.deepEqual(faults, []);
      await context.close();
    });
  });

// What fails for another reason is no wrong set-up.
describe('a page of which the server has no time', () => {
  const world = useWorld();

  test('names no setting', async () => {
    const warnings: string[] = [];
    const { page, context } = await world.open({
      path: '/busy',
      expected: [{ fault: /429/, reason: 'the test refuses this request' }],
      prepare: async (prepared) => {
        prepared.on('console', (message) => {
          if (message.type() === 'warning') warnings.push(message.text());
        });
        const refusal = { status: 429, headers: { 'access-control-allow-origin': '*' } };
        await prepared.route(/\/api\/sign-in$/, (route) => route.fulfill(refusal));
      },
    });
    await page.getByText('No comments yet.').waitFor();
    assert.equal(await page.getByRole('note').count(), 0);
    assert.deepEqual(
      warnings.filter((each) => each.includes('cannot comment')),
      [],
    );
    await context.close();
  });
});

describe('a page with comments of a site that is not listed', () => {
  const world = useWorld({ CONFAB_SIGN_IN: 'guest', CONFAB_PAGES_VISITORS: 'write' }, { isListed: false });

  test('says so to whoever wants to comment, and why to its owner', async () => {
    const app = await world.appFor('/imported', { visitors: 'write' });
    await makeComment(world.server, app, { text: 'From before' });
    const { page, faults, context } = await world.open({ path: '/imported' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText("You can't sign in on this page.").waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('note').getByText('CONFAB_CORS_ORIGINS=').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });
});

describe('a page that was opened to visitors by hand', () => {
  const world = useWorld({ CONFAB_SIGN_IN: 'guest' });

  test('lacks nothing', async () => {
    await world.appFor('/by-hand', { visitors: 'write' });
    const { page, faults, context } = await world.open({ path: '/by-hand' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('input[name=name]:focus').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('note').count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });
});

describe('a page of a server that knows no site', () => {
  const world = useWorld({ CONFAB_SIGN_IN_PUZZLE: 'no' }, { isListed: false });

  test('takes comments as soon as its owner has set the site up', async () => {
    const { page, context } = await world.open({ path: '/set-up' });
    const link = page.getByRole('link', { name: 'Set it up in the console' });
    assert.equal(await link.getAttribute('href'), `${world.server.url}/console/system/site`);
    const site = { origins: [world.host.url], sign_in: ['guest'], visitors: 'write' };
    assert.equal((await world.server.call('PATCH', '/api/site', site)).status, 200);
    await page.reload();
    await page.getByRole('textbox', { name: 'Write a comment' }).waitFor();
    assert.equal(await page.getByRole('note').count(), 0);
    await context.close();
  });
});
