import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeComment, makeLastingUser, type Person } from 'confab-testing/fixtures.ts';
import { type Mail, useMailServer } from 'confab-testing/network/mail-server.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, startTestServer, type TestServer, use } from 'confab-testing/server.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';

const clock = movableClock();
const mailServer = useMailServer();
const server: TestServer = use(() =>
  startTestServer(
    {
      CONFAB_SMTP_URL: mailServer.url,
      CONFAB_MAIL_FROM: 'Blog <no-reply@example.com>',
      CONFAB_CORS_ORIGINS: 'https://blog.example.com',
    },
    { clock },
  ),
);
after(() => server.close());

const minutes = (count: number) => count * 60_000;

type Moderator = Person & { readonly address: string };

/** A user with an address, who has asked for each new comment unless `isTold` is false. */
async function moderator({ name = 'Grace', isTold = true } = {}): Promise<Moderator> {
  const address = `${freshUid('mail')}@example.com`;
  const person = await makeLastingUser(server, { name, email: address });
  if (isTold) await ask(person);
  return { ...person, address };
}

async function ask(person: Person, isTold = true): Promise<void> {
  assert.equal((await person.call('PATCH', '/api/user/mail', { new_comments: isTold })).status, 200);
}

/** An app with its moderators, and somebody who writes in it. */
async function blog(moderators: readonly Person[], options: { approval?: 'everything'; uid?: string } = {}) {
  const author = await makeLastingUser(server, { name: 'Ada' });
  const members = { moderator: moderators };
  const app = await makeApp(server, { access: 'write', name: 'Peas', members, ...options });
  const write = async (text: string, by: Person = author) => (await makeComment(by, app.id, { text })).id;
  return { app, author, write };
}

/** Waits until nothing is due any more some time later, and the mail server has all that was sent. */
async function later(ms: number): Promise<void> {
  await known();
  clock.move(ms);
  await poll('the end of what is due', async () => {
    await server.running.db.write(async (tx) => tx.wake('events'));
    const [row] = readStore(
      server.folder,
      `select count(*) as n from mail_states where due_at <= ${clock.now()}`,
    );
    return (Number(row?.n) === 0 && mailServer.isIdle()) || undefined;
  });
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
    // What was held and is decided has no notification any more.
    return Number(row?.behind) <= 0 || undefined;
  });
}

function mailsTo({ address }: Moderator): Mail[] {
  return mailServer.mails.filter(({ to }) => to === address);
}

/** The first address in a mail that ends with a word. */
function linkOf(mail: Mail | undefined, end: string): string {
  return new RegExp(`https?:\\S+/${end}(?=\\s)`).exec(mail?.text ?? '')?.[0] ?? '';
}

async function visit(url: string, method: 'GET' | 'POST' = 'GET') {
  const response = await fetch(url, { method });
  return { status: response.status, text: await response.text() };
}

/** The states of a comment, as an API key sees it. */
async function stateOf(id: number): Promise<string> {
  const { is_held: isHeld, is_trashed: isTrashed } = await server.read(`/api/comments/${id}?trashed=true`);
  if (isHeld === true) return 'held';
  return isTrashed === true ? 'trashed' : 'shown';
}

/** The newest event with an action that a user sees. */
async function lastEvent(by: Person, action: string) {
  const { data } = await by.read(`/api/events?after=0&top=1000`);
  const events = data as readonly { action: string; actor: { id: number }; [extra: string]: unknown }[];
  return events.findLast((event) => event.action === action);
}

