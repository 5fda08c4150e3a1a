import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, makeAgent, startChat, useProvider } from 'confab-testing/agents.ts';
import { runCommand } from 'confab-testing/command.ts';
import { useServer } from 'confab-testing/server.ts';
import { makeKeyText } from '../../../src/kernel/secret-box.ts';

const [old, next] = [makeKeyText(), makeKeyText()];
const server = useServer({ CONFAB_AGENTS: 'yes', CONFAB_SECRETS_KEY: old });
const provider = useProvider();

// Otherwise the next server could not read what an operator was told is sealed with its key.
test('the key of an agent outlives a change of the key that seals it', async () => {
  const agent = await makeAgent(server, provider, { secret: 'k-1' });
  const chat = await startChat(server.as(await server.token('ada')), agent);
  const askAgain = async () => await ask(server.as(await server.token('ada')), chat, 'Hi');
  const both = { CONFAB_SECRETS_KEY: `${next},${old}` };
  await server.restart(undefined, both);
  const rotated = await runCommand(['secrets', 'rotate', '--data-dir', server.folder], both);
  assert.deepEqual([rotated.code, rotated.stdout.slice(0, 21)], [0, '1 secrets were sealed'], rotated.stderr);
  await server.restart(undefined, { CONFAB_SECRETS_KEY: next });
  assert.equal((await askAgain()).text, 'You said: Hi');
  assert.equal(provider.asked[0]?.authorization, 'Bearer k-1');
});
