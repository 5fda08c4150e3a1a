/** Deliveries: what arrives at the receiver of the run, and what the server records of it. */

import { createHmac } from 'node:crypto';
import { decides, row, says } from '../quotes.js';
import { unknownFields } from '../shapes.js';
import { deliveriesOf, listen, makeApp, makeComment } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: deliveryChecks } = declaring('deliveries');

export { deliveryChecks };

/** @typedef {import('../trial.js').Trial} Trial */
/** @typedef {import('../receiver.js').Received} Received */

const secret = 'the key of the signatures';

/** The app in which the events of a check happen. @param {Trial} t */
async function place(t) {
  return (await makeApp(t)).id;
}

/**
 * Makes a comment while a webhook listens; returns the first request that arrives.
 * @param {Trial} t
 * @param {Parameters<typeof listen>[1]} [fields]
 */
async function deliver(t, fields) {
  const app = await place(t);
  const hook = await listen(t, fields);
  const comment = await makeComment(t, app, { text: 'Größe, 日本' });
  const [request] = await hook.arrived(1);
  if (request === undefined) return t.skip('nothing arrived');
  return { app, hook, comment, request };
}

/** The answers of a receiver that never answers anything else. @param {number} status @returns {number[]} */
function always(status) {
  return Array.from({ length: 100 }, () => status);
}

/** The newest delivery of a webhook, once it has ended. @param {Trial} t @param {number} id */
async function ended(t, id) {
  return await t.wait(`webhook ${id} has a delivery whose answer is recorded`, async () => {
    const [newest] = await deliveriesOf(t, id);
    return Number.isInteger(newest?.status_code) ? newest : undefined;
  });
}

/** The body of a request as JSON. @param {Trial} t @param {Received} request @returns {any} */
function bodyOf(t, { body }) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    return t.holds(false, `the delivered body is no JSON: ${String(error)}`);
  }
}

/** The names of the headers that carry the hex digest of the body. @param {Received} request @param {string} key */
function signedBy({ headers, body }, key) {
  const digests = ['sha256', 'sha1', 'sha512'].map((hash) =>
    createHmac(hash, key).update(body).digest('hex'),
  );
  return Object.entries(headers)
    .filter(([, value]) => digests.some((digest) => String(value).toLowerCase().includes(digest)))
    .map(([name]) => name);
}

check('arrive', says('notifies'), async (t) => {
  const { request } = await deliver(t);
  t.equal(request.method, 'POST', 'the method of the delivery');
});

check('arrive.json', says('json'), async (t) => {
  const { request } = await deliver(t);
  t.holds(
    /json/.test(String(request.headers['content-type'])),
    'the content type of the delivery is not JSON',
  );
  bodyOf(t, request);
});

check('arrive.update', says('notifies'), async (t) => {
  const { hook, comment } = await deliver(t);
  await t.prepare('updateComment', { path: { id: comment.id }, body: { text: 'Other' } });
  await hook.arrived(2);
});

check('disabled', says('webhookEnabled'), async (t) => {
  const app = await place(t);
  const silent = await listen(t, { enabled: false });
  const fence = await listen(t);
  await makeComment(t, app);
  await fence.arrived(1);
  await makeComment(t, app);
  await fence.arrived(2);
  t.equal(silent.received().length, 0, 'the number of requests to a webhook that is disabled');
});

check('disabled.later', says('webhookState'), async (t) => {
  const app = await place(t);
  const silent = await listen(t);
  const fence = await listen(t);
  const { payload_url, triggers } = silent.webhook;
  await t.prepare('updateWebhook', {
    path: { id: silent.id },
    body: { payload_url, triggers, is_enabled: false },
  });
  for (const number of [1, 2]) {
    await makeComment(t, app);
    await fence.arrived(number);
  }
  t.equal(silent.received().length, 0, 'the number of requests to a webhook that was disabled');
});

check('enabled.later', says('webhookState'), async (t) => {
  const app = await place(t);
  const hook = await listen(t, { enabled: false });
  const { payload_url, triggers } = hook.webhook;
  await t.prepare('updateWebhook', {
    path: { id: hook.id },
    body: { payload_url, triggers, is_enabled: true },
  });
  await makeComment(t, app);
  await hook.arrived(1);
});

check('otherGroup', says('triggers'), async (t) => {
  const app = await place(t);
  const silent = await listen(t, { triggers: ['notifications'] });
  const fence = await listen(t);
  for (const number of [1, 2]) {
    await makeComment(t, app);
    await fence.arrived(number);
  }
  t.equal(silent.received().length, 0, 'the number of requests for another group');
});

