import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeComment, makeLastingUser, type Person } from 'confab-testing/fixtures.ts';
import { type Mail, useMailServer } from 'confab-testing/network/mail-server.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, freshUid, startTestServer, type TestServer, use } from 'confab-testing/server.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';

const clock = movableClock();
const mailServer = useMailServer();
const server: TestServer = use(() =>
  startTestServer(
    {
      CONFAB_SMTP_URL: mailServer.url,
      CONFAB_MAIL_FROM: 'Product <no-reply@example.com>',
      CONFAB_MAIL_LINK: 'https://app.example.com/open?app={app}&type={type}&id={id}',
    },
    { clock },
  ),
);
after(() => server.close());

const minutes = (count: number) => count * 60_000;
const hours = (count: number) => minutes(60 * count);

type Recipient = Person & { readonly address: string };

async function person(name: string): Promise<Recipient> {
  const address = `${freshUid('mail')}@example.com`;
  // These tests move the clock by days.
  return { ...(await makeLastingUser(server, { name, email: address })), address };
}

/** An app with two people who write in it. */
async function pair() {
  const [ada, bob] = [await person('Ada'), await person('Bob')];
  const app = await makeApp(server, { access: 'write', name: 'Plans', uid: freshUid('plans') });
  return { ada, bob, app };
}

/** Has Ada mention Bob, and waits until the mailer knows it. */
async function mention({ ada, bob, app }: Awaited<ReturnType<typeof pair>>, text = 'look') {
  const comment = await makeComment(ada, app.id, { text: `[Bob](@u${bob.id}) ${text}` });
  await known();
  return comment;
}

/** Waits until the mailer has looked at every notification. */
async function known(): Promise<void> {
  await settledLog(server);
  await poll('the mailer', async () => {
    await server.running.db.write(async (tx) => tx.wake('events'));
    const [row] = readStore(
      server.folder,
      `select (select coalesce(max(id), 0) from notifications)
         - (select event_id from event_cursors where reader = 'mailer') as behind`,
    );
    return row?.behind === 0 || undefined;
  });
}

function mailsTo({ address }: Recipient): Mail[] {
  return mailServer.mails.filter(({ to }) => to === address);
}

/** Waits until nothing is due any more, and the mail server has all that was sent. */
async function quiet(): Promise<void> {
  await known();
  await poll('the end of what is due', async () => {
    await server.running.db.write(async (tx) => tx.wake('events'));
    const [row] = readStore(
      server.folder,
      `select count(*) as n from mail_states where due_at <= ${clock.now()}`,
    );
    return (Number(row?.n) === 0 && mailServer.isIdle()) || undefined;
  });
}

async function later(ms: number): Promise<void> {
  clock.move(ms);
  await quiet();
}

