import type { ApiKey } from 'confab-contract/keys.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { KeyInfo } from '../credentials/keys.ts';

/** A key as others see it. */
export function shownKey({ id, name, hint, scopes, ...times }: KeyInfo): ApiKey {
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
