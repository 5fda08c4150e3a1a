import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { makeApp, makeComment, makeImport, makeUser } from 'confab-testing/fixtures.ts';
import { type Receiver, startReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { register } from 'confab-testing/webhooks.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Console, openConsole, settled } from './page.ts';

/** More clicks than this for an everyday task would mean that the console leads nowhere. */
const clicksMax = 10;

/** A user of the console whose clicks and keys are counted. */
class Hand {
  clicks = 0;
  keys = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator): Promise<void> {
    this.clicks += 1;
    await what.click();
  }

  /** Clicks into a field and types. */
  async type(field: Locator, text: string): Promise<void> {
    await this.click(field);
    this.keys += text.length;
    await field.fill(text);
  }

  /** Searches a list and waits for what is found. */
  async search(text: string): Promise<void> {
    await this.type(this.page.locator('main input[type=search]').first(), text);
    await this.page.waitForURL(/[?&]q=/);
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  /** Opens a list of choices and chooses one. */
  async choose(list: Locator, label: string): Promise<void> {
    this.clicks += 2;
    await list.selectOption({ label });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  area(name: string): Promise<void> {
    return this.click(this.page.locator('.side').getByRole('link', { name, exact: true }));
  }
}

// The tasks of an operator, each from the overview to its end in a few clicks. It prints how many, and how long that takes.
describe('the tasks of operators in the console', () => {
  let server: TestServer;
  let browser: Browser;
  let receiver: Receiver;
  let spammer: { uid: string; id: number; token: string };
  let webhook: number;
  let opened: Console;
  let isMended = false;
  const place = mkdtempSync(join(tmpdir(), 'confab-tasks-'));

  before(async () => {
    [server, browser, receiver] = await Promise.all([
      startTestServer({ CONFAB_BACKUP_TO: place }),
      launchBrowser(),
      startReceiver(),
    ]);
    receiver.decide('/down', () => ({ status: isMended ? 200 : 500 }));
    const mia = await makeUser(server, { name: 'Mia Moderator' }, 'mia');
    const ada = await makeUser(server, { name: 'Ada Lovelace' }, 'ada');
    await makeUser(server, { name: 'Cora Colleague' }, 'cora');
    await makeUser(server, { name: 'Rita Reader' }, 'rita');
    spammer = await makeUser(server, { name: 'Sam Spammer' }, 'sam');
    const app = await makeApp(server, { uid: 'guestbook', name: 'Guestbook', access: 'write' });
    await makeApp(server, { uid: 'staff', name: 'Staff' });
    await server.call('PUT', '/api/apps/staff/members/rita', { access: 'read' });
    await server.call('PUT', '/api/apps/guestbook/members/mia', { role: 'moderator' });
    const lost = await makeComment(server, app.id, { text: 'Where did this go?' }, { as: ada.token });
    await server.call('DELETE', `/api/comments/${lost.id}`, undefined, { as: mia.token });
    for (let number = 1; number <= 4; number += 1) {
      const text = `Cheap watches ${number}`;
      const { id } = await makeComment(server, app.id, { text }, { as: spammer.token });
      if (number === 1)
        await server.call('POST', `/api/comments/${id}/reports`, { reason: 'spam' }, { as: ada.token });
    }
    ({ id: webhook } = await register(server, {
      payload_url: `${receiver.url}/down`,
      triggers: ['apps'],
    }));
    for (let number = 1; number <= 12; number += 1)
      await makeApp(server, { uid: `missed-${number}`, type: 'posts' });
    await poll('the breaker to open', async () => {
      const { body } = await server.call('GET', `/api/webhooks/${webhook}`);
      return body.breaker.state === 'open' || undefined;
    });
    opened = await openConsole(browser, server);
  });

  after(async () => {
    await browser.close();
    await receiver.close();
    await server.close();
    rmSync(place, { recursive: true, force: true });
  });

  function task(name: string, work: (hand: Hand) => Promise<void>): void {
    test(name, async () => {
      const { page, faults } = opened;
      const already = faults.length;
      await page.goto(`${server.url}/console`);
      await settled(page);
      const hand = new Hand(page);
      const startedAt = performance.now();
      await work(hand);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`task: ${name}: ${hand.clicks} clicks, ${hand.keys} keys, ${seconds} s`);
      assert.ok(hand.clicks <= clicksMax, `${hand.clicks} clicks`);
      assert.deepEqual(faults.slice(already), []);
    });
  }

  task('find who deleted a comment', async (hand) => {
    await hand.area('Events');
    await hand.choose(hand.page.getByRole('combobox', { name: 'Change' }), 'Deleted or moved to trash');
    await hand.page.waitForURL(/what=deleted/);
    const row = hand.page.locator('tr', { hasText: 'comment_deleted' });
    const words = (await row.textContent()) ?? '';
    assert.match(words, /Mia Moderator/);
    assert.doesNotMatch(words, /Where did this go/, 'deleted texts are gone from the log');
  });

  task('explain why somebody cannot write', async (hand) => {
    await hand.area('Users');
    await hand.search('rita');
    await hand.click(hand.page.getByRole('link', { name: 'Rita Reader' }));
    await hand.type(hand.page.getByLabel('App', { exact: true }), 'staff');
    await hand.press('Enter');
    const write = hand.page.locator('.decisions div', { hasText: 'Can write in it' });
    assert.match((await write.textContent()) ?? '', /no.*access of a member overrides/);
  });

  task('make a failing webhook work and send what it missed', async (hand) => {
    await hand.click(hand.page.getByRole('link', { name: /paused webhook/ }));
    await hand.click(hand.page.locator('tbody a').first());
    await hand.page.locator('main', { hasText: 'Paused' }).waitFor();
    isMended = true;
    await hand.click(hand.button('Retry now'));
    await hand.page.getByText('Active', { exact: true }).waitFor();
    await hand.choose(hand.page.getByRole('combobox', { name: 'Status' }), 'failed');
    const again = hand.button('Redeliver all listed');
    if (await again.isVisible()) {
      await hand.click(again);
      await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Redeliver', exact: true }));
      await hand.click(
        hand.page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last(),
      );
    }
    await poll('everything to be delivered', async () => {
      const { body } = await server.call('GET', `/api/webhooks/${webhook}/deliveries?top=100`);
      return body.data.every(({ status }: { status: string }) => status === 'delivered') || undefined;
    });
  });

  task('ban a spammer and clean up', async (hand) => {
    await hand.click(hand.page.getByRole('link', { name: /open report/ }));
    await hand.page.locator('.queue-list a').first().waitFor();
    await hand.press('j');
    await hand.page.locator('.queue-choices').waitFor();
    await hand.press('s');
    await hand.click(hand.page.getByRole('dialog').getByRole('button').last());
    await hand.page.locator('.toast').first().waitFor();
    await hand.area('Content');
    await hand.search('cheap watches');
    await hand.page.getByText('3 comments', { exact: true }).waitFor();
    await hand.click(hand.page.getByLabel('Select all'));
    await hand.click(hand.button('Move to trash'));
    await hand.page.getByText('3 items moved to the trash.').waitFor();
    const { body } = await server.call('GET', '/api/users/sam');
    assert.equal(body.is_suspended, true);
  });

  task('give a colleague rights to one app', async (hand) => {
    await hand.area('Apps');
    await hand.click(hand.page.getByRole('link', { name: 'Guestbook' }));
    await hand.click(hand.page.getByRole('link', { name: 'Members' }));
    await hand.type(hand.page.getByLabel('Add member'), 'cora');
    await hand.click(hand.button('Add Cora Colleague'));
    await hand.choose(hand.page.getByLabel('Role of Cora Colleague'), 'moderator');
    await hand.page.getByText('The permissions of Cora Colleague were changed.').waitFor();
  });

  task('erase a person', async (hand) => {
    await hand.area('Users');
    await hand.search('sam');
    // The task before has suspended him.
    await hand.click(hand.button('Include suspended users and the trash'));
    await hand.click(hand.page.getByRole('link', { name: 'Sam Spammer' }));
    await hand.click(hand.button('Erase'));
    await hand.type(hand.page.getByLabel('Type "sam" to confirm'), 'sam');
    await hand.press('Enter');
    await hand.page.locator('main', { hasText: 'completed' }).waitFor();
  });

  task('rotate a key', async (hand) => {
    await hand.area('System');
    await hand.click(hand.page.getByRole('link', { name: 'API keys' }));
    await hand.click(hand.button('Rotate "first"'));
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }));
    await hand.page.getByText('Copy the key now').waitFor();
  });

  task('make and check a backup', async (hand) => {
    await hand.area('System');
    await hand.click(hand.page.getByRole('link', { name: 'Backups' }));
    await hand.click(hand.button('Create backup'));
    // The server has made one by itself as it started.
    await hand.page.locator('tbody tr').nth(1).waitFor();
    await hand.click(hand.page.getByRole('button', { name: /^Verify / }).first());
    await poll('the backup to be checked', async () => {
      const { job } = (await server.call('GET', '/api/backups')).body;
      return (job?.kind === 'verify' && job.state === 'done') || undefined;
    });
    await hand.page.locator('tbody time').first().waitFor();
  });

  task('take back an import', async (hand) => {
    const id = await makeImport(server, 'finished');
    await hand.area('Imports');
    await hand.click(hand.page.locator('tbody a').first());
    await hand.click(hand.button('Undo import'));
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Undo import', exact: true }));
    await hand.page.locator('main', { hasText: 'undone' }).waitFor();
    const { body } = await server.call('GET', `/api/imports/${id}`);
    assert.match(body.state, /^undo/);
  });

  task('see what is slow', async (hand) => {
    await hand.page.getByText('Response times').first().waitFor();
    await hand.area('System');
    await hand.page.getByText('Behind by').first().waitFor();
  });

  task('make an app, and lock it', async (hand) => {
    await hand.area('Apps');
    await hand.click(hand.button('New app'));
    await hand.type(hand.page.getByLabel('UID', { exact: true }), 'garden');
    await hand.type(hand.page.getByLabel('Name', { exact: true }), 'The garden');
    await hand.click(hand.button('Create'));
    await hand.page.getByRole('heading', { name: 'The garden' }).waitFor();
    await hand.click(hand.button('Lock'));
    await hand.click(hand.page.getByRole('dialog').getByRole('button', { name: 'Lock' }));
    await hand.button('Unlock').waitFor();
    const { body } = await server.call('GET', '/api/apps/garden');
    assert.notEqual(body.locked_at, undefined);
  });

  task('hold back what a rule says', async (hand) => {
    await hand.area('Moderation');
    await hand.click(hand.page.getByRole('link', { name: 'Rules' }));
    await hand.click(hand.button('Add rule'));
    const dialog = hand.page.getByRole('dialog');
    await hand.type(dialog.getByLabel('Name'), 'spam');
    await hand.choose(dialog.getByLabel('Condition'), 'Pattern');
    await hand.type(dialog.getByLabel('Pattern', { exact: true }), '!{3,}');
    await hand.click(dialog.getByRole('button', { name: 'Save' }));
    await hand.page.locator('.rules li', { hasText: 'spam' }).waitFor();
    const { body } = await server.call('GET', '/api/moderation/rules');
    assert.equal(body.rules.length, 1);
  });

  task('import comments', async (hand) => {
    await hand.area('Imports');
    await hand.click(hand.page.getByRole('link', { name: 'New import' }));
    await hand.choose(hand.page.getByLabel('Source'), 'Disqus');
    await hand.page.getByLabel('File').setInputFiles({
      name: 'disqus.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from(disqusExport(3)),
    });
    await hand.click(hand.button('Upload and check'));
    await hand.page.locator('.badge', { hasText: 'ready to import' }).waitFor();
    await hand.click(hand.button('Start import'));
    await hand.page.locator('.badge', { hasText: 'completed' }).waitFor();
  });

  task('have the server examined', async (hand) => {
    await hand.area('System');
    await hand.click(hand.page.getByRole('link', { name: 'Doctor' }));
    await hand.click(hand.button('Run checks'));
    await hand.page.locator('.card[role=status]', { hasText: /problem/ }).waitFor();
  });
});