// Mail tells of what has not been read, once, and only after there was time to read it.
describe('mail', () => {
  test('tells of a mention after ten minutes, with what a mail program needs', async () => {
    const those = await pair();
    const comment = await mention(those, 'have you *seen* <this>?');
    await later(minutes(9));
    assert.deepEqual(mailsTo(those.bob), []);
    await later(minutes(2));
    const [mail, ...others] = mailsTo(those.bob);
    assert.deepEqual(others, []);
    const header = (name: string) => mail?.headers.get(name) ?? '';
    assert.equal(header('from'), 'Product <no-reply@example.com>');
    assert.equal(header('to'), `Bob <${those.bob.address}>`);
    assert.equal(header('subject'), 'Ada mentioned you in Plans: Bob have you seen <this>?');
    assert.match(header('message-id'), /^<confab\.\d+\.\d+@example\.com>$/);
    assert.equal(header('auto-submitted'), 'auto-generated');
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    const url = `https://app.example.com/open?app=${those.app.uid}&type=comment&id=${comment.id}`;
    assert.ok(mail?.text.includes(url), `${mail?.text}`);
    assert.ok(mail?.html.includes(url.replaceAll('&', '&amp;')), `${mail?.html}`);
    assert.ok(mail?.html.includes('have you seen &lt;this&gt;?'), `${mail?.html}`);
    await later(hours(48));
    assert.equal(mailsTo(those.bob).length, 1);
  });

  test('is not sent about what was read elsewhere, trashed, or may no longer be seen', async () => {
    const read = await pair();
    await mention(read);
    await read.bob.call('PUT', '/api/notifications/mark');
    const trashed = await pair();
    const comment = await mention(trashed);
    await server.call('POST', `/api/comments/${comment.id}/trash`);
    const closed = await pair();
    await mention(closed);
    await server.call('PATCH', `/api/apps/${closed.app.id}`, { access: 'none' });
    const suspended = await pair();
    await mention(suspended);
    await server.call('PATCH', `/api/users/${suspended.bob.uid}`, { is_suspended: true });
    await later(hours(30));
    for (const { bob } of [read, trashed, closed, suspended]) assert.deepEqual(mailsTo(bob), []);
  });

  test('waits as long as usual for the rest when what was due first is read, or trashed', async () => {
    for (const end of ['read', 'trashed'] as const) {
      const those = await pair();
      const { ada, bob, app } = those;
      await bob.call('POST', `/api/apps/${app.id}/subscribe`);
      const comment = await mention(those);
      if (end === 'read') await bob.call('PUT', '/api/notifications/mark');
      else await server.call('POST', `/api/comments/${comment.id}/trash`);
      await makeComment(ada, app.id, { text: `the rest ${'👩‍👩‍👧'.repeat(40)}` });
      await known();
      await later(minutes(11));
      assert.deepEqual(mailsTo(bob), [], end);
      await later(hours(24));
      assert.equal(mailsTo(bob).length, 1, end);
      const words = (mailsTo(bob)[0]?.headers.get('subject') ?? '').matchAll(/=\?UTF-8\?B\?(.*?)\?=/g);
      const subject = Buffer.concat([...words].map(([, word = '']) => Buffer.from(word, 'base64')));
      assert.match(subject.toString(), /^Ada commented.*the rest (?:👩‍👩‍👧)+…$/u);
    }
  });

  test('gathers everything else for a day, and tells of what is direct first', async () => {
    const those = await pair();
    const { ada, bob, app } = those;
    await bob.call('POST', `/api/apps/${app.id}/subscribe`);
    for (const text of ['one', 'two', 'three']) await makeComment(ada, app.id, { text });
    await known();
    await later(hours(23));
    assert.deepEqual(mailsTo(bob), []);
    await mention(those, 'now');
    await later(hours(2));
    const [mail, ...others] = mailsTo(bob);
    assert.deepEqual(others, []);
    assert.equal(mail?.headers.get('subject'), '4 new notifications');
    const said = [...(mail?.text ?? '').matchAll(/^Ada (\w+).*: (.*)$/gm)].map(([, verb, text]) => [
      verb,
      text,
    ]);
    assert.deepEqual(said, [
      ['mentioned', 'Bob now'],
      ['commented', 'one'],
      ['commented', 'two'],
      ['commented', 'three'],
    ]);
  });

  test('lists twenty notifications and counts the others', async () => {
    const { ada, bob, app } = await pair();
    await bob.call('POST', `/api/apps/${app.id}/subscribe`);
    for (let at = 0; at < 23; at += 1) await makeComment(ada, app.id);
    await known();
    await later(hours(25));
    const [mail] = mailsTo(bob);
    assert.equal(mail?.headers.get('subject'), '23 new notifications');
    assert.equal(mail?.text.match(/^Ada commented/gm)?.length, 20);
    assert.match(mail?.text ?? '', /^And 3 more\.$/m);
  });

  test('waits when the server puts it off, and ends after three refusals until the address changes', async () => {
    const those = await pair();
    mailServer.reply({ at: 'recipient', code: 451 });
    await mention(those, 'put off');
    await later(minutes(11));
    assert.deepEqual(mailsTo(those.bob), []);
    mailServer.reply(undefined);
    await later(minutes(6));
    assert.equal(mailsTo(those.bob).length, 1);
    for (const at of ['recipient', 'end', 'recipient'] as const) {
      mailServer.reply({ at, code: 550 });
      await mention(those, 'refused');
      await later(minutes(11));
    }
    mailServer.reply(undefined);
    await mention(those, 'not tried');
    await later(minutes(11));
    assert.equal(mailsTo(those.bob).length, 1);
    const settings = await those.bob.call('GET', '/api/user/mail');
    assert.equal(settings.body.is_refused, true);
    const address = `new-${those.bob.address}`;
    await server.call('PATCH', `/api/users/${those.bob.uid}`, { email: address });
    await mention(those, 'at last');
    await later(minutes(11));
    assert.equal(mailsTo({ ...those.bob, address }).length, 1);
  });

  test('blames no recipient where the mail server refuses the sender', async () => {
    const those = await pair();
    mailServer.reply({ at: 'sender', code: 550 });
    await mention(those, 'in vain');
    for (let n = 0; n < 4; n += 1) await later(hours(6));
    assert.equal((await those.bob.read('/api/user/mail')).is_refused, false);
    mailServer.reply(undefined);
    await later(hours(6));
    assert.equal(mailsTo(those.bob).length, 1);
  });

  test('goes to others where a message cannot be written', async () => {
    const [broken, sound] = [await pair(), await pair()];
    await mention(broken);
    await mention(sound);
    writeStore(server.folder, `update notifications set args = '{' where user_id = ${broken.bob.id}`);
    await later(minutes(11));
    assert.deepEqual([mailsTo(broken.bob).length, mailsTo(sound.bob).length], [0, 1]);
    writeStore(server.folder, `update notifications set args = '[]' where user_id = ${broken.bob.id}`);
    await later(minutes(6));
    assert.equal(mailsTo(broken.bob).length, 1);
  });
});

