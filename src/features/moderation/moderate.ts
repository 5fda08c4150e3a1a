import { type Call, handler } from '../../binding/handler.ts';
import { banOperations, type UserModeration } from '../../contract/bans.ts';
import type { Read } from '../../db/db.ts';
import { timestamp } from '../../kernel/clock.ts';
import { json } from '../../kernel/json.ts';
import { invalidField } from '../../kernel/problem.ts';
import { banOfAddress, deleteBan } from '../bans/bans.store.ts';
import { type BanRow, recordBan } from '../bans/bans.ts';
import { banNetwork } from '../bans/create.ts';
import { changeUser } from '../users/user-record.ts';
import { lastAddressOf } from '../users/visitor-facts.ts';

type Moderating = Call<typeof banOperations.moderateUser>;

/** Decides whether a user is trusted and suspended, and whether their address is banned. */
export const moderateUser = handler(banOperations.moderateUser, async (call) => {
  const { tx, on: user, body, at } = call;
  const { is_trusted: isTrusted, is_suspended: isSuspended, ban_seconds: seconds } = body;
  const changed = await changeUser(call, user, {
    ...(typeof isSuspended === 'boolean' ? { isSuspended } : {}),
    values: typeof isTrusted === 'boolean' ? { isTrusted } : {},
  });
  const address = await lastAddressOf(tx, user, at);
  if (typeof seconds === 'number') await decideBan(call, address, seconds);
  const ban = address === undefined ? undefined : await banInForce(call, address);
  const shown: UserModeration = {
    is_trusted: changed.isTrusted,
    is_suspended: changed.suspendedAt !== null,
    ...(ban === undefined ? {} : { banned_until: timestamp(ban.expiresAt) }),
  };
  return json(JSON.stringify(shown));
});

/** Bans the address of a visitor for so many seconds from now, unless it is banned for longer; 0 ends its ban. */
async function decideBan(call: Moderating, address: string | undefined, seconds: number): Promise<void> {
  const { tx, at } = call;
  if (address === undefined)
    throw invalidField('/ban_seconds', 'unknown', 'is for a visitor whose last address is known');
  const ban = await banInForce(call, address);
  const expiresAt = at + seconds * 1000;
  if (seconds > 0 && (ban?.expiresAt ?? 0) < expiresAt)
    await banNetwork(call, { address, expiresAt, reason: null });
  if (seconds > 0 || ban === undefined) return;
  await tx.run(deleteBan, { id: ban.id });
  await recordBan(call, 'address_unbanned', ban);
}

async function banInForce({ tx, at }: Moderating, address: string): Promise<BanRow | undefined> {
  const ban = await (tx as Pick<Read, 'get'>).get(banOfAddress, { address });
  return ban === undefined || ban.expiresAt <= at ? undefined : ban;
}