check('deleted', row('deleteWebhook'), async (t) => {
  const app = await place(t);
  const gone = await listen(t);
  const fence = await listen(t);
  await t.prepare('deleteWebhook', { path: { id: gone.id } });
  for (const number of [1, 2]) {
    await makeComment(t, app);
    await fence.arrived(number);
  }
  t.equal(gone.received().length, 0, 'the number of requests to a webhook that was deleted');
});

check('moved', row('updateWebhook'), async (t) => {
  const app = await place(t);
  const old = await listen(t);
  const other = await listen(t, { enabled: false });
  const body = { payload_url: other.webhook.payload_url, triggers: ['comments'], is_enabled: true };
  await t.prepare('updateWebhook', { path: { id: old.id }, body });
  await makeComment(t, app);
  await other.arrived(1);
  t.equal(old.received().length, 0, 'the number of requests to the address before the change');
});

check('signed', says('hmac'), async (t) => {
  const { request } = await deliver(t, { secret });
  t.holds(
    signedBy(request, secret).length > 0,
    'no header has the hex digest of an HMAC of the body with the secret',
  );
});

check('signed.changed', says('hmac'), async (t) => {
  const app = await place(t);
  const hook = await listen(t, { secret: 'the first' });
  const { payload_url, triggers } = hook.webhook;
  await t.prepare('updateWebhook', { path: { id: hook.id }, body: { payload_url, triggers, secret } });
  await makeComment(t, app);
  const [request] = await hook.arrived(1);
  t.holds(
    request !== undefined && signedBy(request, secret).length > 0,
    'no header is signed with the changed secret',
  );
});

check('signed.names', decides('headers'), async (t) => {
  const { request, hook } = await deliver(t, { secret });
  const digest = `sha256=${createHmac('sha256', secret).update(request.body).digest('hex')}`;
  const prefix = prefixOf(request);
  t.equal(request.headers['x-hub-signature-256'], digest, 'X-Hub-Signature-256');
  t.equal(request.headers[`${prefix}-signature`], digest, `${prefix}-signature`);
  const { guid } = await ended(t, hook.id);
  t.equal(request.headers[`${prefix}-delivery`], guid, `${prefix}-delivery`);
  t.equal(request.headers[`${prefix}-trigger`], 'comments', `${prefix}-trigger`);
});

check('signed.standard', decides('headers'), async (t) => {
  const { request } = await deliver(t, { secret });
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers;
  const seconds = Number(at);
  t.holds(
    Math.abs(Date.now() / 1000 - seconds) < 300,
    `webhook-timestamp is ${JSON.stringify(at)}, which is not the time`,
  );
  const digest = createHmac('sha256', secret).update(`${id}.${at}.`).update(request.body).digest('base64');
  t.equal(
    String(signature).split(' ').includes(`v1,${digest}`),
    true,
    'whether webhook-signature is that of the body',
  );
});

check('signed.not', decides('noSecret'), async (t) => {
  const { request } = await deliver(t);
  const names = Object.keys(request.headers).filter((name) => /signature/.test(name));
  t.equal(names, [], 'the headers of signatures without a secret');
});

/** The beginning of the names of the headers, which a server may set. @param {Received} request */
function prefixOf({ headers }) {
  const name = Object.keys(headers).find((key) => key.endsWith('-delivery'));
  return name?.slice(0, -'-delivery'.length) ?? 'x-weavy';
}

check('body', decides('body'), async (t) => {
  const { request, comment, app } = await deliver(t);
  const body = bodyOf(t, request);
  t.holds(Number.isInteger(body.id), `id is ${JSON.stringify(body.id)}`);
  t.equal(body.action, 'comment_created', 'action');
  t.holds(typeof body.actor === 'object' && body.actor !== null, 'there is no actor');
  t.holds(!Number.isNaN(Date.parse(body.timestamp)), `timestamp is ${JSON.stringify(body.timestamp)}`);
  t.holds(typeof body.type === 'string' && typeof body.guid === 'string', 'type or guid is no string');
  t.equal([body.comment?.id, body.comment?.text], [comment.id, 'Größe, 日本'], 'id and text of the comment');
  t.equal(body.comment?.parent?.id, app, 'the id of the parent of the comment');
});

check('recorded', says('recorded'), async (t) => {
  const { hook } = await deliver(t);
  const delivery = await ended(t, hook.id);
  t.shape(delivery, 'Delivery');
  t.equal(delivery.status_code, 200, 'status_code');
  t.holds(typeof delivery.duration === 'number', `duration is ${JSON.stringify(delivery.duration)}`);
  t.holds(
    !Number.isNaN(Date.parse(delivery.delivered_at)),
    `delivered_at is ${JSON.stringify(delivery.delivered_at)}`,
  );
});

