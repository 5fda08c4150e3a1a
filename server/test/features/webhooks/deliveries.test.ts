import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { verify } from '@octokit/webhooks-methods';
import type { Delivery } from 'confab-contract/deliveries.ts';
import { assertDeliveriesWhole } from 'confab-testing/delivery-invariant.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { type Received, useReceiver } from 'confab-testing/network/receiver.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, startTestServer, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch, writeStore } from 'confab-testing/stores/store-watch.ts';
import {
  attemptsOf,
  completenessFaults,
  deliveriesOf,
  makeHook,
  register,
  settled,
} from 'confab-testing/webhooks.ts';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { version } from '../../../src/config/config.ts';

// First, so that it is also closed first and no attempt is left hanging.
const receiver = useReceiver();
const server = useServer();
const watch = useStoreWatch(server);
const app = use(() => makeApp(server));

function freshPath(): string {
  return `/${freshUid('hook')}`;
}

const hook = (fields: object = {}) => makeHook(server, receiver, { ...fields });

/** Registers a webhook for comments, creates one and returns the request of its delivery. */
async function deliver(secret?: string, text = 'hello'): Promise<Received> {
  const { path } = await hook(secret === undefined ? {} : { secret });
  await makeComment(server, app.uid, { text });
  const [request] = await receiver.received(path, 1);
  assert.ok(request !== undefined);
  return request;
}

const fromHttp = new Set(['host', 'connection', 'content-length']);

function namesOf(request: Received): string[] {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((name) => !fromHttp.has(name)).sort();
}

const alwaysSent = [
  'X-Weavy-Action',
  'X-Weavy-Attempt',
  'X-Weavy-Delivery',
  'X-Weavy-Hook-ID',
  'X-Weavy-Sequence',
  'X-Weavy-Trigger',
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
];
const signatures = ['X-Hub-Signature-256', 'X-Weavy-Signature', 'webhook-signature'];

// What is sent is the documented body and set of headers, and receivers verify it with libraries as they come from npm.
describe('a delivery on the wire', () => {
  test('carries the documented headers and no others', async () => {
    const { id, path } = await hook({ secret: 'a secret' });
    await makeComment(server, app.uid);
    const [request] = await receiver.received(path, 1);
    assert.ok(request !== undefined);
    const { headers } = request;
    const { guid } = await settled(server, id, 'delivered');
    assert.deepEqual(namesOf(request), [...alwaysSent, ...signatures].sort());
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['user-agent'], `Confab-Hookshot/${version}`);
    assert.equal(headers['x-weavy-delivery'], guid);
    assert.equal(headers['webhook-id'], guid);
    assert.equal(headers['x-weavy-trigger'], 'comments');
    assert.equal(headers['x-weavy-action'], 'comment_created');
    assert.equal(headers['x-weavy-hook-id'], String(id));
    assert.equal(headers['x-weavy-attempt'], '1');
    assert.match(guid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const expected = `sha256=${createHmac('sha256', 'a secret').update(request.body).digest('hex')}`;
    assert.equal(headers['x-hub-signature-256'], expected);
    assert.equal(headers['x-weavy-signature'], expected);
  });

  test('carries no signature when there is no secret', async () => {
    assert.deepEqual(namesOf(await deliver()), alwaysSent);
  });

  test('names its headers as configured', async () => {
    const other = await startTestServer({ CONFAB_WEBHOOK_HEADER_PREFIX: 'X-Acme' });
    try {
      const path = freshPath();
      await register(other, { payload_url: receiver.url + path, secret: 's', triggers: ['apps'] });
      await makeApp(other);
      const [request] = await receiver.received(path, 1);
      assert.ok(request !== undefined);
      const expected = [...alwaysSent, ...signatures].map((name) => name.replace('X-Weavy', 'X-Acme')).sort();
      assert.deepEqual(namesOf(request), expected);
    } finally {
      await other.close();
    }
  });

  const standardKey = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64');
  for (const [name, secret, standard] of [
    ['an ASCII secret', 'it is a secret', new StandardWebhook('it is a secret', { format: 'raw' })],
    ['a whsec_ secret', `whsec_${standardKey}`, new StandardWebhook(`whsec_${standardKey}`)],
    [
      'a secret beyond ASCII',
      'pässwörd 🔑',
      new StandardWebhook(new TextEncoder().encode('pässwörd 🔑'), { format: 'raw' }),
    ],
  ] as const)
    test(`is verified by both libraries with ${name}`, async () => {
      const { headers, body } = await deliver(secret, 'line\u2028separator 👋 <b>&amp;</b> "quoted"');
      const text = body.toString();
      for (const header of ['x-hub-signature-256', 'x-weavy-signature']) {
        assert.equal(await verify(secret, text, headers[header] ?? ''), true);
        assert.equal(await verify(`${secret}!`, text, headers[header] ?? ''), false);
      }
      assert.deepEqual(standard.verify(text, headers), JSON.parse(text));
      assert.throws(() => standard.verify(`${text} `, headers), { message: 'No matching signature found' });
    });

  test('has a body with the event, its actor and the comment in list form', async () => {
    const { id, path } = await hook();
    const { token, id: userId } = await makeUser(server);
    const open = await makeApp(server, { access: 'write' });
    const comment = await makeComment(server.as(token), open.uid, { text: 'Ready for **review**' });
    const [request] = await receiver.received(path, 1);
    const body = JSON.parse(request?.body.toString() ?? '');
    const delivery = await settled(server, id, 'delivered');
    assert.deepEqual(Object.keys(body).sort(), [
      'action',
      'actor',
      'comment',
      'guid',
      'id',
      'timestamp',
      'type',
    ]);
    assert.equal(body.id, delivery.event_id);
    assert.equal(body.guid, delivery.guid);
    assert.equal(body.action, 'comment_created');
    assert.equal(body.type, 'comment.created');
    assert.equal(body.actor.id, userId);
    assert.equal(body.timestamp, comment.created_at);
    assert.equal(body.comment.id, comment.id);
    assert.equal(body.comment.text, 'Ready for **review**');
    assert.deepEqual(body.comment.parent, { id: open.id, type: 'app' });
    assert.equal(body.comment.created_by, undefined);
  });
});

