import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CookieBrowser } from 'confab-testing/cookie-browser.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useMailServer } from 'confab-testing/network/mail-server.ts';
import { type OidcProvider, startOidcProvider } from 'confab-testing/network/oidc-provider.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { type StoreWatch, watchStore } from 'confab-testing/stores/store-watch.ts';
import { freshName, newVerifier, signInGuest } from 'confab-testing/visitors.ts';

const origin = 'https://blog.example.com';

describe('the accounts of a visitor', () => {
  const mailServer = useMailServer();
  let provider: OidcProvider;
  let server: TestServer;
  let watch: StoreWatch;

  before(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    provider = await startOidcProvider([`${publicUrl}/sign-in/callback/local`], (subject) => ({
      name: `Name of ${subject}`,
      email: `${subject}@example.com`,
      email_verified: true,
    }));
    const { id, secret } = provider.client;
    const settings = {
      CONFAB_PORT: String(port),
      CONFAB_PUBLIC_URL: publicUrl,
      CONFAB_SIGN_IN: 'guest,email,local',
      CONFAB_SIGN_IN_PUZZLE: 'no',
      CONFAB_SIGN_IN_PROVIDERS: JSON.stringify({
        local: { issuer: provider.issuer, client_id: id, client_secret: secret },
      }),
      CONFAB_EGRESS_ALLOW: '127.0.0.1',
      CONFAB_SMTP_URL: mailServer.url,
      CONFAB_MAIL_FROM: 'no-reply@example.com',
      CONFAB_CORS_ORIGINS: origin,
    };
    // Tests wait for many mails.
    server = await startTestServer(settings, { signInMailsEveryMs: 20 });
    watch = watchStore(server.folder);
  });
  after(async () => {
    watch.close();
    await server.close();
    await provider.close();
  });

  const open = { access: 'write', visitors: 'write' };
  let mailboxes = 0;

  /** A mailbox that nobody has signed in by. */
  function freshMailbox(): string {
    mailboxes += 1;
    return `reader${mailboxes}@example.com`;
  }

  const anyone = (path: string, body: object) => server.call('POST', path, body, { as: null });

  /** The newest mail to an address that came after `count` others. */
  async function mailTo(email: string, count = 0) {
    return await poll('the mail', () => {
      const mails = mailServer.mails.filter(({ to }) => to === email);
      return mails.length > count ? mails.at(-1) : undefined;
    });
  }

  const mailsOf = (email: string) => mailServer.mails.filter(({ to }) => to === email).length;
  const codeIn = (text: string) => /^\d{6}$/m.exec(text)?.[0] ?? '';

  async function exchanged(code: string, verifier: string) {
    const { status, body, text } = await anyone('/api/sign-in/token', { code, verifier });
    assert.equal(status, 200, text);
    return body;
  }

  /** Signs in by a mailbox. */
  async function byMail(email: string) {
    const { verifier, challenge } = newVerifier();
    const count = mailsOf(email);
    const { body } = await anyone('/api/sign-in/email', { email, origin, challenge });
    const code = codeIn((await mailTo(email, count)).text);
    const sent = { ticket: body.ticket, code };
    const first = await anyone('/api/sign-in/email/code', sent);
    const confirmed =
      first.body.needs_name === true
        ? await anyone('/api/sign-in/email/code', { ...sent, name: freshName() })
        : first;
    assert.equal(confirmed.status, 200, confirmed.text);
    return await exchanged(String(confirmed.body.code), verifier);
  }

  /** Signs in by the provider as somebody. */
  async function byProvider(subject: string) {
    const { verifier, challenge } = newVerifier();
    const browser = new CookieBrowser();
    const goesOn = (next: string) => !next.startsWith(`${server.url}/sign-in/callback`);
    const start = `${server.url}/sign-in/with/local?${new URLSearchParams({ origin, challenge })}`;
    let page = await browser.open(start, { goesOn });
    for (let step = 0; step < 2 && goesOn(page.url); step += 1) {
      const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? '';
      const form = { prompt, login: subject, password: 'any' };
      page = await browser.open(new URL(action, page.url).href, { form, goesOn });
    }
    const { text } = await browser.open(page.url);
    return await exchanged(/data-code="(wyo_\w+)"/.exec(text)?.[1] ?? '', verifier);
  }

  const add = (token: string, email: string) =>
    server.call('POST', '/api/user/mailbox', { email, origin }, { as: token });
  const confirm = (token: string, sent: { ticket: string; code: string }) =>
    server.call('POST', '/api/user/mailbox/code', sent, { as: token });

  /** Asks for the mail that adds a mailbox, and returns what confirms it. */
  async function asked(token: string, email: string) {
    const count = mailsOf(email);
    const { status, body, text } = await add(token, email);
    assert.equal(status, 200, text);
    const mail = await mailTo(email, count);
    return { ticket: String(body.ticket), code: codeIn(mail.text), mail };
  }

  /** Adds a mailbox. */
  async function added(token: string, email: string) {
    const { ticket, code } = await asked(token, email);
    const { status, body, text } = await confirm(token, { ticket, code });
    assert.equal(status, 200, text);
    return body;
  }

  const isKnown = async (token: string) => (await server.as(token).call('GET', '/api/user')).status === 200;

  /** Waits until everything is handed over. */
  async function areJoined() {
    await poll(
      'the end of erasures',
      () => watch.rows('select id from erasures where finished_at is null').length === 0 || undefined,
    );
  }

  // A guest who confirms a mailbox that is nobody's stays who they are.
  describe('with a mailbox that has no account', () => {
    it('keep what a guest wrote, who is a guest no more', async () => {
      const app = await makeApp(server, open);
      const { access_token: token, user } = await signInGuest(server);
      const comment = await makeComment(server.as(token), app.id, { text: 'as a guest' });
      const author = async () => {
        const { data } = await server.as(null).read(`/api/apps/${app.id}/comments?expand=created_by`);
        return data[0].created_by as { is_guest?: true };
      };
      assert.equal((await author()).is_guest, true);
      assert.deepEqual((await server.as(token).read('/api/user')).ways, []);
      const email = freshMailbox();
      const { mail, ...sent } = await asked(token, email);
      assert.match(mail.text, /add this address to their account at blog\.example\.com/);
      assert.doesNotMatch(mail.text, /sign-in\/link/);
      const { body } = await confirm(token, sent);
      assert.deepEqual(
        [body.user.id, body.user.way, body.user.email, body.user.name],
        [user.id, 'email', email, user.name],
      );
      assert.equal(await isKnown(token), false);
      assert.deepEqual((await server.as(body.access_token).read('/api/user')).ways, ['email']);
      const text = { text: 'as myself' };
      const edited = await server.as(body.access_token).call('PATCH', `/api/comments/${comment.id}`, text);
      assert.equal(edited.status, 200, edited.text);
      assert.equal((await author()).is_guest, undefined);
      assert.equal((await byMail(email)).user.id, user.id);
      assert.equal(watch.rows(`select id from erasures where user_id = ${user.id}`).length, 0);
    });

    it('have it besides a provider, and both ways lead to one', async () => {
      const { access_token: token, user } = await byProvider('dora');
      const email = freshMailbox();
      const body = await added(token, email);
      assert.deepEqual(
        [body.user.id, body.user.way, body.user.email],
        [user.id, 'local', 'dora@example.com'],
      );
      assert.deepEqual((await server.as(body.access_token).read('/api/user')).ways, ['email', 'local']);
      assert.deepEqual(
        [(await byMail(email)).user.id, (await byProvider('dora')).user.id],
        [user.id, user.id],
      );
      assert.equal((await added(body.access_token, email)).user.id, user.id);
    });
  });

  // What a provider says joins nothing; who reads the mailbox does, and keeps everything.
  describe('with the mailbox of another account', () => {
    it('stay apart, whatever a provider says', async () => {
      const { user } = await byMail('ellen@example.com');
      const other = await byProvider('ellen');
      assert.equal(other.user.email, 'ellen@example.com');
      assert.notEqual(other.user.id, user.id);
    });

    it('become one, with what both wrote', async () => {
      const app = await makeApp(server, open);
      const by = await makeUser(server);
      const [both, one] = [await makeComment(by, app.id, {}), await makeComment(by, app.id, {})];
      const email = freshMailbox();
      const kept = await byMail(email);
      const gone = await byProvider('frank');
      const [first, second] = [server.as(kept.access_token), server.as(gone.access_token)];
      await makeComment(first, app.id, { text: 'of the mailbox' });
      const mine = await makeComment(second, app.id, { text: 'of the provider' });
      await second.call('PATCH', `/api/comments/${mine.id}`, { text: 'of the provider, edited' });
      const answer = await second.create(`/api/apps/${app.id}/comments`, {
        text: 'an answer',
        reply_to: mine.id,
      });
      for (const [visitor, id, content] of [
        [first, both.id, '👍'],
        [second, both.id, '🎉'],
        [second, one.id, '🎉'],
      ] as const)
        assert.equal((await visitor.call('POST', `/api/comments/${id}/reactions`, { content })).status, 204);
      for (const visitor of [first, second])
        assert.equal(
          (await visitor.call('POST', `/api/comments/${one.id}/reports`, { reason: 'spam' })).status,
          200,
        );

      const joined = await added(gone.access_token, email);
      assert.equal(joined.user.id, kept.user.id);
      assert.deepEqual([await isKnown(gone.access_token), await isKnown(kept.access_token)], [false, true]);
      await areJoined();
      const { data } = await server.as(null).read(`/api/apps/${app.id}/comments?expand=created_by`);
      assert.equal(data.filter(({ created_by: author }) => author?.id === kept.user.id).length, 3);
      assert.equal(
        data.filter(({ created_by: author }) => author?.display_name === 'Deleted user').length,
        0,
      );
      const visitor = server.as(joined.access_token);
      const { body } = await visitor.call('PATCH', `/api/comments/${answer.id}`, { text: 'mine' });
      assert.deepEqual([body.text, body.modified_by_id], ['mine', kept.user.id]);
      const shown = await server.read(`/api/comments/${both.id}`);
      assert.deepEqual(
        shown.reactions.map(({ content }) => content),
        ['👍'],
      );
      const reactions = await server.read(`/api/comments/${one.id}/reactions`);
      assert.deepEqual(
        reactions.data.map(({ created_by_id: id }) => id),
        [kept.user.id],
      );
      assert.deepEqual(watch.rows(`select reaction_count from entries where id in (${both.id}, ${one.id})`), [
        { reaction_count: 1 },
        { reaction_count: 1 },
      ]);
      const complaints = watch.rows('select user_id from complaints');
      assert.deepEqual(complaints, [{ user_id: kept.user.id }]);
      for (const { user } of [await byMail(email), await byProvider('frank')])
        assert.equal(user.id, kept.user.id);
      assert.equal((await server.call('GET', `/api/users/${gone.user.id}`)).status, 404);
      const [erasure] = watch.rows(`select id from erasures where user_id = ${gone.user.id}`);
      const receipt = await server.read(`/api/erasures/${Number(erasure?.['id'])}`);
      assert.deepEqual(
        [receipt.content, receipt.heir_id, receipt.counts.comments, receipt.counts.reactions],
        ['keep', kept.user.id, 2, 2],
      );
    });

    it('tell the log who the author is, and nobody a second time of an answer', async () => {
      const app = await makeApp(server, open);
      const reader = await makeUser(server);
      const { access_token: token, user } = await signInGuest(server);
      const first = await makeComment(reader, app.id, {});
      const { id } = await makeComment(server.as(token), app.id, { text: 'hello', reply_to: first.id });
      const told = async () => (await reader.read('/api/notifications')).data.length;
      await poll('the notification', async () => (await told()) === 1 || undefined);
      const email = freshMailbox();
      const kept = await byMail(email);
      await added(token, email);
      await areJoined();
      // The notifier reads the log in order, so it is past the change once it has told of this.
      await makeComment(server, app.id, { reply_to: first.id });
      await poll('the next notification', async () => (await told()) > 1 || undefined);
      assert.equal(await told(), 2);
      assert.equal(watch.actionsOf('user', user.id).at(-1), 'user_erased');
      assert.deepEqual(watch.actionsOf('comment', id), ['comment_created', 'comment_updated']);
      const [event] = watch.rows(
        `select payload from events where entity_type = 'comment' and entity_id = ${id} and action = 'comment_updated'`,
      );
      assert.match(String(event?.['payload']), new RegExp(`"created_by_id":${kept.user.id}\\b`));
      assert.match(String(event?.['payload']), /"text":"hello/);
    });

    it('go through several that were joined, and leave nothing when the last is erased', async () => {
      const app = await makeApp(server, open);
      const [one, two] = [freshMailbox(), freshMailbox()];
      const guest = await signInGuest(server, 'Wanda Woods');
      const { id } = await makeComment(server.as(guest.access_token), app.id, { text: 'words of wanda' });
      await server.as(guest.access_token).call('PATCH', `/api/comments/${id}`, { text: 'words by wanda' });
      await byMail(one);
      await byMail(two);
      const second = await added(guest.access_token, one);
      const third = await added(second.access_token, two);
      await areJoined();
      assert.equal((await server.read(`/api/comments/${id}`)).created_by.id, third.user.id);
      const last = server.as(third.access_token);
      assert.deepEqual((await last.read('/api/user')).ways, ['email']);
      const archive = await last.call('GET', `/api/users/${third.user.id}/export`);
      assert.ok(archive.text.includes('words by wanda'));
      assert.equal((await last.call('DELETE', `/api/users/${third.user.id}`)).status, 202);
      await areJoined();
      assert.equal((await server.call('GET', `/api/comments/${id}`)).status, 404);
      for (const [table, column] of [
        ['entries', 'content'],
        ['revisions', 'content'],
        ['events', 'payload'],
        ['users', 'display_name'],
        ['sign_in_requests', 'email'],
        ['sign_in_identities', 'subject'],
      ])
        for (const word of ['of wanda', 'by wanda', 'Wanda Woods', one, two])
          assert.equal(watch.rows(`select 1 from ${table} where ${column} like '%${word}%'`).length, 0, word);
    });
  });

  it('become one in several steps, also where the one that stays is erased before the last', async () => {
    const app = await makeApp(server, open);
    const [kept, erased] = [freshMailbox(), freshMailbox()];
    for (const email of [kept, erased]) {
      const { access_token: token } = await signInGuest(server);
      const written = Array.from({ length: 120 }, (_, index) =>
        makeComment(server.as(token), app.id, { text: `number ${index} for ${email}` }),
      );
      await Promise.all(written);
      await byMail(email);
      const { access_token: joined, user } = await added(token, email);
      if (email === erased)
        assert.equal((await server.as(joined).call('DELETE', `/api/users/${user.id}`)).status, 202);
      await areJoined();
      const wrote = watch.rows(`select id from entries where created_by_id = ${user.id}`).length;
      assert.equal(wrote, email === kept ? 120 : 0);
    }
    const count = watch.rows(`select id from entries where app_id = ${app.id} and kind = 'comment'`).length;
    assert.equal(count, 120);
    assert.equal(watch.rows(`select id from events where payload like '%for ${erased}%'`).length, 0);
  });

  describe('become one for nobody else:', () => {
    it('not with a wrong code, tried five times, nor with the right one after that', async () => {
      const email = freshMailbox();
      await byMail(email);
      const { access_token: token } = await signInGuest(server);
      const { ticket, code } = await asked(token, email);
      for (let tried = 0; tried < 5; tried += 1)
        assertProblem(await confirm(token, { ticket, code: 'x' }), 403, 'sign_in_ended');
      assertProblem(await confirm(token, { ticket, code }), 403, 'sign_in_ended');
      assert.equal(await isKnown(token), true);
    });

    it('not for another visitor who has the ticket and the code', async () => {
      const email = freshMailbox();
      const { user } = await byMail(email);
      const [mine, theirs] = [await signInGuest(server), await signInGuest(server)];
      const sent = await asked(mine.access_token, email);
      assertProblem(await confirm(theirs.access_token, sent), 403, 'sign_in_ended');
      assert.equal((await confirm(mine.access_token, sent)).body.user.id, user.id);
    });

    it('not with what signs in, which is not signed in with by what joins', async () => {
      const email = freshMailbox();
      await byMail(email);
      const { access_token: token } = await signInGuest(server);
      const { challenge } = newVerifier();
      const count = mailsOf(email);
      const { ticket } = (await anyone('/api/sign-in/email', { email, origin, challenge })).body;
      const code = codeIn((await mailTo(email, count)).text);
      assertProblem(await confirm(token, { ticket: String(ticket), code }), 403, 'sign_in_ended');
      const { mail, ...sent } = await asked(token, email);
      assertProblem(await anyone('/api/sign-in/email/code', sent), 403, 'sign_in_ended');
      const secret = /\/sign-in\/refuse#(\S+)/.exec(mail.text)?.[1];
      assertProblem(await anyone('/api/sign-in/email/link', { secret, challenge }), 403, 'sign_in_ended');
      assertProblem(await anyone('/api/user/mailbox/code', sent), 401, 'unauthorized');
      assert.equal((await confirm(token, sent)).status, 200);
    });

    it('not twice, also at once', async () => {
      const email = freshMailbox();
      const { user } = await byMail(email);
      const { access_token: token } = await signInGuest(server);
      const sent = await asked(token, email);
      const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(token, sent)));
      const right = answers.filter(({ status }) => status === 200);
      assert.equal(right.length, 1);
      assert.equal(right[0]?.body.user.id, user.id);
    });

    it('not where one of them is suspended, which joining does not end', async () => {
      const app = await makeApp(server, open);
      const email = freshMailbox();
      const banned = await byMail(email);
      const { access_token: token, user } = await signInGuest(server);
      const { id } = await makeComment(server.as(token), app.id, {});
      const sent = await asked(token, email);
      const suspend = (who: number, is_suspended: boolean) =>
        server.call('PATCH', `/api/users/${who}`, { is_suspended });
      await suspend(banned.user.id, true);
      assertProblem(await confirm(token, sent), 403, 'sign_in_ended');
      assert.equal(await isKnown(token), true);
      assert.equal((await server.read(`/api/comments/${id}`)).created_by.id, user.id);
      await suspend(banned.user.id, false);
      const again = await asked(token, email);
      await suspend(user.id, true);
      assert.equal((await confirm(token, again)).status, 401);
      assert.equal((await byMail(email)).user.id, banned.user.id);
    });

    it('not after the visitor is erased', async () => {
      const { access_token: token, user } = await signInGuest(server);
      const sent = await asked(token, freshMailbox());
      await server.as(token).call('DELETE', `/api/users/${user.id}`);
      assert.equal((await confirm(token, sent)).status, 401);
      assert.equal(watch.rows(`select 1 from sign_in_requests where user_id = ${user.id}`).length, 0);
    });

    it('and nobody finds out who has one', async () => {
      const [known, unknown] = [freshMailbox(), freshMailbox()];
      await byMail(known);
      const { access_token: token } = await signInGuest(server);
      const answers = [await add(token, known), await add(token, unknown)];
      assert.deepEqual(
        answers.map(({ status, body }) => [status, Object.keys(body), body.expires_in]),
        new Array(2).fill([200, ['ticket', 'expires_in'], 900]),
      );
      for (const { body } of answers)
        assertProblem(await confirm(token, { ticket: String(body.ticket), code: 'x' }), 403, 'sign_in_ended');
    });

    it('and a mailbox gets five mails an hour, whatever they are for', async () => {
      const email = freshMailbox();
      for (let sent = 0; sent < 7; sent += 1)
        assert.equal((await add((await signInGuest(server)).access_token, email)).status, 200);
      const { access_token: token } = await signInGuest(server);
      await asked(token, freshMailbox());
      assert.equal(mailsOf(email), 5);
    });
  });

  it('become one, whichever of two is joined to the other at once', async () => {
    const [one, two] = [freshMailbox(), freshMailbox()];
    const [first, second] = [await byMail(one), await byMail(two)];
    const [a, b] = [await asked(first.access_token, two), await asked(second.access_token, one)];
    const answers = await Promise.all([confirm(first.access_token, a), confirm(second.access_token, b)]);
    assert.ok(answers.some(({ status }) => status === 200));
    const left = new Set([(await byMail(one)).user.id, (await byMail(two)).user.id]);
    assert.equal(left.size, 1);
    await areJoined();
  });

  it('become one, where two guests confirm the same mailbox at once', async () => {
    const email = freshMailbox();
    const guests = [await signInGuest(server), await signInGuest(server)];
    const sent = await asked(guests[0]?.access_token ?? '', email);
    const other = await asked(guests[1]?.access_token ?? '', email);
    const answers = await Promise.all([
      confirm(guests[0]?.access_token ?? '', sent),
      confirm(guests[1]?.access_token ?? '', other),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(new Set(answers.map(({ body }) => body.user.id)).size, 1);
    await areJoined();
  });
});
