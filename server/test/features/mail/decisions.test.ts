import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeComment, makeLastingUser, type Person } from 'confab-testing/fixtures.ts';
import { type Mail, useMailServer } from 'confab-testing/network/mail-server.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, startTestServer, type TestServer, use } from 'confab-testing/server.ts';

const clock = movableClock();
const mailServer = useMailServer();
const server: TestServer = use(() =>
  startTestServer(
    { CONFAB_SMTP_URL: mailServer.url, CONFAB_MAIL_FROM: 'Blog <no-reply@example.com>' },
    { clock },
  ),
);
after(() => server.close());

const minutes = (count: number) => count * 60_000;

/** An app in which everything waits for a moderator, who takes mail. */
async function heldApp() {
  const address = `${freshUid('mail')}@example.com`;
  const grace = await makeLastingUser(server, { name: 'Grace', email: address });
  const author = await makeLastingUser(server, { name: 'Ada' });
  const members = { moderator: [grace] };
  const app = await makeApp(server, { access: 'write', approval: 'everything', name: 'Peas', members });
  const write = async (text: string) => (await makeComment(author, app.id, { text })).id;
  return { app, grace, author, address, write };
}

/** The one mail to an address once the pause is over. */
async function mailTo(address: string): Promise<Mail> {
  await settledLog(server);
  clock.move(minutes(11));
  return await poll('the mail', async () => {
    await server.running.db.write(async (tx) => tx.wake('events'));
    return mailServer.mails.find(({ to }) => to === address);
  });
}

/** The addresses of a mail for a decision, in its order. */
function linksOf({ text }: Pick<Mail, 'text'>, decision: 'approve' | 'refuse'): string[] {
  return [...text.matchAll(/https?:\S+\/(approve|refuse)/g)]
    .filter(([, what]) => what === decision)
    .map(([url]) => url);
}

async function visit(url: string, method: 'GET' | 'POST' = 'GET') {
  const response = await fetch(url, { method });
  return { status: response.status, text: await response.text() };
}

const isHeld = async (id: number, by: Person) => (await by.read(`/api/comments/${id}`)).is_held === true;

// A moderator decides from a mail, once and only on purpose.
describe('mail of what waits for approval', () => {
  test('has all of a burst, with the text and an address for each decision', async () => {
    const { grace, address, write } = await heldApp();
    const [first, second] = [await write('I grow <peas>'), await write('and beans')];
    const mail = await mailTo(address);
    assert.match(mail.text, /A comment by Ada waits for approval in Peas\r?\nI grow <peas>\r?\n/);
    assert.match(mail.text, /and beans/);
    const [approve = ''] = linksOf(mail, 'approve');
    const [, refuse = ''] = linksOf(mail, 'refuse');

    const asked = await visit(approve);
    assert.equal(asked.status, 200);
    assert.match(asked.text, /I grow &lt;peas&gt;/);
    assert.equal(await isHeld(first, grace), true);

    assert.match((await visit(approve, 'POST')).text, /Approved/);
    assert.match((await visit(refuse, 'POST')).text, /Refused/);
    assert.equal(await isHeld(first, grace), false);
    const { data } = await server.read(`/api/reports?state=resolved&top=10`);
    const decided = data.find((report: { entity: { id: number } }) => report.entity.id === second);
    assert.equal(decided?.action, 'trash');
    assert.equal(decided?.resolved_by_id, grace.id);

    for (const url of [approve, refuse, approve.replace('approve', 'refuse')])
      for (const method of ['GET', 'POST'] as const)
        assert.match((await visit(url, method)).text, /Nothing waits here/);
    assert.equal(await isHeld(first, grace), false);
  });

  test('tells of what is held after a message in the next one, though nothing else is held', async () => {
    const { grace, address, write } = await heldApp();
    const first = await write('the first words');
    await mailTo(address);
    clock.move(minutes(1));
    const second = await write('the second words');
    await settledLog(server);
    clock.move(minutes(11));
    const mail = await poll('the second mail', async () => {
      await server.running.db.write(async (tx) => tx.wake('events'));
      return mailServer.mails.filter(({ to }) => to === address)[1];
    });
    assert.match(mail.text, /the second words/);
    for (const id of [first, second]) assert.equal(await isHeld(id, grace), true);
  });

  test('has addresses that end with the next edit, after a week, and with the role', async () => {
    const { app, grace, author, address, write } = await heldApp();
    const id = await write('words');
    const mail = await mailTo(address);
    const [approve = ''] = linksOf(mail, 'approve');
    await grace.call('POST', `/api/comments/${id}/approve`);
    clock.move(minutes(1));
    await author.call('PATCH', `/api/comments/${id}`, { text: 'other words' });
    assert.equal(await isHeld(id, author), true);
    assert.match((await visit(approve, 'POST')).text, /Nothing waits here/);
    assert.equal(await isHeld(id, author), true);

    assert.equal((await visit(approve.replace(/.\/approve$/, '/approve'), 'POST')).status, 404);
    await server.call('PUT', `/api/apps/${app.id}/members/${grace.id}`, { role: null });
    assert.equal((await visit(approve, 'POST')).status, 404);
    clock.move(minutes(8 * 24 * 60));
    assert.match((await visit(approve, 'POST')).text, /expired/);
    assert.equal(await isHeld(id, author), true);
  });
});
