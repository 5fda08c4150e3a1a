import { keyOperations, type NewApiKey } from 'confab-contract/keys.ts';
import { invalidField } from 'confab-contract/problem.ts';
import type { NeededScope } from 'confab-contract/scopes.ts';
import { parseTimestamp, timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import type { Tx } from '../../db/db.ts';
import { json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { addKey, findKey } from '../credentials/keys.ts';
import { shownKey } from './key-json.ts';

/**
 * Keys are the API keys as operators see, make and revoke them; `features/credentials` checks them. They are no content
 * and have no events, which users and webhooks read: a key has the times at which it was made and revoked, and the log
 * of the server has the key of each request (decision 0085).
 */

/** Makes a key. */
export const createKey = handler(keyOperations.createKey, async ({ tx, caller, at, body }) => {
  const { name, scopes, expires_at } = body;
  const expiresAt = expires_at === undefined ? null : parseTimestamp(expires_at);
  return json(JSON.stringify(await makeKey({ tx, caller, at }, { name, scopes, expiresAt })));
});

type KeyDraft = {
  readonly name: string;
  readonly scopes: readonly NeededScope[];
  /** Null for a key without an end. */
  readonly expiresAt: UnixMs | null | undefined;
};

/**
 * Adds a key for a caller and renders it with its secret. Throws `validation_failed` for an end in the past, and for an
 * end after the end of the caller's own key: otherwise a key could extend its own life.
 */
export async function makeKey(
  { tx, caller, at }: { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs },
  { name, scopes, expiresAt = null }: KeyDraft,
): Promise<NewApiKey> {
  // A session ends earlier than its key, which is what counts.
  const own = await findKey(tx, caller.apiKeyId ?? 0);
  const latest = own?.expiresAt ?? null;
  if (expiresAt !== null && expiresAt <= at)
    throw invalidField('/expires_at', 'past', 'must be a time to come');
  if (latest !== null && (expiresAt === null || expiresAt > latest))
    throw invalidField(
      '/expires_at',
      'too_late',
      `must be at most ${timestamp(latest)}, when your own key ends`,
    );
  const { secret, info } = await addKey(tx, { name, scopes, expiresAt, at });
  return { ...shownKey(info), key: secret };
}