check('recorded.code', says('recorded'), async (t) => {
  const { hook } = await deliver(t, { replies: always(503) });
  t.equal((await ended(t, hook.id)).status_code, 503, 'status_code of a receiver that answers 503');
});

check('recorded.action', says('byAction'), async (t) => {
  const { hook, comment } = await deliver(t);
  await t.prepare('updateComment', { path: { id: comment.id }, body: { text: 'Other' } });
  await hook.arrived(2);
  const all = await deliveriesOf(t, hook.id);
  const actions = [...new Set(all.map(({ action }) => action))];
  t.equal(actions.length, 2, 'the number of actions of a comment that was made and edited');
  for (const action of actions) {
    const listed = t.items(await t.call('listDeliveries', { path: { id: hook.id }, query: { action } }));
    t.equal(
      listed.map((one) => one.action),
      [action],
      `the actions with action=${action}`,
    );
  }
});

check('recorded.fields', decides('webhookFields'), async (t) => {
  const { hook } = await deliver(t);
  const added = ['created_at', 'attempts', 'next_attempt_at', 'sequence'];
  const strange = unknownFields(await ended(t, hook.id), 'Delivery').filter(
    (field) => !added.includes(field),
  );
  t.equal(strange, [], 'the fields that a Delivery does not have');
});

check('recorded.guid', decides('guid'), async (t) => {
  const { hook, request } = await deliver(t);
  t.equal(bodyOf(t, request).guid, (await ended(t, hook.id)).guid, 'the guid in the body');
});

check('recorded.event', decides('guid'), async (t) => {
  const app = await place(t);
  const hooks = [await listen(t), await listen(t)];
  await makeComment(t, app);
  /** @type {any[]} */
  const found = [];
  for (const { id } of hooks) found.push(await ended(t, id));
  t.equal(found[0].event_id, found[1].event_id, 'event_id at the second webhook');
  t.holds(found[0].guid !== found[1].guid, 'the deliveries have the same guid');
});

check('recorded.status', decides('deliveryStatus'), async (t) => {
  const { hook } = await deliver(t);
  t.equal((await ended(t, hook.id)).status, 'delivered', 'the status after 200');
});

/**
 * A delivery that the receiver has first refused with 500, after it has arrived again: its webhook and both requests.
 * The pause of a server may be long, so the checks share one.
 * @param {Trial} t
 */
async function retried(t) {
  return await t.session.once('a delivery that was retried', async () => {
    const { hook } = await deliver(t, { replies: [500] });
    const [first, second] = await hook.arrived(2);
    return { hook, first: /** @type {Received} */ (first), second: /** @type {Received} */ (second) };
  });
}

check('retried', decides('atLeastOnce'), async (t) => {
  await retried(t);
});

check('retried.bytes', decides('atLeastOnce'), async (t) => {
  const { first, second } = await retried(t);
  t.holds(second.body.equals(first.body), 'the second attempt has another body than the first');
});

check('retried.guid', decides('guid'), async (t) => {
  const { first, second } = await retried(t);
  const name = `${prefixOf(first)}-delivery`;
  t.equal(second.headers[name], first.headers[name], `${name} of the second attempt`);
  t.equal(bodyOf(t, second).guid, bodyOf(t, first).guid, 'the guid of the second attempt');
});

check('retried.row', decides('oneDelivery'), async (t) => {
  const { hook } = await retried(t);
  t.equal((await deliveriesOf(t, hook.id)).length, 1, 'the number of deliveries after two attempts');
});

check('retried.outcome', decides('lastAttempt'), async (t) => {
  const { hook } = await retried(t);
  const last = await t.wait('the delivery is recorded as delivered', async () => {
    const [newest] = await deliveriesOf(t, hook.id);
    return newest?.status === 'delivered' ? newest : undefined;
  });
  t.equal(last.status_code, 200, 'status_code of the last attempt');
});

check('redirect', decides('lastAttempt'), async (t) => {
  const { hook } = await deliver(t, { replies: always(302) });
  t.equal((await ended(t, hook.id)).status_code, 302, 'status_code of a receiver that redirects');
});

check('recorded.once', decides('oneDelivery'), async (t) => {
  const { app, hook } = await deliver(t);
  await makeComment(t, app);
  await hook.arrived(2);
  const events = (await deliveriesOf(t, hook.id)).map((delivery) => delivery.event_id);
  t.equal(events.length, 2, 'the number of deliveries of two events');
  t.equal(new Set(events).size, 2, 'the number of events of two deliveries');
});
