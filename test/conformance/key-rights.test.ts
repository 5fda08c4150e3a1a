import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { On } from '../../src/contract/policy.ts';

/** Whether a policy gives rights that only API keys have: its resolver settles the 404 and leaves the rest to `caller`. */
function isForKeys(on: On | undefined): boolean {
  if (on === 'server') return true;
  if (on === undefined || typeof on === 'string') return false;
  return (
    'user' in on || 'webhook' in on || 'delivery' in on || ('directory' in on && on.directory === 'manage')
  );
}

/** Users, webhooks and the server as a whole are managed with API keys; no resolver says so, the contract does. */
describe('operations on what API keys manage', () => {
  it('take no access tokens', () => {
    const all: readonly Operation[] = Object.values(operations);
    const managing = all.filter(({ on }) => isForKeys(on));
    assert.ok(managing.some(({ id }) => id === 'updateUser'));
    assert.deepEqual(
      managing.filter(({ caller }) => caller !== 'key').map(({ id }) => id),
      [],
    );
  });
});
