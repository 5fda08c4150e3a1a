import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { sendUpload } from 'confab-testing/uploads.ts';

let nodes: Nodes;
before(async () => {
  nodes = await startNodes({}, { CONFAB_UPLOAD_QUOTA_MIB: '1' });
});
after(() => nodes.close());

// No node knows what another one is receiving, so the transaction enforces the quota.
describe('uploads to several nodes at once', () => {
  test('share the quota of their user', async () => {
    const fields = { bytes: new Uint8Array(400 * 1024) };
    for (let round = 0; round < 5; round += 1) {
      const { token: as } = await makeUser(nodes.a);
      const answers = await Promise.all(
        [nodes.a, nodes.b, nodes.a, nodes.b].map((node) => sendUpload(node, fields, { as })),
      );
      const kept = answers.filter(({ status }) => status === 201).length;
      assert.ok(kept <= 2, `${kept} kept`);
      const more = await sendUpload(nodes.b, fields, { as });
      assert.equal(more.status, kept < 2 ? 201 : 429);
    }
  });
});
