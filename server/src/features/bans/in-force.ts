import type { Read } from '../../db/db.ts';
import type { UserWrite } from '../users/user-record.ts';
import { banOfAddress, deleteBan } from './bans.store.ts';
import { type BanRow, recordBan } from './bans.ts';
import { banNetwork } from './create.ts';

/** The ban of a network that is not over. Call it in a transaction. */
export async function banInForce({ tx, at }: UserWrite, address: string): Promise<BanRow | undefined> {
  const ban = await (tx as Pick<Read, 'get'>).get(banOfAddress, { address });
  return ban === undefined || ban.expiresAt <= at ? undefined : ban;
}

/**
 * Bans a network for so many seconds from now, unless it is banned for longer; 0 ends its ban. Call it in a transaction.
 * Throws `validation_failed` where there are too many bans.
 */
export async function banFor(write: UserWrite, address: string, seconds: number): Promise<void> {
  const { tx, at } = write;
  const ban = await banInForce(write, address);
  const expiresAt = at + seconds * 1000;
  if (seconds > 0 && (ban?.expiresAt ?? 0) < expiresAt)
    await banNetwork(write, { address, expiresAt, reason: null });
  if (seconds > 0 || ban === undefined) return;
  await tx.run(deleteBan, { id: ban.id });
  await recordBan(write, 'address_unbanned', ban);
}
