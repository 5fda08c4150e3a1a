import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runCommand } from 'confab-testing/command.ts';
import { type DeliveryWorld, day, hour, minute, startDeliveryWorld } from 'confab-testing/delivery-world.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { readStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { settled } from 'confab-testing/webhooks.ts';
import { examineDeliveries } from '../../../src/features/webhooks/deliveries/doctor.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

async function examine() {
  const { read } = world.server.running.db;
  return await examineDeliveries({ read, clock: world.clock, deliveryDays: 90 });
}

// The doctor reports each missing or superfluous delivery, what is stuck and why, and nothing else.
describe('confab doctor', () => {
  test('reports nothing for a correct store, whatever happened to the webhooks', async () => {
    const { id } = await world.hook([]);
    const gone = await world.hook([]);
    await makeApp(world.server);
    await world.server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    await makeApp(world.server);
    await world.server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: true, triggers: ['posts'] });
    await makeApp(world.server);
    await world.server.call('PATCH', `/api/webhooks/${id}`, { triggers: ['app_created'] });
    await makeApp(world.server);
    await world.server.call('POST', `/api/webhooks/${id}/ping`);
    await settled(world.server, id, 'delivered');
    await world.server.call('DELETE', `/api/webhooks/${gone.id}`);
    const { events, faults, notes } = await examine();
    assert.deepEqual([faults, notes], [[], []]);
    assert.equal(events, Number(readStore(world.server.folder, 'select count(*) as n from events')[0]?.n));
  });

  test('reports a missing and a superfluous delivery', async () => {
    const { id } = await world.hook([]);
    const other = await world.hook([], { enabled: false });
    await makeApp(world.server);
    const { id: delivery, event_id } = await settled(world.server, id, 'delivered');
    const give = (to: number) =>
      writeStore(
        world.server.folder,
        `update deliveries set webhook_id = ${to}, sequence = null where id = ${delivery}`,
      );
    give(other.id);
    await world.pass(0);
    const { faults } = await examine();
    assert.deepEqual(faults.toSorted(), [
      `webhook ${id}: event ${event_id} (app_created) has no delivery`,
      `webhook ${other.id}: event ${event_id} (app_created) has a delivery that it should not have`,
    ]);
    give(id);
    writeStore(world.server.folder, `update deliveries set sequence = 1 where id = ${delivery}`);
    // What is older than deliveries are kept may be gone, and is no fault.
    writeStore(world.server.folder, `update events set created_at = 0 where id = ${event_id}`);
    writeStore(world.server.folder, `delete from deliveries where id = ${delivery}`);
    // What was written behind its back is seen by the server after a commit of its own.
    await world.pass(0);
    assert.deepEqual((await examine()).faults, []);
    await world.server.call('DELETE', `/api/webhooks/${id}`);
  });

  test('reports why a receiver is sent nothing, and since when', async () => {
    const { id } = await world.hook([{ status: 500 }]);
    await makeApp(world.server);
    await poll('the breaker to open', async () => {
      if ((await world.breaker(id)).state === 'open') return true;
      await world.pass(6 * minute);
      return undefined;
    });
    // A probe that the clock was moved past is on its way first.
    const { notes } = await poll('nothing to be overdue', async () => {
      const found = await examine();
      return found.faults.length === 0 ? found : undefined;
    });
    const [note] = notes.filter((sentence) => sentence.startsWith(`webhook ${id} `));
    assert.match(
      note ?? '',
      /1 deliveries wait.*paused since .* fails \(http_500\), after \d+ probes; the next/,
    );
    await world.server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    assert.match((await examine()).notes.join('\n'), /1 deliveries wait.*; it is disabled/);
  });

  test('reports an abandoned lease and a queue that no sender starts', async () => {
    const { id } = await world.hook(['hang']);
    await world.server.call('PATCH', `/api/webhooks/${id}`, { is_enabled: false });
    await makeApp(world.server);
    const set = (text: string) =>
      writeStore(world.server.folder, `update webhooks set ${text} where id = ${id}`);
    // The command goes by the clock of the machine.
    const now = Date.now();
    writeStore(
      world.server.folder,
      `update deliveries set webhook_id = ${id}, status = 'retrying', due_at = ${now - hour}
        where id = (select max(id) from deliveries)`,
    );
    await world.server.running.close();
    const read = async () => {
      const flags = ['--data-dir', world.server.folder, '--webhook-delivery-days', '7'];
      return await runCommand(['doctor', ...flags]);
    };
    set(`is_enabled = 1, due_at = ${now - hour}, lease = 'x', leased_until = ${now - day}`);
    const lease = await read();
    assert.equal(lease.code, 1);
    assert.match(lease.stdout, /the lease of the server .* ended at/);
    set('lease = null, leased_until = null');
    assert.match((await read()).stdout, /no server has begun since/);
    set('due_at = null');
    assert.match((await read()).stdout, /it is not due: no server will send them/);
  });
});
