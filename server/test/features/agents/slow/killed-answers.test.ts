import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  beginStream,
  eventOf,
  makeAgent,
  startChat,
  startProvider,
  streaming,
} from 'confab-testing/agents.ts';
import { send } from 'confab-testing/client.ts';
import { watch } from 'confab-testing/command.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';

const settings = { CONFAB_AGENTS: 'yes', CONFAB_LOG_LEVEL: 'silent', CONFAB_EGRESS_ALLOW: '127.0.0.0/8' };

/** Where a process dies: at a statement, or after its commit. */
const moments = [
  ['claims the question', '^update "agent_questions" set "holder"', 'statement'],
  ['has claimed the question', '^update "agent_questions" set "holder"', 'commit'],
  ['writes the beginning of the answer', '^update "agent_questions" set "answer_id"', 'statement'],
  ['has written the beginning of the answer', '^update "agent_questions" set "answer_id"', 'commit'],
  ['writes the end of the answer', '^update "agent_questions" set "finished_at"', 'statement'],
  ['has written the end of the answer', '^update "agent_questions" set "finished_at"', 'commit'],
] as const;

// Each message gets exactly one answer, whatever the moment at which the process dies.
describe('a question of a process that is killed', () => {
  for (const [name, statement, moment] of moments)
    test(`is answered once when it ${name}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'confab-agents-'));
      const provider = await startProvider();
      try {
        // A stream of two parts, so that there is a beginning.
        const begun = 'select message_id from agent_questions where answer_id is not null';
        provider.will(async (response) => {
          beginStream(response).write(eventOf('One '));
          const isOver = () => response.closed || readStore(folder, begun).length > 0;
          await poll('the beginning of the answer', () => isOver() || undefined);
          response.end(`${eventOf('and two')}data: [DONE]\n\n`);
        });
        const before = await startTestServer(settings, { folder });
        const agent = await makeAgent(before, provider);
        const token = await before.token('ada');
        const chat = await startChat(before.as(token), agent);
        await before.close();
        const child = spawn(process.execPath, ['testing/src/killed-server.ts', '1', statement, moment], {
          env: {
            ...process.env,
            ...settings,
            CONFAB_DATA_DIR: folder,
            CONFAB_PORT: '0',
            ...(await storeSettings(folder)),
          },
        });
        const { ended, said } = watch(child);
        await poll('the start', () => said.stdout.includes('ready') || undefined);
        const [url = ''] = said.stdout.split('\n');
        await send(`${url}/api/apps/${chat.id}/messages`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ text: 'Hi' }),
        });
        assert.equal(await ended, 'SIGKILL', said.stderr);
        provider.will(streaming('One ', 'and two'));
        // As if the time had passed for which the dead process holds the question.
        writeStore(folder, 'update agent_questions set held_until = 0');
        const after = await startTestServer(settings, { folder });
        const open = 'select count(*) as n from agent_questions where finished_at is null';
        await poll('the answer', () => Number(readStore(folder, open)[0]?.['n']) === 0 || undefined);
        const { data } = await after.read(`/api/apps/${chat.id}/messages?order_by=id`);
        assert.deepEqual(
          data.map(({ text, metadata }) => [text, metadata]),
          [
            ['Hi', undefined],
            ['One and two', undefined],
          ],
        );
        await after.close();
      } finally {
        provider.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
});