// Who keeps a blog reads what others write there, from one mail for whatever came in a while.
describe('mail of each new comment', () => {
  test('has the author, the page, the text and links, for a moderator who asked', async () => {
    const [grace, other] = [await moderator(), await moderator({ isTold: false })];
    const page = await blog([grace, other], { uid: `blog.example.com~${freshUid('peas')}` });
    const id = await page.write('I grow <peas>, *daily*');
    await later(minutes(9));
    assert.deepEqual(mailsTo(grace), []);
    await later(minutes(2));
    const [mail, ...more] = mailsTo(grace);
    assert.deepEqual([more, mailsTo(other)], [[], []]);
    assert.equal(mail?.headers.get('subject'), 'Ada commented in Peas');
    assert.equal(mail?.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.match(mail?.text ?? '', /Ada commented in Peas\r?\nI grow <peas>, daily\r?\n/);
    const url = `https://${page.app.uid.replace('~', '/')}#comment-${id}`;
    assert.ok(mail?.text.includes(`${url}\n`) || mail?.text.includes(`${url}\r\n`), mail?.text);
    assert.ok(mail?.html.includes(`<a href="${url}">Ada commented in Peas</a>`), mail?.html);
    assert.ok(mail?.html.includes('I grow &lt;peas&gt;, daily'), mail?.html);
    await later(minutes(60 * 48));
    assert.equal(mailsTo(grace).length, 1);
  });

  test('leads to the console where the site of the page is not listed', async () => {
    const grace = await moderator();
    const { write } = await blog([grace], { uid: `evil.example~${freshUid('page')}` });
    const id = await write('words');
    await write(`[Grace](@u${grace.id}) look`);
    await later(minutes(11));
    const [mail] = mailsTo(grace);
    assert.doesNotMatch(mail?.text ?? '', /evil/);
    assert.match(mail?.text ?? '', new RegExp(`/console/content/comments/${id}\\s`));
  });

  test('is one for a burst, and repeats a long text only in part', async () => {
    const grace = await moderator();
    const { write } = await blog([grace]);
    for (let count = 1; count <= 25; count += 1) await write(`number ${count} ${'long '.repeat(300)}`);
    await later(minutes(11));
    const [mail, ...more] = mailsTo(grace);
    assert.deepEqual(more, []);
    assert.equal(mail?.headers.get('subject'), '25 new comments');
    const lines = [...(mail?.text ?? '').matchAll(/^number (\d+) .*…\s*$/gm)];
    assert.deepEqual(
      lines.map(([, count]) => Number(count)),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    assert.ok(lines.every(([line]) => line.trimEnd().length <= 1001));
    assert.match(mail?.text ?? '', /^And 5 more\.\s*$/m);
    await later(minutes(60 * 48));
    assert.equal(mailsTo(grace).length, 1);
  });

  test('leaves ten minutes between two messages', async () => {
    const grace = await moderator();
    const { write } = await blog([grace]);
    await write('the first');
    await later(minutes(11));
    await write('the second');
    await later(minutes(9));
    assert.equal(mailsTo(grace).length, 1);
    await write('the third');
    await later(minutes(2));
    assert.deepEqual(
      mailsTo(grace).map(({ headers }) => headers.get('subject')),
      ['Ada commented in Peas', '2 new comments'],
    );
  });

  test('is not about what the moderator wrote, or what went before it is due', async () => {
    const grace = await moderator();
    const { write } = await blog([grace]);
    await write('my own', grace);
    const trashed = await write('went');
    await server.call('POST', `/api/comments/${trashed}/trash`);
    await later(minutes(60 * 48));
    assert.deepEqual(mailsTo(grace), []);
  });

  test('reaches managers and moderators of everything, and nobody who only writes', async () => {
    const [everywhere, writer] = [await moderator({ name: 'Linus' }), await moderator({ name: 'Wim' })];
    await server.call('PATCH', `/api/users/${everywhere.id}`, { role: 'moderator' });
    const { app, write } = await blog([]);
    const manager = await moderator({ name: 'Mia' });
    await server.call('PUT', `/api/apps/${app.id}/members/${manager.id}`, { role: 'manager' });
    await server.call('PUT', `/api/apps/${app.id}/members/${writer.id}`, { access: 'write' });
    await write('words');
    const closed = await makeApp(server, { access: 'none', name: 'Secret' });
    await makeComment(server, closed.id, { text: 'of others' });
    await later(minutes(60 * 48));
    assert.deepEqual(
      [everywhere, manager, writer].map((each) => mailsTo(each).length),
      [1, 1, 0],
    );
    assert.equal(mailsTo(everywhere)[0]?.headers.get('subject'), 'Ada commented in Peas');
    await server.call('PATCH', `/api/users/${everywhere.id}`, { role: null });
  });

  test('ends with the role and with the choice, also for a comment that is already there', async () => {
    const [demoted, content] = [await moderator(), await moderator()];
    const { app, write } = await blog([demoted, content]);
    await write('words');
    await known();
    await server.call('PUT', `/api/apps/${app.id}/members/${demoted.id}`, { role: null });
    await ask(content, false);
    await later(minutes(60 * 48));
    await write('more words');
    await later(minutes(60 * 48));
    assert.deepEqual([mailsTo(demoted), mailsTo(content)], [[], []]);
  });

  test('is one mail with a reply and a mention, which need no second line', async () => {
    const grace = await moderator();
    const { app, author, write } = await blog([grace], { uid: `blog.example.com~${freshUid('beans')}` });
    const own = await write('a question', grace);
    const answer = await makeComment(author, app.id, { text: 'an answer', reply_to: own });
    await write(`[Grace](@u${grace.id}) look`);
    await write('something else');
    await later(minutes(60 * 48));
    const [mail, ...more] = mailsTo(grace);
    assert.deepEqual(more, []);
    assert.equal(mail?.headers.get('subject'), '3 new notifications');
    const said = [...(mail?.text ?? '').matchAll(/^Ada (replied|mentioned|commented)/gm)];
    assert.deepEqual(
      said.map(([, verb]) => verb),
      ['replied', 'mentioned', 'commented'],
    );
    const url = `https://${app.uid.replace('~', '/')}#comment-${answer.id}`;
    assert.ok(mail?.html.includes(`<a href="${url}">Ada replied`), mail?.html);
  });

  test('comes soon to a moderator who is subscribed as well', async () => {
    const grace = await moderator();
    const { app, write } = await blog([grace]);
    await grace.call('POST', `/api/apps/${app.id}/subscribe`);
    await write('words');
    await later(minutes(11));
    assert.equal(mailsTo(grace).length, 1);
  });
});

// What waited for approval was read there.
describe('mail of a comment that was held', () => {
  test('is the one about what waits, and no second one once it is approved', async () => {
    const [grace, linus] = [await moderator(), await moderator({ name: 'Linus' })];
    const { write } = await blog([grace, linus], { approval: 'everything' });
    const id = await write('words');
    await later(minutes(11));
    for (const each of [grace, linus]) {
      assert.equal(mailsTo(each).length, 1);
      assert.match(mailsTo(each)[0]?.text ?? '', /waits for approval/);
    }
    await grace.call('POST', `/api/comments/${id}/approve`);
    await later(minutes(60 * 48));
    assert.deepEqual([mailsTo(grace).length, mailsTo(linus).length], [1, 1]);
  });

  test('goes to those whom another moderator was faster than', async () => {
    const [grace, linus] = [await moderator(), await moderator({ name: 'Linus' })];
    const { write } = await blog([grace, linus], { approval: 'everything' });
    const id = await write('words');
    await known();
    await grace.call('POST', `/api/comments/${id}/approve`);
    await later(minutes(60 * 48));
    assert.deepEqual(mailsTo(grace), []);
    assert.deepEqual(
      mailsTo(linus).map(({ headers }) => headers.get('subject')),
      ['Ada commented in Peas'],
    );
  });
});

// A moderator acts from the mail, once and only on purpose.
describe('the links of a mail about a new comment', () => {
  for (const [end, state, words] of [
    ['hold', 'held', /Hidden/],
    ['trash', 'trashed', /Removed/],
  ] as const)
    test(`${end} it by a button, while it is shown`, async () => {
      const grace = await moderator();
      const { write } = await blog([grace]);
      const id = await write('I sell <peas>');
      await later(minutes(11));
      const url = linkOf(mailsTo(grace)[0], end);
      const asked = await visit(url);
      assert.equal(asked.status, 200);
      assert.match(asked.text, /I sell &lt;peas&gt;/);
      assert.equal(await stateOf(id), 'shown');
      assert.match((await visit(url, 'POST')).text, words);
      assert.equal(await stateOf(id), state);
      assert.match((await visit(url, 'POST')).text, /not shown any more/);
      assert.match((await visit(url)).text, /not shown any more/);
      const event = await lastEvent(grace, `comment_${state}`);
      assert.equal(event?.actor.id, grace.id);
    });

  test('are of one comment and one moderator, for a week', async () => {
    const grace = await moderator();
    const { app, write } = await blog([grace]);
    const [first, second] = [await write('words'), await write('other words')];
    await later(minutes(11));
    const url = linkOf(mailsTo(grace)[0], 'trash');
    const forged = url.replace(`/${first}/`, `/${second}/`);
    assert.notEqual(forged, url);
    assert.equal((await visit(forged, 'POST')).status, 404);
    assert.equal((await visit(url.replace(/.\/trash$/, '/trash'), 'POST')).status, 404);
    await server.call('PUT', `/api/apps/${app.id}/members/${grace.id}`, { role: null });
    assert.equal((await visit(url, 'POST')).status, 404);
    await server.call('PUT', `/api/apps/${app.id}/members/${grace.id}`, { role: 'moderator' });
    assert.equal((await visit(url)).status, 200);
    clock.move(minutes(8 * 24 * 60));
    assert.match((await visit(url, 'POST')).text, /expired/);
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['shown', 'shown']);
  });
});

// The choice is the moderator's, from a program or from the message.
describe('the choice of new comments', () => {
  const settings = (person: Person) => person.read('/api/user/mail');

  test('is off at first, and is stored with an event', async () => {
    const grace = await moderator({ isTold: false });
    assert.equal((await settings(grace)).new_comments, false);
    await ask(grace);
    assert.equal((await settings(grace)).new_comments, true);
    const event = await lastEvent(grace, 'mail_updated');
    assert.deepEqual([event?.mail, event?.new_comments], ['all', true]);
  });

  test('ends with all mail, and begins it again', async () => {
    const grace = await moderator();
    await grace.call('PATCH', '/api/user/mail', { mail: 'none' });
    assert.equal((await settings(grace)).new_comments, false);
    await ask(grace);
    assert.equal((await settings(grace)).mail, 'direct');
    const both = await grace.call('PATCH', '/api/user/mail', { mail: 'none', new_comments: true });
    assertProblem(both, 422, 'validation_failed', '/new_comments');
    assert.equal((await grace.call('PATCH', '/api/user/mail', { new_comments: null })).status, 422);
  });

  test('counts for nothing where a node of the release before has ended all mail', async () => {
    const grace = await moderator();
    writeStore(server.folder, `update mail_states set choice = 'none' where user_id = ${grace.id}`);
    assert.deepEqual((await settings(grace)).new_comments, false);
    const { write } = await blog([grace]);
    await write('words');
    await settledLog(server);
    assert.deepEqual(await notificationsOf(server, grace.token), []);
    await ask(grace);
    assert.deepEqual((await settings(grace)).mail, 'direct');
  });

  test('notifies as well, and not a user who has stopped all mail', async () => {
    const [grace, stopped] = [await moderator(), await moderator()];
    await stopped.call('PATCH', '/api/user/mail', { mail: 'none' });
    const { write } = await blog([grace, stopped]);
    await write('words');
    await settledLog(server);
    const said = async ({ token }: Person) =>
      (await notificationsOf(server, token)).map(({ plain }) => plain);
    assert.deepEqual([await said(grace), await said(stopped)], [['Ada commented in Peas: words'], []]);
  });

  test('is made at the address of a message, by moderators alone', async () => {
    const grace = await moderator();
    const { app, author, write } = await blog([grace]);
    await write(`[Grace](@u${grace.id}) look`);
    await later(minutes(11));
    const url = /<(.*)>/.exec(mailsTo(grace)[0]?.headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
    assert.match((await visit(url)).text, /\/no-new-comments"/);
    assert.equal((await settings(grace)).new_comments, true);
    await visit(`${url}/no-new-comments`, 'POST');
    assert.equal((await settings(grace)).new_comments, false);
    assert.match((await visit(url)).text, /\/new-comments"/);
    await visit(`${url}/new-comments`, 'POST');
    assert.equal((await settings(grace)).new_comments, true);
    await visit(`${url}/direct`, 'POST');
    assert.deepEqual((await settings(grace)).new_comments, false);
    await server.call('PUT', `/api/apps/${app.id}/members/${grace.id}`, { role: null });
    assert.doesNotMatch((await visit(url)).text, /new-comments/);
    assert.equal((await visit(`${url.slice(0, -1)}/new-comments`, 'POST')).status, 404);
    assert.equal((await settings(author)).new_comments, false);
  });
});
