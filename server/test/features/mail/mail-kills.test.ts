import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { watch } from 'confab-testing/command.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { startMailServer } from 'confab-testing/network/mail-server.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';

/** How many users have a message to get, and how many messages each process sends before it dies. */
const userCount = 16;
const messagesOfEach = [1, 2, 3, 2];

/** Makes a store in which every user has a message that is due. */
async function storeWithDueMail(folder: string, mail: Record<string, string>): Promise<void> {
  const server = await startTestServer(mail, { folder });
  const app = await makeApp(server, { access: 'write' });
  const ids: number[] = [];
  for (let at = 0; at < userCount; at += 1)
    ids.push((await server.create('/api/users', { uid: `u${at}`, email: `u${at}@example.com` })).id);
  await makeComment(server, app.id, { text: ids.map((id) => `[x](@u${id})`).join(' ') });
  await settledLog(server);
  const known = 'select count(*) as n from mail_states where due_at is not null';
  await poll('the mailer', () => Number(readStore(folder, known)[0]?.['n']) === userCount || undefined);
  await server.close();
  // As if an hour had passed since.
  writeStore(folder, 'update notifications set created_at = created_at - 3600000');
  writeStore(folder, 'update mail_states set due_at = user_id');
}

// A message is never sent twice, whatever the moment at which the process dies.
describe('mail of processes that are killed', () => {
  test('is sent once where they die before the commit that records it, and at most once where after it', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-mail-'));
    const mailServer = await startMailServer();
    const settings = {
      CONFAB_SMTP_URL: mailServer.url,
      CONFAB_MAIL_FROM: 'no-reply@example.com',
      CONFAB_LOG_LEVEL: 'error',
    };
    try {
      await storeWithDueMail(folder, settings);
      let diedAfterCommit = 0;
      for (const [turn, count] of messagesOfEach.entries()) {
        const moment = turn % 2 === 0 ? 'statement' : 'commit';
        writeStore(folder, 'update leases set until = 0');
        const program = ['testing/src/killed-server.ts', String(count), '^update "mail_states"', moment];
        const child = spawn(process.execPath, program, {
          env: {
            ...process.env,
            ...settings,
            CONFAB_DATA_DIR: folder,
            CONFAB_PORT: '0',
            ...(await storeSettings(folder)),
          },
        });
        const { ended, said } = watch(child);
        assert.equal(await ended, 'SIGKILL', said.stderr);
        if (moment === 'commit') diedAfterCommit += 1;
      }
      await poll('the mail server', () => mailServer.isIdle() || undefined);
      const sentBefore = mailServer.mails.length;
      writeStore(folder, 'update leases set until = 0');
      const last = await startTestServer(settings, { folder });
      const due = 'select count(*) as n from mail_states where due_at is not null';
      await poll('the rest', () => Number(readStore(folder, due)[0]?.['n']) === 0 || undefined);
      await poll('the mail server', () => mailServer.isIdle() || undefined);
      await last.close();
      const counts = new Map<string, number>();
      for (const { to } of mailServer.mails) counts.set(to, (counts.get(to) ?? 0) + 1);
      assert.ok(sentBefore > 0 && sentBefore < mailServer.mails.length);
      assert.deepEqual(
        [...counts].filter(([, count]) => count > 1),
        [],
      );
      assert.equal(counts.size, userCount - diedAfterCommit);
      t.diagnostic(
        `${messagesOfEach.length} processes killed, ${diedAfterCommit} of them after a commit: ${mailServer.mails.length} of ${userCount} messages arrived, ${diedAfterCommit} were lost, none came twice`,
      );
    } finally {
      await mailServer.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
