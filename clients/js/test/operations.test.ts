import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { signingInOperations } from 'confab-contract/signing-in.ts';
import { useMailServer } from 'confab-testing/network/mail-server.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';
import { newVerifier, solve } from 'confab-testing/visitors.ts';
import { createClient } from '../index.js';
import { walk } from './walk.js';

const methods = Object.keys(createClient({ url: 'http://localhost' })).filter(
  (name) => !['request', 'events', 'changes', 'renderThread'].includes(name),
);
const place = mkdtempSync(join(tmpdir(), 'confab-walk-'));
after(() => rmSync(place, { recursive: true, force: true }));
const server = useServer({ CONFAB_BACKUP_TO: place });
const receiver = useReceiver();
const mailServer = useMailServer();

// Every operation of the contract has a method, except streams, for which there is another way.
test('the client has every operation but those that stream', () => {
  const others = operationList.map(({ id }) => id).filter((id) => !methods.includes(id));
  assert.deepEqual(others, [
    'streamEvents',
    'watchApp',
    'negotiateConnection',
    'openConnection',
    'sendToConnection',
    'endConnection',
  ]);
});

// Each method sends what its operation takes: the server carries all of them out.
test('every operation succeeds through the client', async () => {
  receiver.answer('/article', {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<title>On computable numbers</title>',
  });
  const { called, archive, progress, embedTitle } = await walk({
    createClient,
    url: server.url,
    key: server.key,
    article: `${receiver.url}/article`,
    receiver: `${receiver.url}/hook`,
    name: 'walk',
  });
  const ofVisitors = Object.keys(signingInOperations);
  assert.deepEqual(called, methods.filter((name) => !ofVisitors.includes(name)).sort());
  // A tar archive, whole: its last file is the end of an export.
  assert.match(archive, /^lines\/000001\.jsonl\0.*export\.json\0/s);
  assert.equal(embedTitle, 'On computable numbers');
  assert.equal(progress.at(-1), 1);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
});

// The same for visitors, who need a mailbox and a window.
test('visitors sign in through the client', async () => {
  const origin = 'https://blog.example.com';
  const visited = await startTestServer({
    CONFAB_SIGN_IN: 'guest,email',
    CONFAB_SMTP_URL: mailServer.url,
    CONFAB_MAIL_FROM: 'no-reply@example.com',
    CONFAB_CORS_ORIGINS: origin,
  });
  try {
    const page = createClient({ url: visited.url });
    assert.deepEqual(await page.getSignIn(), {
      ways: ['guest', 'email'],
      has_puzzle: true,
      pictures: 'none',
      comment_pictures: 'none',
      opens_pages: false,
      lacks: ['visitors'],
    });
    const puzzle = await solve(await page.makePuzzle());
    const guest = await page.signInAsGuest({ name: 'Ada Guest', puzzle });
    const renewed = await page.renewSignIn({ renewal_secret: guest.renewal_secret });
    const visitor = createClient({ url: visited.url, token: renewed.access_token });
    assert.equal((await visitor.updateVisitor({ name: 'Ada G.' })).name, 'Ada G.');
    await visitor.signOut({ everywhere: true });
    const ask = async (email: string, count: number) => {
      const { verifier, challenge } = newVerifier();
      const { ticket } = await page.signInByEmail({ email, origin, challenge, return_to: `${origin}/` });
      const mail = await poll('the mail', () => mailServer.mails[count - 1]);
      const code = /^\d{6}$/m.exec(mail.text)?.[0] ?? '';
      const secret = /\/sign-in\/link#(\w+)\./.exec(mail.text)?.[1] ?? '';
      return { verifier, challenge, ticket, code, secret };
    };
    const { ticket, code, verifier } = await ask('a@example.com', 1);
    const confirmed = await page.confirmCode({ ticket, code, name: 'Grace' });
    assert.equal((await page.exchangeCode({ code: confirmed.code ?? '', verifier })).user.name, 'Grace');
    const { secret, challenge } = await ask('a@example.com', 2);
    assert.equal((await page.confirmLink({ secret, challenge })).needs_name, false);
    await page.refuseMail({ secret: (await ask('b@example.com', 3)).secret });
  } finally {
    await visited.close();
  }
});
