import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { countOf } from 'confab-testing/lists.ts';
import { startNodes } from 'confab-testing/nodes.ts';
import { freshName } from 'confab-testing/visitors.ts';

// Requests to several nodes at once are one day of one address.
describe('guests of one address on several nodes', () => {
  test('react and report once', async () => {
    const nodes = await startNodes(
      {},
      {
        CONFAB_SIGN_IN: 'guest',
        CONFAB_SIGN_IN_PUZZLE: 'no',
        CONFAB_GUESTS_COUNT_BY: 'address',
        CONFAB_TRUSTED_PROXIES: '127.0.0.1',
        CONFAB_LIMITS_ADDRESS: 'off',
      },
    );
    const { a, b } = nodes;
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const app = await makeApp(a, { access: 'write', visitors: 'write' });
    const { id } = await makeComment(a, app.id);
    const tokens = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const body = { name: freshName() };
        return (await a.call('POST', '/api/sign-in/guest', body, { headers, as: null })).body.access_token;
      }),
    );
    const send = (path: string, body: object) =>
      Promise.all(
        tokens.map(
          async (as, each) =>
            (await (each % 2 === 0 ? a : b).call('POST', path, body, { headers, as })).status,
        ),
      );
    const reacted = await send(`/api/comments/${id}/reactions`, { content: '👍' });
    assert.deepEqual(reacted.toSorted(), [204, ...Array.from({ length: 19 }, () => 429)]);
    assert.equal(await countOf(b, `/api/comments/${id}/reactions`), 1);
    const reported = await send(`/api/comments/${id}/reports`, { reason: 'spam' });
    assert.deepEqual(new Set(reported), new Set([200]));
    assert.equal((await b.read('/api/reports')).data[0]?.report_count, 1);
    await nodes.close();
  });
});
