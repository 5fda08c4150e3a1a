import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { type Receiver, startReceiver } from 'confab-testing/network/receiver.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import type { TestServer } from 'confab-testing/server.ts';
import type { Browser } from 'playwright-core';
import { type ConsoleWorld, fillWorld, openTyped, provedViews, recovered } from '../browser/world.ts';

/** Forwards connections to one of several nodes, as a load balancer does. */
async function startBalancer(to: TestServer) {
  const sockets = new Set<Socket>();
  let target = Number(new URL(to.url).port);
  const balancer = createServer((browser) => {
    const node = connect(target, '127.0.0.1');
    for (const [from, into] of [
      [browser, node],
      [node, browser],
    ] as const) {
      sockets.add(from);
      // A broken connection ends both sides.
      from.on('error', () => into.destroy());
      from.on('close', () => {
        sockets.delete(from);
        into.destroy();
      });
      from.pipe(into);
    }
  });
  await once(balancer.listen(0, '127.0.0.1'), 'listening');
  // A test that fails leaves it open.
  balancer.unref();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    /** Cuts every connection to the node that was lost and goes on with another one. */
    moveTo(next: TestServer) {
      target = Number(new URL(next.url).port);
      cut();
    },
    close() {
      balancer.close();
      cut();
    },
  };
}

// A view goes on with another node when its own is lost: it shows what happens there, and loses no input.
describe('the console behind a load balancer', () => {
  let nodes: Nodes;
  let browser: Browser;
  let receiver: Receiver;
  let world: ConsoleWorld;

  before(async () => {
    [nodes, browser, receiver] = await Promise.all([startNodes(), launchBrowser(), startReceiver()]);
    world = await fillWorld(nodes.a, `${receiver.url}/all`);
  });

  after(async () => {
    await browser.close();
    await nodes.close();
    await receiver.close();
  });

  for (const view of provedViews)
    test(`a node is lost in the middle of ${view.route}`, async () => {
      const lost = await nodes.start();
      const balancer = await startBalancer(lost);
      const opened = await openTyped(browser, { ...lost, url: balancer.url }, { view, world });
      balancer.moveTo(nodes.b);
      await lost.close();
      assert.deepEqual(await recovered(opened), opened.typed);
      if (view.route === '/apps') {
        await nodes.a.create('/api/apps', { uid: 'later', type: 'posts', name: 'Plans made later' });
        await opened.page.locator('tbody', { hasText: 'Plans made later' }).waitFor();
      }
      await opened.close();
      balancer.close();
    });
});
