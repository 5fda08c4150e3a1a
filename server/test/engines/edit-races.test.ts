import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startNodes } from 'confab-testing/nodes.ts';
import type { Caller } from 'confab-testing/races/caller.ts';
import { raceEdits } from 'confab-testing/races/edits.ts';
import { raceKeys } from 'confab-testing/races/keys.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';

let nodes: [Caller, ...Caller[]];
let close: () => Promise<void>;
before(async () => {
  if (engine === 'postgres') {
    const { a, b, close: closeAll } = await startNodes();
    // Idempotency keys belong to an API key, and each node has made one.
    nodes = [callerOf(a, a.key), callerOf(b, a.key)];
    close = closeAll;
  } else {
    const server = await startTestServer();
    nodes = [callerOf(server, server.key)];
    close = server.close;
  }
});
after(async () => await close());

function callerOf(server: TestServer, as: string): Caller {
  return async (method, path, body, headers = {}) => {
    const answer = await server.call(method, path, body, { as, headers });
    return { status: answer.status, tag: answer.headers.get('etag') ?? '', body: answer.body ?? {} };
  };
}

// `npx node proof/races.ts` does the same for longer, over processes.
describe('clients that edit at the same time', () => {
  const options = { edits: 80, seed: 7 };

  test('lose nothing with If-Match', async () => {
    const result = await raceEdits(nodes, { ...options, name: 'careful', isConditional: true });
    assert.deepEqual([result.edits, result.lost], [80, 0]);
    assert.ok(result.refused > 0);
  });

  test('lose updates without it, which this finds', async () => {
    const { lost } = await raceEdits(nodes, { ...options, name: 'careless', isConditional: false });
    assert.ok(lost > 0);
  });

  test('make one thing with one key', async () => {
    assert.deepEqual(await raceKeys(nodes, { name: 'keyed', keys: 5, isKeyed: true }), {
      keys: 5,
      wrong: 0,
      differing: 0,
    });
    assert.equal((await raceKeys(nodes, { name: 'bare', keys: 1, isKeyed: false })).wrong, 1);
  });
});
