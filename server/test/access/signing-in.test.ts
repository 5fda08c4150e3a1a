import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { useMailServer } from 'confab-testing/network/mail-server.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, use } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { freshName, newVerifier, signInGuest } from 'confab-testing/visitors.ts';

const origin = 'https://blog.example.com';

// No credential is needed to get one.
describe('anyone', () => {
  const asking = use(() => startTestServer({ CONFAB_SIGN_IN: 'guest' }));
  after(() => asking.close());

  it('asks how to sign in, and for a puzzle', async () => {
    const anyone = asking.as(null);
    assert.deepEqual(await anyone.read('/api/sign-in'), {
      ways: ['guest'],
      has_puzzle: true,
      pictures: 'none',
      comment_pictures: 'none',
      opens_pages: false,
      lacks: ['visitors'],
    });
    assert.equal((await anyone.call('POST', '/api/sign-in/puzzle')).status, 200);
  });
});

// What changes people and their sessions is told like every other change, whoever caused it.
describe('the events of signing in', () => {
  const mailServer = useMailServer();
  const server = use(() =>
    startTestServer({
      CONFAB_SIGN_IN: 'guest,email',
      CONFAB_SIGN_IN_PUZZLE: 'no',
      CONFAB_SMTP_URL: mailServer.url,
      CONFAB_MAIL_FROM: 'no-reply@example.com',
      CONFAB_CORS_ORIGINS: origin,
    }),
  );
  after(() => server.close());
  const watch = useStoreWatch(server);
  const tried = new Set<string>(['makePuzzle']);

  /** What a request of an operation is told as. */
  async function told(id: string, body: object, as: string | null = null) {
    const operation = operationList.find((each) => each.id === id);
    assert.ok(operation);
    const last = Number(watch.rows('select coalesce(max(id), 0) as id from events')[0]?.['id']);
    const answer = await server.call(operation.method, operation.path, body, { as });
    assert.ok(answer.status in operation.success, answer.text);
    tried.add(id);
    const events = watch.rows(`select action from events where id > ${last} order by id`);
    return { actions: events.map(({ action }) => action), body: answer.body };
  }

  it('are those of users and tokens', async () => {
    const first = await told('signInAsGuest', { name: freshName() });
    assert.deepEqual(first.actions, ['directory_created', 'user_created', 'token_issued']);
    const guest = await told('signInAsGuest', { name: freshName() });
    assert.deepEqual(guest.actions, ['user_created', 'token_issued']);
    const renewed = await told('renewSignIn', { renewal_secret: guest.body.renewal_secret });
    assert.deepEqual(renewed.actions, ['token_issued']);
    const token = renewed.body.access_token;
    assert.deepEqual((await told('updateVisitor', { name: freshName() }, token)).actions, ['user_updated']);
    assert.deepEqual((await told('signOut', {}, token)).actions, ['tokens_revoked']);
  });

  it('are those of a mailbox once it is confirmed', async () => {
    const ask = async (email: string, count: number) => {
      const { verifier, challenge } = newVerifier();
      const asked = await told('signInByEmail', { email, origin, challenge, return_to: `${origin}/` });
      assert.deepEqual(asked.actions, []);
      const mail = await poll('the mail', () => mailServer.mails[count - 1]);
      const code = /^\d{6}$/m.exec(mail.text)?.[0];
      const secret = /\/sign-in\/link#(\w+)\./.exec(mail.text)?.[1];
      return { verifier, challenge, ticket: asked.body.ticket, code, secret };
    };
    const { verifier, ticket, code } = await ask('a@example.com', 1);
    const confirmed = await told('confirmCode', { ticket, code, name: freshName() });
    assert.deepEqual(confirmed.actions, ['user_created']);
    const exchanged = await told('exchangeCode', { code: confirmed.body.code, verifier });
    assert.deepEqual(exchanged.actions, ['token_issued']);
    const { secret, challenge } = await ask('b@example.com', 2);
    const byLink = await told('confirmLink', { secret, challenge, name: freshName() });
    assert.deepEqual(byLink.actions, ['user_created']);
    const unwanted = await ask('c@example.com', 3);
    assert.deepEqual((await told('refuseMail', { secret: unwanted.secret })).actions, []);
  });

  it('are those of an erasure where it joins another account', async () => {
    const add = async (email: string, count: number) => {
      const { access_token: as } = await signInGuest(server);
      const asked = await told('addMailbox', { email, origin }, as);
      assert.deepEqual(asked.actions, []);
      const mail = await poll('the mail', () => mailServer.mails[count - 1]);
      const code = /^\d{6}$/m.exec(mail.text)?.[0];
      return await told('confirmMailbox', { ticket: asked.body.ticket, code }, as);
    };
    const { actions, body } = await add('d@example.com', 4);
    assert.deepEqual(actions, ['tokens_revoked', 'user_updated', 'token_issued']);
    const joined = await add('d@example.com', 5);
    assert.deepEqual(joined.actions.slice(0, 2), ['user_erased', 'token_issued']);
    assert.equal(joined.body.user.id, body.user.id);
  });

  it('end with a session that somebody has copied', async () => {
    const { renewal_secret: secret } = await signInGuest(server);
    const renew = () => server.call('POST', '/api/sign-in/renewal', { renewal_secret: secret }, { as: null });
    assert.equal((await renew()).status, 200);
    assert.equal((await renew()).status, 403);
    const [last] = watch.rows('select action from events order by id desc limit 1');
    assert.equal(last?.['action'], 'tokens_revoked');
  });

  it('are tried for every operation', () => {
    const all = operationList.filter(({ tag, method }) => tag === 'Signing in' && method !== 'GET');
    assert.deepEqual([...tried].sort(), all.map(({ id }) => id).sort());
  });
});