// The list of deliveries is always current: it has a waiting delivery as soon as its cause is answered.
describe('the list of deliveries', () => {
  test('shows a waiting delivery right after the response to its cause', async () => {
    const { id, path } = await hook();
    receiver.answer(path, 'hang');
    await makeComment(server, app.uid);
    const [delivery, ...others] = await deliveriesOf(server, id);
    assert.deepEqual(others, []);
    assert.ok(delivery !== undefined);
    // It may have its number already, and the time it was due is that of its cause.
    const { id: _, guid, event_id, sequence: __, created_at, next_attempt_at, ...rest } = delivery;
    assert.deepEqual(rest, { action: 'comment_created', attempts: 0, status: 'pending' });
    assert.equal(next_attempt_at, created_at);
    assert.ok(event_id > 0 && guid.length === 36);
  });

  test('shows all fields of a sent delivery', async () => {
    const { id, path } = await hook();
    receiver.answer(path, { status: 202 });
    const before = Date.now();
    await makeComment(server, app.uid);
    const delivery = await settled(server, id, 'delivered');
    assert.deepEqual(Object.keys(delivery).sort(), [
      'action',
      'attempts',
      'created_at',
      'delivered_at',
      'duration',
      'event_id',
      'guid',
      'id',
      'sequence',
      'status',
      'status_code',
    ]);
    assert.equal(delivery.status_code, 202);
    const at = Date.parse(delivery.delivered_at ?? '');
    assert.ok(at >= before && at <= Date.now());
    assert.ok(typeof delivery.duration === 'number' && delivery.duration > 0 && delivery.duration < 5);
  });

  test('is newest first, pages, filters by action and counts', async () => {
    const { id } = await hook({ triggers: ['apps', 'comments'] });
    const own = await makeApp(server);
    await makeComment(server, own.uid);
    await makeComment(server, own.uid);
    await server.call('POST', `/api/apps/${own.uid}/trash`);
    const list = async (query: string) => await server.read(`/api/webhooks/${id}/deliveries?${query}`);
    const actionsOf = (page: { data: Delivery[] }) => page.data.map((delivery) => delivery.action);
    const all = ['app_trashed', 'comment_created', 'comment_created', 'app_created'];
    const page = await list('');
    assert.deepEqual(actionsOf(page), all);
    assert.deepEqual([page.start, page.end, page.count], [1, 4, 4]);
    assert.deepEqual(actionsOf(await list('order_by=id')), all.toReversed());
    const second = await list('top=1&skip=3');
    assert.deepEqual(actionsOf(second), ['app_created']);
    assert.deepEqual([second.start, second.end, second.count], [4, 4, 4]);
    const comments = await list('action=comment_created&top=1');
    assert.deepEqual(actionsOf(comments), ['comment_created']);
    assert.equal(comments.count, 2);
    assert.deepEqual(await list('action=comment_created&count_only=true'), { count: 2 });
    assert.deepEqual(await list('count_only=true'), { count: 4 });
    for (const query of ['action=comment', 'action=COMMENT_CREATED', 'trashed=true', 'tag=x'])
      assert.deepEqual(await list(query), { data: [], start: 0, end: 0, count: 0 }, query);
    for (const [q, found] of [
      ['comment', 2],
      ['app trash', 1],
      ['CREATED', 3],
      ['"comment created"', 2],
      ['"comment create"', 0],
      ['omment', 0],
      [page.data[0].guid, 1],
      [page.data[0].guid.slice(-12), 1],
    ] as const)
      assert.equal((await list(`q=${encodeURIComponent(q)}`)).count, found, q);
  });

  test('returns 404 for an unknown webhook', async () => {
    assertProblem(await server.call('GET', '/api/webhooks/999999/deliveries'), 404, 'not_found');
  });
});