// Whoever has the message can stop it, and nobody else.
describe('the address in a message', () => {
  let those: Awaited<ReturnType<typeof pair>>;
  let url: string;
  before(async () => {
    those = await pair();
    await mention(those);
    await later(minutes(11));
    url = /<(.*)>/.exec(mailsTo(those.bob)[0]?.headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
  });

  const choice = async () => (await those.bob.read('/api/user/mail')).mail;

  test('changes nothing when it is opened', async () => {
    const answer = await fetch(url);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<form method="post"/);
    assert.equal(await choice(), 'all');
  });

  test('limits mail to what is direct by its first button', async () => {
    assert.equal((await fetch(`${url}/direct`, { method: 'POST' })).status, 200);
    assert.equal(await choice(), 'direct');
    await those.bob.call('POST', `/api/apps/${those.app.id}/subscribe`);
    await makeComment(those.ada, those.app.id);
    await known();
    await later(hours(25));
    assert.equal(mailsTo(those.bob).length, 1);
    await mention(those);
    await later(minutes(11));
    assert.equal(mailsTo(those.bob).length, 2);
  });

  test('stops mail with one request of a mail program, in either form', async () => {
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), form]) {
      await those.bob.call('PATCH', '/api/user/mail', { mail: 'all' });
      assert.equal((await fetch(url, { method: 'POST', body })).status, 200);
      assert.equal(await choice(), 'none');
    }
    const before = mailsTo(those.bob).length;
    await mention(those);
    await later(hours(25));
    assert.equal(mailsTo(those.bob).length, before);
  });

  test('is refused where it was changed', async () => {
    const other = url.replace(/\/mail\/\d+\//, `/mail/${those.ada.id}/`);
    const cut = url.slice(0, -1);
    for (const wrong of [other, cut]) {
      assert.equal((await fetch(wrong)).status, 404);
      assert.equal((await fetch(wrong, { method: 'POST' })).status, 404);
    }
  });
});
