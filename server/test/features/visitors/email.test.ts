import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { useMailServer } from 'confab-testing/network/mail-server.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, use } from 'confab-testing/server.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { freshName, newVerifier } from 'confab-testing/visitors.ts';

const origin = 'https://blog.example.com';

describe('signing in by mail', () => {
  let now = Date.parse('2026-11-26T10:00:00Z');
  const mailServer = useMailServer();
  const server = use(() =>
    startTestServer(
      {
        CONFAB_SIGN_IN: 'email',
        CONFAB_SMTP_URL: mailServer.url,
        CONFAB_MAIL_FROM: 'Confab <no-reply@example.com>',
        CONFAB_CORS_ORIGINS: origin,
        CONFAB_TRUSTED_PROXIES: '127.0.0.1',
      },
      // Tests wait for many mails.
      { clock: { now: () => now }, signInMailsEveryMs: 20 },
    ),
  );
  after(() => server.close());

  const post = (path: string, body: object, client = '192.0.2.1') =>
    server.call('POST', `/api/sign-in${path}`, body, { as: null, headers: { 'x-forwarded-for': client } });

  /** Asks for a mail from a network, and returns the ticket with the verifier of the page. */
  async function ask(email: string, fields: object = {}, client = '192.0.2.1') {
    const { verifier, challenge } = newVerifier();
    const { status, body, text } = await post('/email', { email, origin, challenge, ...fields }, client);
    assert.equal(status, 200, text);
    return { verifier, ticket: body.ticket as string };
  }

  /** The code and the secret of the newest mail to an address, once there are `count`. */
  async function mailTo(email: string, count = 1) {
    const mail = await poll('the mail', () => {
      const mails = mailServer.mails.filter(({ to }) => to === email);
      return mails.length >= count ? mails.at(-1) : undefined;
    });
    const code = /^\d{6}$/m.exec(mail.text)?.[0] ?? '';
    const secret = /\/sign-in\/refuse#(\w+)/.exec(mail.text)?.[1] ?? '';
    const challenge = /\/sign-in\/link#\w+\.(\S+)/.exec(mail.text)?.[1];
    return { code, secret, challenge, mail };
  }

  /** Signs a visitor in by the code of a mail. */
  async function signIn(email: string, name?: string, count = 1, client = '192.0.2.1') {
    const { ticket, verifier } = await ask(email, {}, client);
    const { code } = await mailTo(email, count);
    const confirmed = await post('/email/code', { ticket, code, ...(name === undefined ? {} : { name }) });
    assert.equal(confirmed.status, 200, confirmed.text);
    const { status, body, text } = await post('/token', { code: confirmed.body.code, verifier }, client);
    assert.equal(status, 200, text);
    return body;
  }

  /** How many mails have come to an address, once all that were asked for before have. */
  async function mailsTo(...emails: readonly string[]): Promise<number> {
    witnesses += 1;
    // Mails that are due at the same time go in any order.
    now += 1;
    await ask(`witness-${witnesses}@example.com`, {}, '192.0.2.99');
    await mailTo(`witness-${witnesses}@example.com`);
    return mailServer.mails.filter(({ to }) => emails.includes(to)).length;
  }
  let witnesses = 0;

  /** Waits until the mail server has put the mail to an address off so often. */
  async function isPutOff(email: string, attempts: number): Promise<void> {
    const sql = `select 1 from sign_in_requests where email = '${email}' and attempts = ${attempts}`;
    await poll('the next try', () => readStore(server.folder, sql).length === 1 || undefined);
  }

  it('makes a visitor of who reads the mailbox, and knows them again', async () => {
    const email = 'ada@example.com';
    const { ticket, verifier } = await ask('  Ada@Example.com ', { return_to: `${origin}/post?x=1#part` });
    const { code, mail } = await mailTo(email);
    assert.match(mail.text, /\/sign-in\/link#/);
    assert.match(mail.headers.get('subject') ?? '', /^\d{6} is your code for blog\.example\.com$/);
    const nameless = await post('/email/code', { ticket, code });
    assert.deepEqual(nameless.body, { needs_name: true, origin, return_to: `${origin}/post?x=1` });
    const name = freshName();
    const confirmed = await post('/email/code', {
      ticket,
      code: ` ${code.slice(0, 3)} ${code.slice(3)} `,
      name,
    });
    assert.equal(confirmed.body.needs_name, false, confirmed.text);
    const first = await post('/token', { code: confirmed.body.code, verifier });
    assert.deepEqual(
      [first.body.user.way, first.body.user.email, first.body.user.name],
      ['email', email, name],
    );
    const again = await signIn(email, undefined, 2);
    assert.equal(again.user.id, first.body.user.id);
    // There is no page to which its link could lead.
    assert.doesNotMatch((await mailTo(email, 2)).mail.text, /\/sign-in\/link/);
  });

  it('goes by the link as well, in the browser that began', async () => {
    const email = 'link@example.com';
    const { verifier } = await ask(email, { return_to: `${origin}/` });
    const { secret, challenge } = await mailTo(email);
    const { challenge: other } = newVerifier();
    // Of a browser in which another page has begun: nothing is used up.
    const strange = await post('/email/link', { secret, challenge: other, name: freshName() });
    assert.deepEqual([strange.status, strange.body.code], [403, 'sign_in_ended']);
    const confirmed = await post('/email/link', { secret, challenge, name: freshName() });
    assert.equal(confirmed.body.return_to, `${origin}/`);
    const elsewhere = await post('/token', { code: confirmed.body.code, verifier: newVerifier().verifier });
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [403, 'sign_in_ended']);
    // It was tried, so it is used up.
    assert.equal((await post('/token', { code: confirmed.body.code, verifier })).status, 403);
    assert.equal((await post('/email/link', { secret, challenge })).status, 403);
  });

  it('makes one visitor of a mailbox that is confirmed twice at once', async () => {
    const email = 'twice@example.com';
    const asked = [];
    for (const count of [1, 2])
      asked.push({ ...(await ask(email)), code: (await mailTo(email, count)).code });
    const confirmed = await Promise.all(
      asked.map(({ ticket, code }) => post('/email/code', { ticket, code, name: freshName() })),
    );
    const ids = [];
    for (const [index, { verifier }] of asked.entries()) {
      const answer = await post('/token', { code: confirmed[index]?.body.code, verifier });
      assert.equal(answer.status, 200, answer.text);
      ids.push(answer.body.user.id);
    }
    assert.equal(new Set(ids).size, 1);
  });

  it('ends a session whose code comes again', async () => {
    const email = 'copied@example.com';
    const { ticket, verifier } = await ask(email);
    const { code } = await mailTo(email);
    const confirmed = await post('/email/code', { ticket, code, name: freshName() });
    const first = await post('/token', { code: confirmed.body.code, verifier });
    const { body: renewed } = await post('/renewal', { renewal_secret: first.body.renewal_secret });
    const works = async () => (await server.as(renewed.access_token).call('GET', '/api/user')).status;
    assert.equal(await works(), 200);
    now += 24 * 60 * 60_000;
    const fresh = (await post('/renewal', { renewal_secret: renewed.renewal_secret })).body;
    // A copy may come without the verifier.
    const again = await post('/token', { code: confirmed.body.code, verifier: newVerifier().verifier });
    assert.deepEqual([again.status, again.body.code], [403, 'sign_in_ended']);
    assert.equal((await server.as(fresh.access_token).call('GET', '/api/user')).status, 401);
    assert.equal((await post('/renewal', { renewal_secret: fresh.renewal_secret })).status, 403);
  });

  it('takes five codes for a mail, and none after fifteen minutes', async () => {
    const email = 'guess@example.com';
    const { ticket } = await ask(email);
    const { code } = await mailTo(email);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (let n = 0; n < 5; n += 1)
      assert.equal((await post('/email/code', { ticket, code: wrong })).status, 403);
    assert.equal((await post('/email/code', { ticket, code })).status, 403);
    const late = await ask(email, { return_to: `${origin}/` });
    const second = await mailTo(email, 2);
    now += 15 * 60_000;
    assert.equal((await post('/email/code', { ticket: late.ticket, code: second.code })).status, 403);
    const link = { secret: second.secret, challenge: second.challenge };
    assert.equal((await post('/email/link', link)).status, 403);
  });

  it('sends five mails an hour to a mailbox for one network and ten for all, and answers the same beyond', async () => {
    const email = 'flood@example.com';
    for (let n = 0; n < 6; n += 1) await ask(email, {}, '203.0.113.5');
    const { ticket } = await ask(email, {}, '203.0.113.5');
    assert.equal((await post('/email/code', { ticket, code: '000000' })).status, 403);
    assert.equal(await mailsTo(email), 5);
    // Whoever reads the mailbox comes from elsewhere, and an IPv6 line is one network.
    for (const end of ['1::1', '2::1', '3::1', '4::1', '5::1', '6::1'])
      await ask(email, {}, `2001:db8:7:${end}`);
    assert.equal(await mailsTo(email), 10);
    await ask(email, {}, '198.51.100.1');
    assert.equal(await mailsTo(email), 10);
    now += 61 * 60_000;
    await ask(email, {}, '203.0.113.5');
    assert.equal(await mailsTo(email), 11);
  });

  it('keeps no visitor out where others ask for mails to the mailbox', async () => {
    const email = 'owner@example.com';
    const { user } = await signIn(email, freshName(), 1, '198.51.100.7');
    for (const client of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      for (let n = 0; n < 5; n += 1) await ask(email, {}, client);
    assert.equal(await mailsTo(email), 1 + 10);
    const again = await signIn(email, undefined, 12, '198.51.100.7');
    assert.equal(again.user.id, user.id);
  });

  it('counts the spellings of a mailbox as one, and says from where a request came', async () => {
    const spellings = [
      ['victim@example.com', 'victim@example.com'],
      ['victim+1@example.com', 'victim+1@example.com'],
      ['VICTIM+2@Example.com', 'victim+2@example.com'],
      ['victim+3@example.com.', 'victim+3@example.com'],
      ['victim@exam\u200bple.com', 'victim@example.com'],
      ['victim@exa\u00admple.com', undefined],
      ['victim+4+5@ｅｘａｍｐｌｅ.com', undefined],
    ] as const;
    for (const [sent] of spellings) await ask(sent, {}, '203.0.113.77');
    const arrived = [...new Set(spellings.flatMap(([, to]) => to ?? []))];
    assert.equal(await mailsTo(...arrived, 'victim+4+5@example.com'), 5);
    for (const at of arrived)
      assert.ok((await mailTo(at)).mail.text.includes('network address 203.0.113.x.'));
    const gmail = ['abc@gmail.com', 'a.b.c@gmail.com', 'ab.c+x@googlemail.com', 'a.bc@googlemail.com'];
    for (const sent of [...gmail, 'ab.c@gmail.com', 'ab.c+y@gmail.com'])
      await ask(sent, {}, '2001:db8:9:1::5');
    assert.equal(await mailsTo(...gmail, 'ab.c@gmail.com', 'ab.c+y@gmail.com'), 5);
    assert.ok((await mailTo('abc@gmail.com')).mail.text.includes('network address 2001:db8:9::/48.'));
  });

  it('takes the domain of an address in ASCII, and none with what nobody sees', async () => {
    await ask('ute@münchen.example');
    const [row] = readStore(server.folder, `select email from sign_in_requests where email like 'ute@%'`);
    assert.equal(row?.['email'], 'ute@xn--mnchen-3ya.example');
    const { challenge } = newVerifier();
    for (const email of [
      'a\u200bb@example.com',
      'a\u2063@example.com',
      'a@example.com/b',
      'a@example.com:25',
      'a@[192.0.2.1]',
      'a@127.1',
      'a@exa\u202emple.com',
      'a@-example.com',
      'a@example..com',
      'a@%65xample.com',
    ]) {
      const answer = await post('/email', { email, origin, challenge });
      assert.deepEqual([answer.status, answer.body.errors?.[0].pointer], [422, '/email'], email);
    }
  });

  it('sends no mail for a week to who wants none, in whatever spelling', async () => {
    const email = 'stop@example.com';
    await ask(email);
    const { secret } = await mailTo(email);
    assert.equal((await post('/email/refusal', { secret })).status, 204);
    assert.equal((await post('/email/refusal', { secret })).status, 403);
    for (const spelling of [email, 'stop+1@example.com', 'Stop@Example.com.'])
      await ask(spelling, {}, '203.0.113.9');
    assert.equal(await mailsTo(email, 'stop+1@example.com'), 1);
    const [{ hash } = {}] = readStore(server.folder, 'select hash from refused_mailboxes');
    const guessed = createHash('sha256').update(`mailbox ${email}`).digest();
    assert.notDeepEqual(Buffer.from(hash as Uint8Array), guessed);
    now += 7 * 24 * 60 * 60_000;
    await ask(email);
    await mailTo(email, 2);
  });

  it('goes on with the mails of others while the mail server puts one off, and tries that one again later', async () => {
    for (const at of ['recipient', 'end'] as const) {
      const later = `x@later-${at}.example`;
      const refused = mailServer.refusals();
      mailServer.reply({ at, code: 450, to: later });
      await ask(later);
      await isPutOff(later, 1);
      for (let n = 0; n < 5; n += 1) await ask(`${at}-${n}@example.com`);
      for (let n = 0; n < 5; n += 1) await mailTo(`${at}-${n}@example.com`);
      assert.equal(mailServer.refusals(), refused + 1, 'not tried again before it is due');
      for (const [tries, seconds] of [15, 30, 60].entries()) {
        now += seconds * 1000 - 1;
        await ask(`${at}-witness-${tries}@example.com`);
        await mailTo(`${at}-witness-${tries}@example.com`);
        assert.equal(mailServer.refusals(), refused + tries + 1, 'the pauses double');
        now += 1;
        await isPutOff(later, tries + 2);
        assert.equal(mailServer.refusals(), refused + tries + 2);
      }
      mailServer.reply(undefined);
      now += 120_000;
      await mailTo(later);
    }
  });

  it('goes on with the mails of others where one cannot be opened', async () => {
    const sealed = 'sealed@example.com';
    mailServer.reply({ at: 'recipient', code: 450, to: sealed });
    await ask(sealed);
    await isPutOff(sealed, 1);
    writeStore(
      server.folder,
      `update sign_in_requests set sealed = replace(sealed, 'sealed1:', 'sealed1:0') where email = '${sealed}'`,
    );
    mailServer.reply(undefined);
    now += 15_000;
    await ask('behind-it@example.com');
    await mailTo('behind-it@example.com');
    assert.equal(mailServer.mails.filter(({ to }) => to === sealed).length, 0);
  });

  it('names no visitor like another', async () => {
    const { user } = await signIn('one@example.com', freshName());
    const { ticket } = await ask('two@example.com');
    const { code } = await mailTo('two@example.com');
    const taken = await post('/email/code', { ticket, code, name: user.name });
    assert.deepEqual([taken.status, taken.body.errors[0].code], [422, 'taken']);
    assert.equal((await post('/email/code', { ticket, code, name: freshName() })).status, 200);
  });

  it('answers listed pages alone', async () => {
    const { challenge } = newVerifier();
    for (const [fields, pointer] of [
      [{ origin: 'https://evil.example.com' }, '/origin'],
      [{ origin: '*' }, '/origin'],
      [{ origin: `${origin}/` }, '/origin'],
      [{ return_to: 'https://evil.example.com/' }, '/return_to'],
      [{ return_to: `${origin}.evil.example.com/` }, '/return_to'],
      [{ return_to: `https://user:secret@blog.example.com/` }, '/return_to'],
      [{ return_to: 'javascript:alert(1)' }, '/return_to'],
      [{ return_to: '//blog.example.com/' }, '/return_to'],
      [{ email: 'no address' }, '/email'],
      [{ email: 'a@b.example.com\r\nbcc: c@example.com' }, '/email'],
    ] as const) {
      const body = { email: 'x@example.com', origin, challenge, ...fields };
      const answer = await post('/email', body);
      assert.deepEqual([answer.status, answer.body.errors?.[0].pointer], [422, pointer], answer.text);
    }
  });

  it('is over for who is suspended or erased', async () => {
    const email = 'gone@example.com';
    const { user } = await signIn(email, freshName());
    await server.call('PATCH', `/api/users/${user.id}`, { is_suspended: true });
    const { ticket } = await ask(email);
    const { code } = await mailTo(email, 2);
    assert.equal((await post('/email/code', { ticket, code })).status, 403);
    await server.call('DELETE', `/api/users/${user.id}`);
    const again = await signIn(email, freshName(), 3);
    assert.notEqual(again.user.id, user.id);
  });
});
