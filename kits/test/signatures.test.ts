import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { type Received, useReceiver } from 'confab-testing/network/receiver.ts';
import { useServer } from 'confab-testing/server.ts';
import {
  accepts,
  acceptsAsStandard,
  assertGuideReads,
  signedComments,
  signingSecrets,
  standardSecret,
} from 'confab-testing/signed-requests.ts';
import { makeHook } from 'confab-testing/webhooks.ts';
import Stripe from 'stripe';
import { Webhook as Svix } from 'svix';
import { Webhook as Svix1 } from 'svix-1';

const server = useServer({ CONFAB_WEBHOOK_STRIPE_SIGNATURE: 'yes' });
const receiver = useReceiver();

/** Whether each library, as it comes from npm, accepts a request with a secret. */
function verdicts(request: Received, secret: string) {
  const signature = request.headers['stripe-signature'] ?? '';
  return {
    svix: acceptsAsStandard(Svix, request, secret),
    svix1: acceptsAsStandard(Svix1, request, secret),
    stripe: accepts(() => Stripe.webhooks.constructEvent(request.body.toString(), signature, secret)),
  };
}

const all = (verdict: boolean) => ({ svix: verdict, svix1: verdict, stripe: verdict });

// Whoever verifies with one of these libraries accepts what arrives, and nothing that was changed on the way.
describe('the libraries of Svix and Stripe verify the signatures', () => {
  for (const [kind, secret] of Object.entries(signingSecrets))
    for (const [content, fields] of Object.entries(signedComments))
      test(`with ${kind} and a body with ${content}`, async () => {
        const { path } = await makeHook(server, receiver, { secret, triggers: ['comments'] });
        await makeComment(server, (await makeApp(server)).uid, fields);
        const [request] = await receiver.received(path, 1);
        assert.ok(request !== undefined);
        assert.deepEqual(verdicts(request, secret), all(true));
        assert.deepEqual(verdicts(request, `${secret.slice(0, -8)}AAAAAAA=`), all(false));
        const body = Buffer.concat([request.body, Buffer.from(' ')]);
        assert.deepEqual(verdicts({ ...request, body }, secret), all(false));
      });

  test('in the overlap of two secrets', async () => {
    const [old, present] = [signingSecrets['a secret beyond ASCII'], standardSecret];
    const { id, path } = await makeHook(server, receiver, { secret: old, triggers: ['apps'] });
    await server.call('POST', `/api/webhooks/${id}/secret/rotate`, { secret: present });
    await makeApp(server);
    const [request] = await receiver.received(path, 1);
    assert.ok(request !== undefined);
    for (const secret of [old, present]) assert.deepEqual(verdicts(request, secret), all(true));
  });
});

describe('the code of the guide for libraries', () => {
  for (const library of ['svix', 'svix-1'])
    test(`reads what is signed and refuses what is not, with ${library}`, async () => {
      await assertGuideReads(import.meta.resolve(library));
    });
});
