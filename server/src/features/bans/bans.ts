import { type Ban, banLimits } from 'confab-contract/bans.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { append } from '../../events/events.ts';
import { type Json, json } from '../../kernel/json.ts';
import { actorOf } from '../users/user-json.ts';
import type { UserWrite } from '../users/user-record.ts';

/**
 * Bans keep visitors who come from an address from signing in and from changing anything for a while. They can still read:
 * others can have the same address, and nobody who reads does harm.
 */

/** A ban as it is stored. */
export type BanRow = {
  readonly id: number;
  readonly address: string;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** The most bans in force. */
export const { bansMax } = banLimits;

/** A ban as operators see it. */
export function renderBan({ id, address, reason, createdAt, expiresAt }: BanRow): Json {
  const ban: Ban = {
    id,
    address,
    ...(reason === null ? {} : { reason }),
    created_at: timestamp(createdAt),
    expires_at: timestamp(expiresAt),
  };
  return json(JSON.stringify(ban));
}

/** Tells of a ban, and wakes the nodes that know others. The log outlives the ban, so it does not get the address. */
export async function recordBan(
  { tx, caller, at }: UserWrite,
  action: 'address_banned' | 'address_unbanned',
  { id, createdAt, expiresAt }: BanRow,
): Promise<void> {
  const ban = { id, created_at: timestamp(createdAt), expires_at: timestamp(expiresAt) };
  const entity = { id, json: json(JSON.stringify(ban)) };
  await append(tx, { action, actor: actorOf(caller), appId: null, entity, at });
  tx.wake('bans');
}
