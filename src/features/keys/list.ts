import { handler } from '../../binding/handler.ts';
import { type ApiKey, keyOperations, listedKeysMax } from '../../contract/keys.ts';
import { timestamp } from '../../kernel/clock.ts';
import { json } from '../../kernel/json.ts';
import { type KeyInfo, listLastKeys } from '../credentials/keys.ts';

/** Keys are the API keys as operators see them, without their secrets; `features/credentials` makes and checks them. */

/** The newest keys. */
export const listKeys = handler(keyOperations.listKeys, async ({ read }) => {
  const rows = await listLastKeys(read, listedKeysMax);
  return json(JSON.stringify(rows.map(shown)));
});

function shown({ id, name, hint, scopes, ...times }: KeyInfo): ApiKey {
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = times;
  return {
    id,
    name,
    hint,
    scopes: scopes.split(','),
    created_at: timestamp(createdAt),
    ...(lastUsedAt === null ? {} : { last_used_at: timestamp(lastUsedAt) }),
    ...(expiresAt === null ? {} : { expires_at: timestamp(expiresAt) }),
    ...(revokedAt === null ? {} : { revoked_at: timestamp(revokedAt) }),
  };
}
