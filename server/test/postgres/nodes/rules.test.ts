import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';

const rules = [{ name: 'bad words', action: 'refuse', words: ['casino'] }];

/** Sets rules on one node, and resolves when the other screens with them, to the status of a text there. */
async function setAndSee({ a, b }: Nodes): Promise<number> {
  const app = (await makeApp(a, { access: 'write' })).id;
  const { token } = await makeUser(a);
  const send = async () =>
    (await b.call('POST', `/api/apps/${app}/comments`, { text: 'casino' }, { as: token })).status;
  assert.equal(await send(), 201);
  assert.equal((await a.call('PUT', '/api/moderation/rules', { version: 0, rules })).status, 200);
  return await poll('the rules to reach the other node', async () => {
    const status = await send();
    return status === 201 ? undefined : status;
  });
}

// A change of the rules reaches every node: at once where nodes hear of each other, and within ten seconds elsewhere.
describe('rules on several nodes', () => {
  const started: Nodes[] = [];
  after(async () => {
    for (const nodes of started) await nodes.close();
  });
  const start = async (settings: Record<string, string> = {}) => {
    const nodes = await startNodes({}, settings);
    started.push(nodes);
    return nodes;
  };

  test('reach nodes that hear of the change', async () => {
    assert.equal(await setAndSee(await start()), 403);
  });

  test('reach nodes behind a pooler, which hear nothing', async () => {
    assert.equal(await setAndSee(await start({ CONFAB_DATABASE_PREPARE: 'no' })), 403);
  });

  test('count the texts that a user sends to both', async () => {
    const { a, b } = await start();
    const app = (await makeApp(a, { access: 'write' })).id;
    const { token } = await makeUser(a);
    const rate = { name: 'rate', action: 'refuse', rate: { count: 3, seconds: 60 } };
    await a.call('PUT', '/api/moderation/rules', { version: 0, rules: [...rules, rate] });
    await poll('the rules to reach the other node', async () => {
      const { body } = await b.call('POST', '/api/moderation/test', { text: 'casino' });
      return body.matches.length === 1 ? true : undefined;
    });
    const answers = await Promise.all(
      [a, b, a, b, a, b].map((node, at) =>
        node.call('POST', `/api/apps/${app}/comments`, { text: `text ${at}` }, { as: token }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
  });
});
