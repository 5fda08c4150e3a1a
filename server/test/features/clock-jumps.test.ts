import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { useServer } from 'confab-testing/server.ts';
import { register } from 'confab-testing/webhooks.ts';

const jumpMs = 30 * 60 * 1000;
// The clock stands still between its jumps, so that a limit is over only by a jump.
let now = Date.now();
const server = useServer({ CONFAB_LIMITS_PERSON: 'write=5' }, { clock: { now: () => now } });
const receiver = useReceiver();

// A clock that is set forward or back changes nothing but the times that are shown.
describe('a clock that jumps', () => {
  for (const [direction, ms] of [
    ['forward', jumpMs],
    ['back', -jumpMs],
  ] as const)
    test(`${direction} keeps tokens, the order of ids, limits, retries and deliveries`, async () => {
      const app = await makeApp(server, { access: 'write' });
      const user = await makeUser(server);
      const comments = `/api/apps/${app.id}/comments` as const;
      const path = `/${direction}`;
      await register(server, { payload_url: receiver.url + path, triggers: ['comment_created'] });
      const write = (text: string, headers: Record<string, string> = {}) =>
        user.call('POST', comments, { text }, { headers });

      const first = await write('before', { 'idempotency-key': direction });
      assert.equal(first.status, 201);
      for (let more = 0; more < 4; more += 1) await write(`more ${more}`);
      assert.equal((await write('too much')).status, 429);

      // What is due before the jump waits until the clock is there again, so it is sent first.
      await receiver.received(path, 5);
      now += ms;
      const after = await write('after');
      assert.equal(after.status, 201, 'the limit of the window before the jump is over');
      assert.ok(after.body.id > first.body.id);
      await receiver.received(path, 6);
      const again = await write('before', { 'idempotency-key': direction });
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.equal(again.body.id, first.body.id);
      const body = await user.read(`${comments}?order_by=id`);
      assert.deepEqual([body.data[0]?.id, body.data.at(-1)?.id], [first.body.id, after.body.id]);
    });
});
