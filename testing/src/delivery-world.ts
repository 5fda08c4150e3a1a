import assert from 'node:assert/strict';
import { after, afterEach } from 'node:test';
import type { Webhook } from 'confab-contract/webhooks.ts';
import type { Parts } from 'confab-server/src/main/main.ts';
import { type MovableClock, movableClock } from './clock.ts';
import { assertDeliveriesWhole } from './delivery-invariant.ts';
import { makeApp, makeComment } from './fixtures.ts';
import { type Receiver, type Reply, startReceiver } from './network/receiver.ts';
import { startTestServer, type TestServer, use } from './server.ts';
import { type Hook, makeHook, nudge, settled } from './webhooks.ts';

/** Lengths of time in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * A server whose clock can be moved, and a receiver. The event of a webhook is the creation of an app unless it names
 * another.
 */
export type DeliveryWorld = {
  readonly server: TestServer;
  readonly receiver: Receiver;
  readonly clock: MovableClock;
  /** Registers a webhook on its own path, which responds in the given way. */
  hook(replies: readonly Reply[], fields?: object): Promise<Hook>;
  /** Moves the clock forward and wakes the sender. */
  pass(ms: number): Promise<void>;
  /** Waits until the sender has read every queue: a further delivery, due later than all others, arrives. */
  comeBy(): Promise<void>;
  /** Fails if another request reaches `path` before the sender has read every queue. */
  assertSilence(path: string): Promise<void>;
  /** Whether the breaker of a webhook is open, and what it shows. */
  breaker(id: number): Promise<NonNullable<Webhook['breaker']>>;
  /** Fails unless the core invariant holds, then deletes all webhooks. */
  endScenario(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a world. */
export async function startDeliveryWorld(
  settings: Record<string, string> = {},
  parts: Parts = {},
): Promise<DeliveryWorld> {
  const clock = movableClock();
  const server = await startTestServer(settings, { clock, ...parts });
  const receiver = await startReceiver();
  const aside = await makeApp(server);

  async function hook(replies: readonly Reply[], fields: object = {}): Promise<Hook> {
    return await makeHook(server, receiver, { replies, triggers: ['apps'], ...fields });
  }

  async function comeBy(): Promise<void> {
    const other = await hook([{ status: 200 }], { triggers: ['comments'] });
    await makeComment(server, aside.uid);
    await settled(server, other.id, 'delivered');
  }

  return {
    server,
    receiver,
    clock,
    hook,
    async pass(ms) {
      clock.move(ms);
      await nudge(server);
    },
    comeBy,
    async assertSilence(path) {
      const before = receiver.ledger(path).length;
      await comeBy();
      assert.equal(receiver.ledger(path).length, before);
    },
    async breaker(id) {
      return (await server.read(`/api/webhooks/${id}`)).breaker;
    },
    async endScenario() {
      assertDeliveriesWhole(server, { receiver, now: clock.now() });
      const { body } = await server.call('GET', '/api/webhooks?top=100');
      for (const webhook of body.data as Webhook[])
        await server.call('DELETE', `/api/webhooks/${webhook.id}`);
    },
    async close() {
      // It goes first, so that no attempt keeps waiting.
      await receiver.close();
      await server.close();
    },
  };
}

/** A world for the tests of the file, each of which is a scenario. */
export function useDeliveryWorld(settings: Record<string, string> = {}, parts: Parts = {}): DeliveryWorld {
  const world = use(() => startDeliveryWorld(settings, parts));
  afterEach(() => world.endScenario());
  after(() => world.close());
  return world;
}
