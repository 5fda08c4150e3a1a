import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';

let nodes: Nodes;
before(async () => {
  nodes = await startNodes();
});
after(() => nodes.close());

const headers = {
  'X-SignalR-User-Agent': 'Microsoft SignalR/10.0 (10.0.0; Unknown OS; Browser; Unknown Runtime Version)',
};

describe('the form of a connection over nodes', () => {
  test('follows what a token asks for, or listens to, at another node', async () => {
    for (const how of ['asks', 'listens']) {
      const bob = await makeUser(nodes.a);
      const app = await makeApp(nodes.a, { access: 'write' });
      const channel = `a${app.id}:comment_created`;
      const live = await connectLive(nodes.b, bob.token, { headers });
      await live.subscribe(channel);
      const other = await connectLive(nodes.a, bob.token, { headers });
      const formOfNext = async () => {
        const { id } = await makeComment(nodes.a, app.id);
        return 'name' in (await live.waitFor(channel, ({ comment }) => comment.id === id)).actor;
      };
      assert.equal(await formOfNext(), false);
      if (how === 'asks') await inSecondForm(bob).read('/api/user');
      else await other.subscribe('app_marked');
      await poll('the second form at the other node', async () => ((await formOfNext()) ? true : undefined));
      await Promise.all([live.stop(), other.stop()]);
    }
  });
});
