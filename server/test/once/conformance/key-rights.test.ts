import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import type { On } from 'confab-contract/policy.ts';

/** Whether a policy gives rights that only API keys have: its resolver settles the 404 and leaves the rest to `caller`. */
function isForKeys(on: On | undefined): boolean {
  if (on === 'server') return true;
  if (on === undefined || typeof on === 'string') return false;
  return (
    // Users export themselves, and moderators decide about users.
    ('user' in on && on.user !== 'export' && on.user !== 'moderate') ||
    'webhook' in on ||
    'delivery' in on ||
    ('directory' in on && on.directory === 'manage')
  );
}

/** Users, webhooks and the server as a whole are managed with API keys; no resolver says so, the contract does. */
describe('an operation on objects that API keys manage accepts no access token:', () => {
  const managing = Object.values<Operation>(operations).filter(({ on }) => isForKeys(on));
  for (const { id, caller } of managing) it(id, () => assert.equal(caller, 'key'));

  it('such operations exist', () => assert.ok(managing.length > 20, String(managing.length)));
});
