import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';

const origin = 'https://blog.example.com';

// A change of the site reaches every node: at once where nodes hear of each other, and within ten seconds elsewhere.
describe('the site on several nodes', () => {
  const started: Nodes[] = [];
  after(async () => {
    for (const nodes of started) await nodes.close();
  });

  for (const [name, settings] of [
    ['that hear of the change', {}],
    ['behind a pooler, which hear nothing', { CONFAB_DATABASE_PREPARE: 'no' }],
  ] as const)
    test(`reaches nodes ${name}`, async () => {
      const nodes = await startNodes({}, settings);
      started.push(nodes);
      const { a, b } = nodes;
      assert.equal((await a.call('PATCH', '/api/site', { origins: [origin] })).status, 200);
      await poll('the site to reach the other node', async () => {
        const sending = { as: null, headers: { origin } };
        const { headers } = await b.call('GET', '/api/user', undefined, sending);
        return headers.get('access-control-allow-origin') === origin ? true : undefined;
      });
    });
});
