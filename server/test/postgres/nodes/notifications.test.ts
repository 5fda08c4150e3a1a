import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { notificationFaults, notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';

let nodes: Nodes;
const clock = movableClock();
before(async () => {
  nodes = await startNodes({ b: { clock } });
});
after(() => nodes.close());

async function subscribed() {
  const [ada, bob] = [await makeUser(nodes.a), await makeUser(nodes.a)];
  const app = await makeApp(nodes.a, { access: 'write' });
  await nodes.a.call('POST', `/api/apps/${app.id}/subscribe`, undefined, { as: bob.token });
  return { ada, bob, app };
}

const holder = () =>
  readStore(nodes.folder, `select holder from leases where name = 'notifier'`)[0]?.['holder'];

// Each user is notified once of each event, whichever node created it and however many nodes read the log.
describe('notifications over nodes', () => {
  test('come once for each event of any node', async () => {
    const { ada, bob, app } = await subscribed();
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        makeComment([nodes.a, nodes.b][n % 2] ?? nodes.a, app.id, { text: `${n}` }, { as: ada.token }),
      ),
    );
    await settledLog(nodes.a);
    assert.equal((await notificationsOf(nodes.b, bob.token)).length, 40);
    assert.deepEqual(notificationFaults(nodes.a), []);
  });

  test('continue at another node at once when the one that creates them stops', async () => {
    const { ada, bob, app } = await subscribed();
    const third = await nodes.start();
    for (const node of [nodes.a, nodes.b, third]) {
      await makeComment(node, app.id, { text: 'x' }, { as: ada.token });
      await settledLog(nodes.a);
    }
    const before = holder();
    await third.close();
    await makeComment(nodes.a, app.id, { text: 'x' }, { as: ada.token });
    await settledLog(nodes.a);
    assert.ok(before && holder());
    assert.equal((await notificationsOf(nodes.b, bob.token)).length, 4);
  });

  test('come once when two nodes believe that they hold the lease', async () => {
    const { ada, bob, app } = await subscribed();
    await makeComment(nodes.a, app.id, { text: 'first' }, { as: ada.token });
    await settledLog(nodes.a);
    let count = 1;
    // This node's clock is so far ahead that the other's lease has always expired, as after a long pause.
    for (let round = 0; round < 5; round += 1) {
      clock.move(11_000);
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          makeComment([nodes.a, nodes.b][n % 2] ?? nodes.a, app.id, { text: 'x' }, { as: ada.token }),
        ),
      );
      count += 10;
    }
    await poll('everybody to be told', async () =>
      (await notificationsOf(nodes.a, bob.token)).length >= count ? true : undefined,
    );
    await settledLog(nodes.a);
    assert.equal((await notificationsOf(nodes.a, bob.token)).length, count);
    assert.deepEqual(notificationFaults(nodes.a), []);
  });
});
