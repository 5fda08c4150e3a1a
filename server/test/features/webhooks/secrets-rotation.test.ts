import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { type Received, useReceiver } from 'confab-testing/network/receiver.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { keptSecrets, secretOf } from 'confab-testing/secrets.ts';
import { useServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { makeHook } from 'confab-testing/webhooks.ts';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { forgetEndedSecrets } from '../../../src/features/webhooks/secrets/secrets.ts';

const dayMs = 86_400_000;
const clock = movableClock();
const server = useServer({}, { clock });
const receiver = useReceiver();

const hook = (fields: object = {}) => makeHook(server, receiver, { triggers: ['apps'], ...fields });

const rotate = (id: number | string, body?: unknown, sending = {}) =>
  server.call('POST', `/api/webhooks/${id}/secret/rotate`, body, sending);

/** Sends a delivery to a path that had `before` requests, and returns the request. */
async function deliver(path: string): Promise<Received> {
  const before = receiver.ledger(path).length;
  await makeApp(server);
  const request = (await receiver.received(path, before + 1))[before];
  assert.ok(request !== undefined);
  return request;
}

/** Which of some secrets a Standard Webhooks verifier accepts on a request. */
function accepted(request: Received, secrets: readonly string[]): boolean[] {
  // The clock of the server may be days ahead of the verifier's; only the signature is looked at.
  return secrets.map((secret) => {
    const verifier = secret.startsWith('whsec_')
      ? new StandardWebhook(secret)
      : new StandardWebhook(secret, { format: 'raw' });
    const seconds = Number(request.headers['webhook-timestamp']);
    const expected = verifier.sign(
      request.headers['webhook-id'] ?? '',
      new Date(seconds * 1000),
      request.body.toString(),
    );
    return (request.headers['webhook-signature'] ?? '').split(' ').includes(expected);
  });
}

const signatureCount = (request: Received): number =>
  (request.headers['webhook-signature'] ?? '').split(' ').length;

// A secret is replaced without a moment in which a receiver has to refuse: both sign for the requested time.
describe('rotating a secret', () => {
  test('generates one, returns it once, and signs with both for a day', async () => {
    const { id, path } = await hook({ secret: 'the first' });
    const at = clock.now();
    const answer = await rotate(id);
    assert.equal(answer.status, 200);
    const { secret, previous_secret_until } = answer.body;
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const until = Date.parse(previous_secret_until);
    assert.ok(until >= at + dayMs && until <= clock.now() + dayMs);
    const shown = await server.call('GET', `/api/webhooks/${id}`);
    assert.ok(!shown.text.includes('whsec_') && !shown.text.includes('the first'));

    const request = await deliver(path);
    assert.deepEqual(accepted(request, [secret, 'the first']), [true, true]);
    assert.equal(signatureCount(request), 2);
    const only = request.headers['x-hub-signature-256'];
    assert.equal(request.headers['x-weavy-signature'], only);
    assert.match(only ?? '', /^sha256=[0-9a-f]{64}$/);

    clock.move(dayMs);
    const later = await deliver(path);
    assert.deepEqual(accepted(later, [secret, 'the first']), [true, false]);
    assert.equal(signatureCount(later), 1);
  });

  test('accepts a given secret and overlap', async () => {
    const { id, path } = await hook({ secret: 'the first' });
    const answer = await rotate(id, { secret: 'the second', overlap_seconds: 60 });
    assert.deepEqual(Object.keys(answer.body), ['previous_secret_until']);
    const { previous_secret_until: until } = keptSecrets(server, id);
    assert.equal(Date.parse(answer.body.previous_secret_until), until);
    const shown = async () => (await server.read(`/api/webhooks/${id}`)).previous_secret_until;
    assert.equal(await shown(), answer.body.previous_secret_until);
    assert.deepEqual(accepted(await deliver(path), ['the second', 'the first']), [true, true]);
    clock.move(61_000);
    assert.equal(await shown(), undefined);
    assert.deepEqual(accepted(await deliver(path), ['the second', 'the first']), [true, false]);
  });

  test('ends the previous one at once without an overlap', async () => {
    const { id, path } = await hook({ secret: 'the first' });
    const { body } = await rotate(id, { overlap_seconds: 0 });
    assert.deepEqual(Object.keys(body), ['secret']);
    const request = await deliver(path);
    assert.deepEqual(accepted(request, [body.secret, 'the first']), [true, false]);
    assert.equal(keptSecrets(server, id).previous_secret, null);
  });

  test('gives a first secret to a webhook that had none', async () => {
    const { id, path } = await hook();
    const { body } = await rotate(id);
    assert.deepEqual(Object.keys(body), ['secret']);
    assert.deepEqual(accepted(await deliver(path), [body.secret]), [true]);
  });

  test('ends the overlap of an earlier rotation', async () => {
    const { id, path } = await hook({ secret: 'the first' });
    await rotate(id, { secret: 'the second' });
    await rotate(id, { secret: 'the third' });
    const request = await deliver(path);
    assert.deepEqual(accepted(request, ['the third', 'the second', 'the first']), [true, true, false]);
  });

  test('ends with a PATCH that sends a secret, even the present one', async () => {
    const { id, path } = await hook({ secret: 'the first' });
    await rotate(id, { secret: 'the second' });
    const answer = await server.call('PATCH', `/api/webhooks/${id}`, { secret: 'the second' });
    assert.equal(answer.status, 200);
    assert.deepEqual(accepted(await deliver(path), ['the second', 'the first']), [true, false]);
    await rotate(id, { secret: 'the third' });
    await server.call('PATCH', `/api/webhooks/${id}`, { secret: null });
    const unsigned = await deliver(path);
    assert.deepEqual(
      Object.keys(unsigned.headers).filter((name) => /signature/.test(name)),
      [],
    );
    assert.equal(secretOf(server, id), undefined);
  });

  test('is one event, which contains no secret', async () => {
    const { id } = await hook({ secret: 'the first' });
    await rotate(id, { secret: 'the second' });
    const events = readStore(
      server.folder,
      `select action, payload from events where entity_type = 'webhook' and entity_id = ${id} order by id`,
    );
    assert.deepEqual(
      events.map(({ action }) => action),
      ['webhook_created', 'webhook_updated'],
    );
    assert.ok(!JSON.stringify(events).includes('the '));
  });

  test('deletes the previous one once it has expired', async () => {
    const { id } = await hook({ secret: 'the first' });
    await rotate(id, { overlap_seconds: 1 });
    assert.notEqual(keptSecrets(server, id).previous_secret, null);
    clock.move(2000);
    await forgetEndedSecrets(server.running.db, clock);
    const { previous_secret, previous_secret_until } = keptSecrets(server, id);
    assert.deepEqual([previous_secret, previous_secret_until], [null, null]);
  });

  test('by 32 requests at once leaves the secret of the last response', async () => {
    const { id, path } = await hook({ secret: 'the first' });
    const answers = await Promise.all(Array.from({ length: 32 }, () => rotate(id)));
    const made = answers.map(({ body }) => body.secret as string);
    assert.equal(new Set(made).size, 32);
    const request = await deliver(path);
    const held = made.filter((_, index) => accepted(request, made)[index]);
    assert.equal(held.length, 2);
    assert.ok(held.includes(secretOf(server, id) ?? ''));
  });
});

// What may not be, may not be changed either: refused requests leave the secret as it is.
describe('a rotation that is refused', () => {
  test('needs an API key and an existing webhook', async () => {
    const { id } = await hook({ secret: 'kept' });
    const { token } = await makeUser(server);
    assertProblem(await rotate(id, {}, { as: null }), 401, 'unauthorized');
    assertProblem(await rotate(id, {}, { as: token }), 403, 'key_only');
    assertProblem(await rotate(999_999, { overlap_seconds: -1 }, { as: token }), 403, 'key_only');
    for (const none of [999_999, 0, 'abc', '1e1', '%00'])
      assertProblem(await rotate(none, { overlap_seconds: -1 }), 404, 'not_found');
    const { id: gone } = await hook();
    await server.call('DELETE', `/api/webhooks/${gone}`);
    assertProblem(await rotate(gone), 404, 'not_found');
    assert.equal(secretOf(server, id), 'kept');
  });

  for (const [name, body, pointer] of [
    ['an empty secret', { secret: '' }, '/secret'],
    ['a secret of 257 characters', { secret: 'x'.repeat(257) }, '/secret'],
    ['a secret with a line break', { secret: 'a\nb' }, '/secret'],
    ['a whsec_ secret of 8 bytes', { secret: 'whsec_AAAAAAAAAAA=' }, '/secret'],
    ['the present secret', { secret: 'kept' }, '/secret'],
    ['a negative overlap', { overlap_seconds: -1 }, '/overlap_seconds'],
    ['an overlap of more than a week', { overlap_seconds: 604_801 }, '/overlap_seconds'],
  ] as const)
    test(`with ${name} is 422`, async () => {
      const { id } = await hook({ secret: 'kept' });
      assertProblem(await rotate(id, body), 422, 'validation_failed', pointer);
      assert.equal(secretOf(server, id), 'kept');
    });

  for (const [name, body] of [
    ['a secret that is a number', { secret: 5 }],
    ['an overlap that is a text', { overlap_seconds: '60' }],
    ['an overlap that is no whole number', { overlap_seconds: 1.5 }],
  ] as const)
    test(`with ${name} is 400`, async () => {
      const { id } = await hook({ secret: 'kept' });
      assertProblem(await rotate(id, body), 400, 'wrong_type');
      assert.equal(secretOf(server, id), 'kept');
    });

  test('with a body that cannot be read is 400', async () => {
    const { id } = await hook({ secret: 'kept' });
    for (const text of [...unreadableTexts, '[]', 'null'])
      assert.equal((await rotate(id, text)).status, 400, text.toString());
    assert.equal(secretOf(server, id), 'kept');
  });

  test('with unknown fields is not refused', async () => {
    const { id } = await hook({ secret: 'kept' });
    assert.equal((await rotate(id, { overlap: 'x', id: 7 })).status, 200);
  });
});
