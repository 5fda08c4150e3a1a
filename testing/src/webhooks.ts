import assert from 'node:assert/strict';
import { findFacts } from 'confab-contract/actions.ts';
import type { Delivery } from 'confab-contract/deliveries.ts';
import type { Webhook } from 'confab-contract/webhooks.ts';
import type { Receiver, Reply } from './network/receiver.ts';
import { poll } from './poll.ts';
import { freshUid, type TestServer } from './server.ts';
import { readStore } from './stores/store-watch.ts';

/** Registers a webhook, by default for comments. */
export async function register(
  server: TestServer,
  fields: { payload_url: string; [name: string]: unknown },
): Promise<Webhook> {
  return await server.create('/api/webhooks', { triggers: ['comments'], ...fields });
}

/** A webhook and the path of its receiver. */
export type Hook = { readonly id: number; readonly path: string };

/** Registers a webhook on its own path of a receiver, which responds with `replies` in turn. */
export async function makeHook(
  server: TestServer,
  receiver: Receiver,
  {
    replies = [],
    ...fields
  }: { readonly replies?: readonly Reply[]; readonly [field: string]: unknown } = {},
): Promise<Hook> {
  const path = `/${freshUid('hook')}`;
  if (replies.length > 0) receiver.answer(path, ...replies);
  return { id: (await register(server, { payload_url: receiver.url + path, ...fields })).id, path };
}

/** The deliveries of a webhook, the newest first. */
export async function deliveriesOf(server: TestServer, webhookId: number): Promise<Delivery[]> {
  const { status, body, text } = await server.call('GET', `/api/webhooks/${webhookId}/deliveries?top=100`);
  assert.equal(status, 200, text);
  return body.data;
}

/** Waits until the newest delivery of a webhook has this status and, if given, this many attempts. */
export async function settled(
  server: TestServer,
  webhookId: number,
  status: Delivery['status'],
  attempts?: number,
): Promise<Delivery> {
  return await poll(`a delivery of webhook ${webhookId} to be ${status}`, async () => {
    const [newest] = await deliveriesOf(server, webhookId);
    if (newest?.status !== status) return undefined;
    return attempts === undefined || attemptsOf(server, newest.id).length === attempts ? newest : undefined;
  });
}

/** Wakes the sender, as a commit would: call it after moving the clock. */
export async function nudge(server: TestServer): Promise<void> {
  await server.running.db.write(async (tx) => tx.wake('deliveries'));
}

/** When the newest delivery of a webhook is due, in milliseconds after the end of its last attempt. */
export function pauseOf(server: TestServer, webhookId: number): number {
  const [row] = readStore(
    server.folder,
    `select deliveries.due_at - (attempts.started_at + attempts.duration_us / 1000) as pause from deliveries
     join attempts on attempts.delivery_id = deliveries.id and attempts.number = deliveries.attempts
     where webhook_id = ${webhookId} order by deliveries.id desc limit 1`,
  );
  return Number(row?.pause);
}

/** One attempt as stored. */
export type Attempt = {
  readonly number: number;
  readonly started_at: number;
  readonly duration_us: number;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly response_headers: string | null;
  readonly response_body: Uint8Array | null;
  readonly is_truncated: number;
  readonly request_url: string | null;
  readonly request_headers: string | null;
};

/** The attempts of a delivery in order, read from the store. */
export function attemptsOf(server: TestServer, deliveryId: number): Attempt[] {
  return readStore(
    server.folder,
    `select * from attempts where delivery_id = ${deliveryId} order by number`,
  ) as unknown as Attempt[];
}

/**
 * The violations of the guarantee that each event has exactly one delivery for each webhook that was enabled and
 * subscribed when it committed. It replays the log, which also contains registrations and changes of webhooks.
 */
export function completenessFaults(server: TestServer): string[] {
  const events = readStore(server.folder, 'select id, action, payload from events order by id') as {
    id: number;
    action: string;
    payload: string;
  }[];
  const present = readStore(server.folder, 'select event_id, webhook_id from deliveries') as {
    event_id: number;
    webhook_id: number;
  }[];
  const found = present.map((row) => `${row.event_id}/${row.webhook_id}`);
  const webhooks = new Map<number, Webhook>();
  const wanted: { eventId: number; webhookId: number }[] = [];
  for (const event of events) {
    const { webhook } = JSON.parse(`{${event.payload}}`) as { webhook?: Webhook };
    if (webhook !== undefined && event.action.startsWith('webhook_')) {
      if (event.action === 'webhook_deleted') webhooks.delete(webhook.id);
      else webhooks.set(webhook.id, webhook);
      // A ping is for its own webhook, whatever its triggers.
      if (event.action === 'webhook_pinged') wanted.push({ eventId: event.id, webhookId: webhook.id });
      continue;
    }
    const group = findFacts(event.action)?.group;
    for (const one of webhooks.values())
      if (one.is_enabled && one.triggers.some((trigger) => trigger === group || trigger === event.action))
        wanted.push({ eventId: event.id, webhookId: one.id });
  }
  // Deliveries of deleted webhooks are deleted with them.
  const expected = wanted
    .filter(({ webhookId }) => webhooks.has(webhookId))
    .map(({ eventId, webhookId }) => `${eventId}/${webhookId}`);
  const [asked, made] = [new Set(expected), new Set(found)];
  return [
    ...expected.filter((pair) => !made.has(pair)).map((pair) => `no delivery for ${pair}`),
    ...found.filter((pair) => !asked.has(pair)).map((pair) => `a delivery nobody asked for: ${pair}`),
    ...(made.size < found.length ? ['more than one delivery for an event and a webhook'] : []),
  ];
}
