import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { connectProgram } from 'confab-testing/mcp.ts';
import { startNodes } from 'confab-testing/nodes.ts';
import { freshUid, use } from 'confab-testing/server.ts';

// A message is answered by whichever node gets it, so a program needs no node that knows it.
describe('the Model Context Protocol on several nodes', () => {
  const nodes = use(() => startNodes({}, { CONFAB_MCP: 'yes' }));
  after(() => nodes.close());

  for (const era of ['modern', 'legacy'] as const)
    test(`goes on at another node with each message (${era})`, async () => {
      const { a, b } = nodes;
      const app = await a.create('/api/apps', { uid: freshUid(), type: 'comments' });
      const used: string[] = [];
      const send: typeof fetch = async (_address, init) => {
        const { url } = used.length % 2 === 0 ? a : b;
        used.push(url);
        return await fetch(`${url}/mcp`, init);
      };
      const program = await connectProgram(a, a.key, { era, send });
      for (let i = 0; i < 4; i += 1) {
        const { text } = await program.call('createAppComment', { app: app.uid, text: `number ${i}` });
        const id = Number(/^#(\d+)/.exec(text)?.[1]);
        assert.match((await program.call('getComment', { id })).text, new RegExp(`> number ${i}`));
      }
      assert.ok(used.includes(a.url) && used.includes(b.url));
    });
});
