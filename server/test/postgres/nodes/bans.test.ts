import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshName } from 'confab-testing/visitors.ts';

const open = {
  CONFAB_SIGN_IN: 'guest',
  CONFAB_SIGN_IN_PUZZLE: 'no',
  CONFAB_TRUSTED_PROXIES: '127.0.0.1',
  CONFAB_LIMITS_ADDRESS: 'off',
};

// A ban holds on the node that took it at once, and reaches every node, also one that hears nothing of it.
describe('bans on several nodes', () => {
  for (const [name, settings] of [
    ['nodes that hear of them', {}],
    ['nodes behind a pooler, which hear nothing', { CONFAB_DATABASE_PREPARE: 'no' }],
  ] as const)
    test(`reach ${name}`, async () => {
      const nodes = await startNodes({}, { ...open, ...settings });
      const { a, b } = nodes;
      const from = { headers: { 'x-forwarded-for': '198.51.100.7' }, as: null };
      const signIn = async (node: typeof a) =>
        (await node.call('POST', '/api/sign-in/guest', { name: freshName() }, from)).status;
      assert.deepEqual([await signIn(a), await signIn(b)], [200, 200]);
      const { id } = await a.create('/api/bans', { address: '198.51.100.7', seconds: 3600 });
      assert.equal(await signIn(a), 403);
      const waitFor = async (status: number) =>
        await poll('the other node', async () => ((await signIn(b)) === status ? true : undefined));
      await waitFor(403);
      await a.call('DELETE', `/api/bans/${id}`);
      assert.equal(await signIn(a), 200);
      await waitFor(200);
      await nodes.close();
    });
});
