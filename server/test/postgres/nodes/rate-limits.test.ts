import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import type { TestServer } from 'confab-testing/server.ts';

const quota = 400;
const start = Date.parse('2026-11-21T07:40:00.000Z');
let now = start;
let nodes: Nodes;
/** The statements about shared quotas of both nodes. */
let statements = 0;
before(async () => {
  const parts = {
    clock: { now: () => now },
    onStatement: (sql: string) => {
      if (sql.includes('rate_shares')) statements += 1;
    },
  };
  nodes = await startNodes({ a: parts, b: parts }, { CONFAB_LIMITS_PERSON: `read=${quota}` });
});
after(() => nodes.close());

/** Sends requests to a node, some at a time; returns how many were let through. */
async function sendTo(node: TestServer, as: string, requests: number): Promise<number> {
  let sent = 0;
  let passed = 0;
  async function send(): Promise<void> {
    while (sent < requests) {
      sent += 1;
      const { status } = await node.call('GET', '/api/user', undefined, { as });
      assert.ok(status === 200 || status === 429, String(status));
      if (status === 200) passed += 1;
    }
  }
  await Promise.all(Array.from({ length: 10 }, send));
  return passed;
}

/** A user whom both nodes know, at the beginning of a window. */
async function freshUser(): Promise<string> {
  const { token } = await makeUser(nodes.a);
  now += 60_000;
  return token;
}

/** Sends to a node until all of the quota was let through, or long nothing more was. */
async function useUp(node: TestServer, as: string, passed: number): Promise<number> {
  let all = passed;
  await poll('the rest of the quota', async () => {
    all += await sendTo(node, as, 20);
    return all >= quota || undefined;
  });
  return all;
}

// Wherever requests go, their sum is that of one node.
describe('the quota of a person on two nodes', () => {
  test('is shared by both at the same time: within one per cent, with few statements', async (t) => {
    const as = await freshUser();
    statements = 0;
    const [one, other] = await Promise.all([sendTo(nodes.a, as, quota), sendTo(nodes.b, as, quota)]);
    const passed = await useUp(nodes.b, as, one + other);
    assert.ok(one > 0 && other > 0);
    assert.ok(Math.abs(passed - quota) <= quota / 100, `${passed} of ${quota}`);
    t.diagnostic(`${passed} of ${quota} with ${statements} statements`);
    assert.ok(statements < quota / 2, `${statements} statements`);
    // Nothing is left on either.
    const more = (await sendTo(nodes.a, as, 50)) + (await sendTo(nodes.b, as, 50));
    assert.ok(passed + more <= quota * 1.01, `${passed + more} of ${quota}`);
  });

  test('is used up on one, though the other has taken portions of it', async () => {
    const as = await freshUser();
    const one = await sendTo(nodes.a, as, 60);
    const other = await sendTo(nodes.b, as, 60);
    assert.deepEqual([one, other], [60, 60]);
    const passed = await useUp(nodes.b, as, one + other);
    assert.ok(passed <= quota * 1.01, `${passed} of ${quota}`);
  });

  test('begins anew with the window on both', async () => {
    const as = await freshUser();
    await useUp(nodes.a, as, 0);
    now += 60_000;
    assert.equal(await sendTo(nodes.b, as, 50), 50);
    assert.equal(await sendTo(nodes.a, as, 50), 50);
  });
});
