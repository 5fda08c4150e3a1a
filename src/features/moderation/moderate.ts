import { handler } from '../../binding/handler.ts';
import { banOperations, type UserModeration } from '../../contract/bans.ts';
import { timestamp } from '../../kernel/clock.ts';
import { json } from '../../kernel/json.ts';
import { invalidField } from '../../kernel/problem.ts';
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
  const ban = address === undefined ? undefined : await banInForce(call, address);
  const shown: UserModeration = {
    is_trusted: changed.isTrusted,
    is_suspended: changed.suspendedAt !== null,
    ...(ban === undefined ? {} : { banned_until: timestamp(ban.expiresAt) }),
  };
  return json(JSON.stringify(shown));
});