// Each event has exactly one delivery for each webhook that was enabled and subscribed when it committed.
describe('which webhooks are notified', () => {
  test('those with a group, a single action or both, and no disabled one', async () => {
    const made = {
      group: await hook({ triggers: ['comments'] }),
      action: await hook({ triggers: ['comment_updated'] }),
      both: await hook({ triggers: ['comment_created', 'comments'] }),
      other: await hook({ triggers: ['posts'] }),
      disabled: await hook({ triggers: ['comments'], enabled: false }),
    };
    const comment = await makeComment(server, app.uid);
    await server.call('PATCH', `/api/comments/${comment.id}`, { text: 'edited' });
    const actionsOf = async (name: keyof typeof made) =>
      (await deliveriesOf(server, made[name].id)).map((delivery) => delivery.action);
    assert.deepEqual(await actionsOf('group'), ['comment_updated', 'comment_created']);
    assert.deepEqual(await actionsOf('action'), ['comment_updated']);
    assert.deepEqual(await actionsOf('both'), ['comment_updated', 'comment_created']);
    assert.deepEqual(await actionsOf('other'), []);
    assert.deepEqual(await actionsOf('disabled'), []);
    const [trigger] = await receiver.received(made.action.path, 1);
    assert.equal(trigger?.headers['x-weavy-trigger'], 'comments');
    assert.deepEqual(completenessFaults(server), []);
  });

  test('10: rolled-back request: nobody of a request that was refused', async () => {
    await hook({ triggers: ['comments', 'apps', 'members'] });
    const { uid } = await makeUser(server);
    const counts = () => ['events', 'deliveries'].map((table) => watch.count(table));
    const before = counts();
    const answer = await server.call('POST', `/api/apps/${app.uid}/comments`, { text: 'x', blobs: [999999] });
    assert.equal(answer.status, 422);
    const members = await server.call('POST', `/api/apps/${app.uid}/members`, [
      { uid },
      { uid: freshUid('none') },
    ]);
    assert.equal(members.status, 404);
    assert.deepEqual(counts(), before);
    assertDeliveriesWhole(server);
  });

  test('is detected by the completeness check otherwise', async () => {
    const { id } = await hook();
    const { id: other } = await hook({ enabled: false });
    await makeComment(server, app.uid);
    const { id: deliveryId, event_id } = await settled(server, id, 'delivered');
    const give = (webhookId: number) =>
      writeStore(server.folder, `update deliveries set webhook_id = ${webhookId} where id = ${deliveryId}`);
    try {
      give(other);
      const faults = [
        `no delivery for ${event_id}/${id}`,
        `a delivery nobody asked for: ${event_id}/${other}`,
      ];
      assert.deepEqual(completenessFaults(server), faults);
    } finally {
      give(id);
    }
    assert.deepEqual(completenessFaults(server), []);
  });
});

// Each attempt stores the receiver's response: status, headers, and the beginning of the body as bytes.
describe('the record of an attempt', () => {
  test('keeps the head and at most 16 KiB of the body', async () => {
    const { id, path } = await hook();
    const bytes = Buffer.alloc(40_000, 0xff);
    bytes[0] = 0;
    receiver.answer(path, { status: 200, headers: { 'x-note': 'kept', 'set-cookie': 'a=b' }, body: bytes });
    await makeComment(server, app.uid);
    const [attempt, ...others] = attemptsOf(server, (await settled(server, id, 'delivered')).id);
    assert.deepEqual(others, []);
    assert.ok(attempt !== undefined);
    assert.deepEqual(Buffer.from(attempt.response_body ?? []), bytes.subarray(0, 16 * 1024));
    assert.equal(attempt.is_truncated, 1);
    assert.equal(attempt.error, null);
    const headers = JSON.parse(attempt.response_headers ?? '');
    assert.equal(headers['x-note'], 'kept');
    assert.equal(headers['set-cookie'], '[redacted]');
  });

  test('of a receiver that cuts the connection has an error and no status', async () => {
    const { id, path } = await hook();
    receiver.answer(path, 'reset');
    await makeComment(server, app.uid);
    const delivery = await settled(server, id, 'retrying');
    assert.equal(delivery.status_code, undefined);
    assert.ok(delivery.delivered_at !== undefined && delivery.duration !== undefined);
    const [attempt] = attemptsOf(server, delivery.id);
    assert.equal(attempt?.error, 'reset');
    assert.equal(attempt?.status_code, null);
  });
});
