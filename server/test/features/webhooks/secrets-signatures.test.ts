import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verify as verifyHex } from '@octokit/webhooks-methods';
import { verify } from 'confab-client/webhooks';
import { movableClock } from 'confab-testing/clock.ts';
import { assertDeliveriesWhole } from 'confab-testing/delivery-invariant.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { type Received, type Reply, useReceiver } from 'confab-testing/network/receiver.ts';
import { useServer } from 'confab-testing/server.ts';
import {
  accepts,
  acceptsAsStandard,
  signedComments,
  signingSecrets,
  standardSecret,
} from 'confab-testing/signed-requests.ts';
import { makeHook, nudge, settled } from 'confab-testing/webhooks.ts';
import { Webhook as StandardWebhook } from 'standardwebhooks';

const clock = movableClock();
const server = useServer({ CONFAB_WEBHOOK_STRIPE_SIGNATURE: 'yes' }, { clock });
const receiver = useReceiver();

const fails: Reply = { status: 500 };
const works: Reply = { status: 200 };

const hook = (fields: object, ...replies: Reply[]) =>
  makeHook(server, receiver, { replies, triggers: ['apps'], ...fields });

async function pass(ms: number): Promise<void> {
  clock.move(ms);
  await nudge(server);
}

/** Fails unless the invariant holds for what reached a webhook, which is then deleted and receives nothing more. */
async function assertWhole(id: number, ...paths: string[]): Promise<void> {
  const all = () => paths.flatMap((path) => receiver.ledger(path));
  assertDeliveriesWhole(server, { receiver: { url: receiver.url, all }, now: clock.now() });
  await server.call('DELETE', `/api/webhooks/${id}`);
}

/** Whether each verifier accepts a request with a secret; those of others come from npm as they are. */
async function verdicts(request: Received, secret: string): Promise<Record<string, boolean>> {
  const text = request.body.toString();
  const { headers } = request;
  return {
    octokit: await verifyHex(secret, text, headers['x-hub-signature-256'] ?? 'none'),
    own: await verifyHex(secret, text, headers['x-weavy-signature'] ?? 'none'),
    standardwebhooks: acceptsAsStandard(StandardWebhook, request, secret),
    confab: accepts(() => verify({ body: request.body, headers, secret })),
  };
}

const all = (verdict: boolean) => ({
  octokit: verdict,
  own: verdict,
  standardwebhooks: verdict,
  confab: verdict,
});

// Whoever verifies with a library as it comes from npm accepts what arrives, and nothing that was changed on the way. Those
// that take much space on the disk are tried in kits/test/signatures.test.ts.
describe('third-party libraries verify the signatures', () => {
  for (const [kind, secret] of Object.entries(signingSecrets))
    for (const [content, fields] of Object.entries(signedComments))
      test(`60: Cross-verification with ${kind} and a body with ${content}`, async () => {
        const { id, path } = await hook({ secret, triggers: ['comments'] });
        await makeComment(server, (await makeApp(server)).uid, fields);
        const [request] = await receiver.received(path, 1);
        assert.ok(request !== undefined);
        if (content === '256 KiB') assert.ok(request.body.length > 256 * 1024, `${request.body.length}`);
        assert.deepEqual(await verdicts(request, secret), all(true));
        assert.deepEqual(await verdicts(request, `${secret.slice(0, -8)}AAAAAAA=`), all(false));
        const body = Buffer.concat([request.body, Buffer.from(' ')]);
        assert.deepEqual(await verdicts({ ...request, body }, secret), all(false));
        await settled(server, Number(request.headers['x-weavy-hook-id']), 'delivered');
        await assertWhole(id, path);
      });

  test('60: Cross-verification in the overlap of two secrets', async () => {
    const [old, present] = [signingSecrets['a secret beyond ASCII'], standardSecret];
    const { id, path } = await hook({ secret: old });
    await server.call('POST', `/api/webhooks/${id}/secret/rotate`, { secret: present });
    await makeApp(server);
    const [request] = await receiver.received(path, 1);
    assert.ok(request !== undefined);
    assert.deepEqual(await verdicts(request, present), all(true));
    // A hex digest has room for one secret.
    assert.deepEqual(await verdicts(request, old), { ...all(true), octokit: false, own: false });
    await settled(server, id, 'delivered');
    await assertWhole(id, path);
  });
});

