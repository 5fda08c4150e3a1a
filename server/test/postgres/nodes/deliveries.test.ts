import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { assertDeliveriesWhole } from 'confab-testing/delivery-invariant.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, freshUid } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { attemptsOf, nudge, register, settled } from 'confab-testing/webhooks.ts';
import { leaseMs } from '../../../src/features/webhooks/sending/lanes.ts';

let nodes: Nodes;
const clock = movableClock();
const receiver = useReceiver();
before(async () => {
  nodes = await startNodes({ b: { clock } });
});
after(async () => {
  await nodes.close();
});

// Every node sends deliveries, and each delivery is sent by one node only.
describe('deliveries over nodes', () => {
  test('5: two worker processes on one DB: are sent once each, whichever node appended the event', async () => {
    const paths = Array.from({ length: 6 }, () => `/${freshUid('shared')}`);
    for (const path of paths) await register(nodes.a, { payload_url: receiver.url + path });
    const app = await makeApp(nodes.a, { access: 'write' });
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, n) => makeComment([nodes.a, nodes.b][n % 2] ?? nodes.a, app.id)),
    );
    for (const path of paths) await receiver.received(path, made.length);
    await poll('everything to be recorded', () =>
      readStore(nodes.folder, `select id from deliveries where status <> 'delivered'`).length === 0
        ? true
        : undefined,
    );
    for (const path of paths) {
      const ids = receiver.ledger(path).map(({ body }) => JSON.parse(body.toString()).comment.id);
      assert.deepEqual(
        ids.toSorted((x, y) => x - y),
        made.map(({ id }) => id).toSorted((x, y) => x - y),
      );
    }
    assertDeliveriesWhole(nodes.a, { receiver, now: clock.now() });
    const repeated = 'select delivery_id from attempts group by 1 having count(*) > 1';
    assert.deepEqual(readStore(nodes.folder, repeated), []);
  });

  test('belong to their node when another one starts', async () => {
    const path = `/${freshUid('held')}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    receiver.answer(path, { status: 200, after: promise });
    const { id } = await register(nodes.a, { payload_url: receiver.url + path, triggers: ['apps'] });
    await makeApp(nodes.a);
    await receiver.received(path, 1);
    const lease = () => readStore(nodes.folder, `select lease from webhooks where id = ${id}`)[0]?.['lease'];
    const before = lease();
    assert.ok(before);
    const third = await nodes.start();
    await nudge(third);
    await makeComment(third, (await makeApp(third)).id);
    assert.equal(lease(), before);
    resolve();
    await settled(nodes.a, id, 'delivered');
    await receiver.received(path, 2);
    assert.equal(receiver.ledger(path).length, 2);
    await third.close();
  });

  test('6: worker paused past its lease: are taken over from a suspended node, whose late result is refused', async () => {
    const path = `/${freshUid('slept')}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    // The paused node gets its response late, and it is a refusal; the other node gets a success at once.
    receiver.answer(path, { status: 500, after: promise }, { status: 200 });
    await nodes.b.close();
    const { id } = await register(nodes.a, { payload_url: receiver.url + path, triggers: ['apps'] });
    await makeApp(nodes.a);
    await receiver.received(path, 1);
    // On a node whose clock is that far ahead, the lease of the other has expired.
    clock.move(leaseMs + 1000);
    const third = await nodes.start({ clock });
    const { id: delivery, status } = await settled(third, id, 'delivered');
    assert.equal(status, 'delivered');
    const [one, other] = receiver.ledger(path);
    assert.equal(one?.headers['x-weavy-delivery'], other?.headers['x-weavy-delivery']);
    assert.deepEqual(one?.body, other?.body);
    resolve();
    // The paused node records the result of the next delivery together with the late one.
    await third.close();
    await makeApp(nodes.a);
    await receiver.received(path, 3);
    await settled(nodes.a, id, 'delivered');
    assert.deepEqual(
      attemptsOf(nodes.a, delivery).map(({ number, status_code }) => [number, status_code]),
      [[1, 200]],
    );
    assertDeliveriesWhole(nodes.a, { receiver, now: clock.now() });
  });
});
