import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { keepPicture, launchBrowser } from 'confab-testing/browser/browser.ts';
import { faultsOfAxe } from 'confab-testing/browser/looks.ts';
import { makeComment } from 'confab-testing/fixtures.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { type Receiver, startReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { deliveriesOf, register, settled as settledDelivery } from 'confab-testing/webhooks.ts';
import type { Browser, Page } from 'playwright-core';
import { lookAtViews, openConsole, settled, tabTo } from '../page.ts';

/** The deliveries of the webhook that fails: more than one page of a list. */
const missed = 30;
const longAnswer = `<html>${'<p>something is wrong</p>\n'.repeat(60)}the last line</html>`;

// Operators see what their webhooks do, make one that fails work again, and send what it missed.
describe('the webhooks of the console in a browser', () => {
  let server: TestServer;
  let receiver: Receiver;
  let browser: Browser;
  let failing: number;
  const folder = mkdtempSync(join(tmpdir(), 'confab-receiver-'));

  before(async () => {
    server = await startTestServer({});
    receiver = await startReceiver();
    browser = await launchBrowser();
    receiver.answer('/down', { status: 500, headers: { 'content-type': 'text/html' }, body: longAnswer });
    receiver.answer('/slow', { status: 503 });
    await register(server, { payload_url: `${receiver.url}/ok`, triggers: ['members', 'app_created'] });
    await register(server, { payload_url: `${receiver.url}/slow`, triggers: ['apps'] });
    await register(server, { payload_url: `${receiver.url}/off`, enabled: false });
    ({ id: failing } = await register(server, { payload_url: `${receiver.url}/down`, secret: 'a secret' }));
    await server.create('/api/apps', { uid: 'guestbook', type: 'comments', name: 'Guestbook' });
    for (let number = 1; number <= missed; number += 1)
      await makeComment(server, 'guestbook', { text: `comment ${number}` });
    await poll('the breaker to open', async () => {
      const { body } = await server.call('GET', `/api/webhooks/${failing}`);
      return body.breaker.state === 'open' || undefined;
    });
  });

  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await browser.close();
    await receiver.close();
    await server.close();
  });

  test('has no fault of access in any look, and fits its width', async () => {
    const deliveries = await deliveriesOf(server, failing);
    const tried = deliveries.find((each) => each.attempts > 0);
    const paths = ['', '/new', `/${failing}`, `/${failing}/code`, `/${failing}/deliveries/${tried?.id}`];
    const prepare = async (page: Page) => {
      await page.locator('summary').nth(1).click();
      await page.getByText('post_created').waitFor();
    };
    const views = paths.map((path) => ({
      path: `/webhooks${path}`,
      picture: `console-webhooks${path.replaceAll('/', '-')}`,
      ...(path === '/new' ? { prepare } : {}),
    }));
    assert.deepEqual(await lookAtViews({ browser, server }, views), []);
  });

  test('says the state of each webhook in words', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/webhooks' });
    const row = (path: string) => page.getByRole('row').filter({ hasText: path });
    await row('/ok').getByText('Active').waitFor();
    await row('/slow').getByText('Retrying').waitFor();
    await row('/off').getByText('Disabled').waitFor();
    await row('/down').getByText('the receiver responded with 500').waitFor();
    await page.locator('input[type=search]').fill('down');
    await page.getByRole('link', { name: '/ok' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '/down' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 1);
    assert.deepEqual(faults, []);
    await close();
  });

  test('shows what was sent and answered, makes a failing webhook work, and sends again what it missed', async () => {
    const { page, faults, close } = await openConsole(browser, server, { path: '/webhooks' });
    await page.getByRole('link', { name: '/down' }).click();
    await page.getByText('30 items').waitFor();
    assert.equal(await page.locator('tbody tr').count(), 25, 'the next page is read when it is reached');
    await page.locator('.more').evaluate((more) => more.scrollIntoView());
    await page
      .locator('tbody tr')
      .nth(missed - 1)
      .waitFor();
    await page.getByLabel('Status').selectOption('retrying');
    await page.waitForURL(/status=retrying/);
    await page.locator('tbody a').first().click();
    await page.getByText('the receiver responded with 500').first().waitFor();
    assert.equal(await page.getByText('the last line').count(), 0, 'a long answer is cut');
    await page.getByRole('button', { name: 'Response: body: Show all' }).click();
    await page.getByText('the last line').waitFor();
    assert.match(String(await page.locator('.exchange').first().textContent()), /webhook-signature: v1,/);
    await page.goBack();
    receiver.answer('/down', { status: 204 });
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('');
    await page.getByLabel('Action').fill('comment_created');
    await page.keyboard.press('Enter');
    await page.waitForURL(/action=comment_created/);
    // What still waits goes out by itself and is not counted.
    await poll('everything to be delivered', async () => {
      const all = await deliveriesOf(server, failing);
      return all.every(({ status }) => status === 'delivered') || undefined;
    });
    const before = receiver.ledger('/down').length;
    await page.getByRole('button', { name: 'Redeliver all listed' }).click();
    await page.getByRole('dialog').getByText('30 deliveries are sent again').waitFor();
    await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await page.getByText('Done: 30 deliveries').waitFor();
    assert.deepEqual(await faultsOfAxe(page), []);
    await keepPicture(page, 'console-webhooks-sent-again');
    await receiver.received('/down', before + missed);
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('checkbox').nth(0).check();
    await page.getByRole('checkbox').nth(1).check();
    await page.getByRole('button', { name: 'Redeliver 2 selected' }).click();
    await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await page.getByText('Done: 2 deliveries').waitFor();
    await receiver.received('/down', before + missed + 2);
    assert.deepEqual(faults, []);
    await close();
  });

  test('is used with the keyboard: make, ping, another secret, switch off, delete', async () => {
    const { page, close, faults } = await openConsole(browser, server, {
      expected: [{ fault: /422/, reason: 'the address is refused at first' }],
    });
    const made = { url: `${receiver.url}/keys` };
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('link', { name: '/ok' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New webhook' }).waitFor();
    await tabTo(page, 'Payload URL');
    await page.keyboard.type('http://10.0.0.1/hooks');
    await tabTo(page, 'Posts');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.locator('.wrong').waitFor();
    await keepPicture(page, 'console-webhooks-refused');
    await page.keyboard.press('Shift+Tab');
    await tabTo(page, 'Payload URL', 'Shift+Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(made.url);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New secret' }).waitFor();
    const secret = String(await page.locator('.secret code').textContent());
    assert.match(secret, /^whsec_/);
    assert.deepEqual(await faultsOfAxe(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: made.url }).waitFor();
    const id = Number(/\d+$/.exec(page.url())?.[0]);
    await page.keyboard.press('p');
    await page.getByRole('link', { name: 'webhook_pinged' }).waitFor();
    await settledDelivery(server, id, 'delivered');
    await tabTo(page, 'Rotate secret');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Rotate');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('The old secret is valid until').waitFor();
    await keepPicture(page, 'console-webhooks-rotated');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('The old secret is valid until').waitFor();
    await page.reload();
    await page.getByText('The old secret is valid until').waitFor();
    await page.keyboard.press('p');
    const requests = await receiver.received('/keys', 2);
    assert.equal(requests[1]?.headers['webhook-signature']?.split(' ').length, 2, 'signed with both secrets');
    await tabTo(page, 'Disable');
    await page.keyboard.press('Enter');
    await page.getByText('Disabled', { exact: true }).waitFor();
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete this webhook?' }).waitFor();
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');
    await page.waitForURL(/webhooks$/);
    assert.equal((await server.call('GET', `/api/webhooks/${id}`)).status, 404);
    assert.deepEqual(faults, []);
    await close();
  });

  test('reads nothing that it is deleting, however late the response comes', async () => {
    const { id } = await register(server, { payload_url: `${receiver.url}/gone` });
    const { page, faults, close } = await openConsole(browser, server, { path: `/webhooks/${id}` });
    await page.clock.install();
    // The timers of the view are those of the clock.
    await page.reload();
    await settled(page);
    const [isDeleted, isLate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asked: string[] = [];
    await page.route(`**/api/webhooks/${id}`, async (route) => {
      asked.push(route.request().method());
      if (asked.at(-1) !== 'DELETE') return await route.continue();
      const response = await route.fetch();
      isDeleted.resolve();
      await isLate.promise;
      return await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await isDeleted.promise;
    // What views do after a time, they do now; the client waits for a response longer than that.
    await page.clock.runFor('00:10');
    isLate.resolve();
    await page.waitForURL(/webhooks$/);
    await page.getByRole('link', { name: '/ok' }).waitFor();
    assert.deepEqual(asked.slice(asked.indexOf('DELETE')), ['DELETE']);
    assert.deepEqual(faults, []);
    await close();
  });

  test('gives the code of a receiver that verifies what the webhook sends', async () => {
    const { page, context, faults, close } = await openConsole(browser, server);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const hasPython = spawnSync('python3', ['--version']).status === 0;
    const ways = [
      ['Node', 'receiver.mjs', process.execPath],
      ...(hasPython ? [['Python', 'receiver.py', 'python3']] : []),
    ];
    for (const [language = '', file = '', command = ''] of ways) {
      const port = await freePort();
      const { id } = await register(server, {
        payload_url: `http://127.0.0.1:${port}/it's?here="$1"`,
        secret: 'a secret',
      });
      await page.goto(`${server.url}/console/webhooks/${id}/code`);
      await settled(page);
      await page.getByLabel('Language').last().selectOption({ label: language });
      await page.getByRole('button', { name: 'Copy code' }).click();
      await page.getByText('Copied.').first().waitFor();
      const code = String(await page.evaluate('navigator.clipboard.readText()'));
      assert.equal(code.trim(), (await page.locator('pre').textContent())?.trim());
      writeFileSync(join(folder, file), code);
      const env = { ...process.env, WEBHOOK_SECRET: 'a secret', PORT: String(port) };
      const running = spawn(command, [join(folder, file)], { env, stdio: 'inherit' });
      await listening(port, running);
      const forged = await fetch(`http://127.0.0.1:${port}/it's?here="$1"`, { method: 'POST', body: '{}' });
      assert.equal(forged.status, 401, language);
      await server.create(`/api/webhooks/${id}/ping`);
      await settledDelivery(server, id, 'delivered');
      running.kill();
    }
    assert.deepEqual(faults, []);
    await close();
  });
});

async function listening(port: number, { exitCode }: ChildProcess): Promise<void> {
  await poll(`something to listen on port ${port}`, async () => {
    assert.equal(exitCode, null);
    return await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => undefined,
    );
  });
}