// A change of a webhook applies from the next attempt on; the body keeps the same bytes.
describe('a webhook that changes between retries', () => {
  test('44: Secret changed in mid-retry → next attempt signed with the new one (both, in overlap); body bytes unchanged', async () => {
    const { id, path } = await hook({ secret: 'first' }, fails, fails, works);
    await makeApp(server);
    await settled(server, id, 'retrying', 1);
    await server.call('PATCH', `/api/webhooks/${id}`, { secret: 'second' });
    await pass(6000);
    await settled(server, id, 'retrying', 2);
    await server.call('POST', `/api/webhooks/${id}/secret/rotate`, { secret: 'third' });
    await pass(67_000);
    await settled(server, id, 'delivered');
    const requests = receiver.ledger(path);
    const accepts = await Promise.all(
      requests.map(async (request) => {
        const accepted = await Promise.all(
          ['first', 'second', 'third'].map(async (one) => {
            const { standardwebhooks, octokit } = await verdicts(request, one);
            return `${standardwebhooks ? 's' : '-'}${octokit ? 'h' : '-'}`;
          }),
        );
        return accepted.join(' ');
      }),
    );
    assert.deepEqual(accepts, ['sh -- --', '-- sh --', '-- s- sh']);
    const guids = new Set(requests.map(({ headers }) => headers['webhook-id']));
    assert.equal(guids.size, 1);
    for (const { body } of requests) assert.deepEqual(body, requests[0]?.body);
    await assertWhole(id, path);
  });

  test('45: Secret removed → no signature headers', async () => {
    const { id, path } = await hook({ secret: 'first' }, fails, works);
    await makeApp(server);
    await settled(server, id, 'retrying', 1);
    await server.call('PATCH', `/api/webhooks/${id}`, { secret: null });
    await pass(6000);
    await settled(server, id, 'delivered');
    const [signed, unsigned] = receiver.ledger(path);
    assert.ok(signed !== undefined && unsigned !== undefined);
    const signaturesOf = ({ headers }: Received) =>
      Object.keys(headers).filter((name) => name.includes('signature'));
    assert.deepEqual(signaturesOf(signed).sort(), [
      'stripe-signature',
      'webhook-signature',
      'x-hub-signature-256',
      'x-weavy-signature',
    ]);
    assert.deepEqual(signaturesOf(unsigned), []);
    assert.equal(unsigned.headers['webhook-id'], signed.headers['webhook-id']);
    assert.notEqual(unsigned.headers['webhook-timestamp'], undefined);
    assert.deepEqual(unsigned.body, signed.body);
    await assertWhole(id, path);
  });

  test('the headers that are sent are exactly those in the OpenAPI document', async () => {
    const { id, path } = await hook({ secret: 'it is a secret' });
    await makeApp(server);
    const [request] = await receiver.received(path, 1);
    assert.ok(request !== undefined);
    const document = JSON.parse(await (await fetch(`${server.url}/openapi.json`)).text());
    const { parameters } = document.webhooks.delivery.post;
    const documented = parameters.map(({ name }: { name: string }) => name.toLowerCase());
    // OpenAPI has the media type elsewhere, and the others are of the connection.
    const others = new Set(['content-type', 'content-length', 'host', 'connection']);
    const sent = Object.keys(request.headers).filter((name) => !others.has(name));
    assert.deepEqual(documented.toSorted(), sent.toSorted());
    await assertWhole(id, path);
  });

  test('46: URL changed → next attempt to the new URL', async () => {
    const { id, path } = await hook({ secret: 'first' }, fails);
    await makeApp(server);
    await settled(server, id, 'retrying', 1);
    const moved = `${path}/moved`;
    await server.call('PATCH', `/api/webhooks/${id}`, { payload_url: receiver.url + moved });
    await pass(6000);
    await settled(server, id, 'delivered');
    const [[before, ...again], [after, ...more]] = [receiver.ledger(path), receiver.ledger(moved)];
    assert.deepEqual([again, more], [[], []]);
    assert.equal(after?.headers['webhook-id'], before?.headers['webhook-id']);
    assert.equal(after?.headers['x-weavy-attempt'], '2');
    assert.deepEqual(after?.body, before?.body);
    await assertWhole(id, path, moved);
  });
});
