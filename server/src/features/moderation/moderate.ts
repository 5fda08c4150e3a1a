import { banOperations, type UserModeration } from 'confab-contract/bans.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { banFor, banInForce } from '../bans/in-force.ts';
import { changeUser } from '../users/user-record.ts';
import { lastAddressOf } from '../users/visitor-facts.ts';

/** Decides whether a user is trusted and suspended, and whether their address is banned. */
export const moderateUser = handler(banOperations.moderateUser, async (call) => {
  const { tx, on: user, body, at } = call;
  const { is_trusted: isTrusted, is_suspended: isSuspended, ban_seconds: seconds } = body;
  const changed = await changeUser(call, user, {
    ...(typeof isSuspended === 'boolean' ? { isSuspended } : {}),
    values: typeof isTrusted === 'boolean' ? { isTrusted } : {},
  });
  const address = await lastAddressOf(tx, user, at);
  if (typeof seconds === 'number') {
    if (address === undefined)
      throw invalidField('/ban_seconds', 'unknown', 'is for a visitor whose last address is known');
    await banFor(call, address, seconds);
  }
  const until = await bannedUntil(call, address);
  const state: UserModeration = {
    is_trusted: changed.isTrusted,
    is_suspended: changed.suspendedAt !== null,
    ...(until === undefined ? {} : { banned_until: timestamp(until) }),
  };
  return json(JSON.stringify(state));
});

/**
 * Until when the address of the decided user is banned, as far as the caller may know it. A user gets the time of the ban that
 * they have just requested and nothing of other bans, which would tell that two visitors share an address.
 */
async function bannedUntil(
  call: Parameters<typeof banInForce>[0] & { readonly body: { readonly ban_seconds?: number | null } },
  address: string | undefined,
): Promise<UnixMs | undefined> {
  const { caller, at, body } = call;
  if (address === undefined) return undefined;
  if (caller.kind === 'key') return (await banInForce(call, address))?.expiresAt;
  const { ban_seconds: seconds } = body;
  return typeof seconds === 'number' && seconds > 0 ? ((at + seconds * 1000) as UnixMs) : undefined;
}
