import { banLimits, banOperations } from 'confab-contract/bans.ts';
import type { BodyOf } from 'confab-contract/operation.ts';
import { invalidField, Problem } from 'confab-contract/problem.ts';
import { readRef } from 'confab-contract/values/ids.ts';
import { parseTimestamp, type UnixMs } from 'confab-contract/values/time.ts';
import { findUser } from '../../access/user/user-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Read, Tx } from '../../db/db.ts';
import { readNetwork } from '../../net/networks.ts';
import type { UserWrite } from '../users/user-record.ts';
import { lastAddressOf } from '../users/visitor-facts.ts';
import { banOfAddress, changeBan, countBans, insertBan } from './bans.store.ts';
import { type BanRow, bansMax, recordBan, renderBan } from './bans.ts';

type BanBody = BodyOf<typeof banOperations.createBan>;

/** Bans an address, or changes its ban. */
export const createBan = handler(
  banOperations.createBan,
  (input) => input.read({ address: readAddress }),
  async ({ tx, caller, body, at }) => {
    const expiresAt = endOf(body, at);
    const address = await networkToBan(tx, body, at);
    const ban = await banNetwork({ tx, caller, at }, { address, expiresAt, reason: body.reason ?? null });
    return renderBan(ban);
  },
);

/** Bans a network, or gives its ban another time and reason. Throws `validation_failed` where there are too many bans. */
export async function banNetwork(
  { tx, caller, at }: UserWrite,
  { address, expiresAt, reason }: Pick<BanRow, 'address' | 'expiresAt' | 'reason'>,
): Promise<BanRow> {
  const values = { reason, createdAt: at, expiresAt };
  const known = await (tx as Pick<Read, 'get'>).get(banOfAddress, { address });
  if (known === undefined) await assertRoom(tx, at);
  else await tx.run(changeBan, { ...values, id: known.id });
  const id = known?.id ?? (await tx.insert(insertBan, { ...values, address }));
  const ban = { id, address, ...values };
  await recordBan({ tx, caller, at }, 'address_banned', ban);
  return ban;
}

function readAddress(input: string): string {
  const read = readNetwork(input.trim());
  if (read === undefined)
    throw invalidField('/address', 'invalid', 'must be an address or a network as CIDR');
  if (read.isTooWide)
    throw invalidField('/address', 'too_wide', 'must be at most a /16 for IPv4 and a /32 for IPv6');
  return read.network;
}

/** When a ban ends. Throws `validation_failed` unless the body says so once, and with a time to come. */
function endOf({ expires_at: endText, seconds }: BanBody, at: UnixMs): UnixMs {
  if (typeof endText === 'string' && typeof seconds === 'number')
    throw invalidField('/expires_at', 'one_of', 'must not be there together with seconds');
  if (typeof endText !== 'string' && typeof seconds !== 'number')
    throw invalidField('/seconds', 'required', 'must be there, or else expires_at');
  if (typeof seconds === 'number') return at + seconds * 1000;
  const expiresAt = parseTimestamp(String(endText));
  if (expiresAt === undefined || expiresAt <= at)
    throw invalidField('/expires_at', 'past', 'must be a time to come');
  if (expiresAt > at + banLimits.secondsMax * 1000)
    throw invalidField('/expires_at', 'too_late', 'must be at most 366 days from now');
  return expiresAt;
}

/** The network that a body names. Throws `validation_failed` unless it names one, also by a visitor who has one. */
async function networkToBan(tx: Tx, { address, user }: BanBody, at: UnixMs): Promise<string> {
  const isGiven = typeof address === 'string';
  const isUser = user !== undefined && user !== null;
  if (isGiven && isUser) throw invalidField('/user', 'one_of', 'must not be there together with address');
  if (!isGiven && !isUser) throw invalidField('/address', 'required', 'must be there, or else user');
  if (isGiven) return address;
  const ref = isUser ? readRef(user) : undefined;
  const subject = ref === undefined ? undefined : await findUser(tx, ref);
  const last = subject === undefined ? undefined : await lastAddressOf(tx, subject, at);
  if (last === undefined)
    throw invalidField('/user', 'unknown', 'must be a visitor whose last address is known');
  return last;
}

async function assertRoom(tx: Tx, at: UnixMs): Promise<void> {
  const row = await (tx as Pick<Read, 'get'>).get(countBans, { now: at });
  if ((row?.count ?? 0) >= bansMax)
    throw new Problem(
      'validation_failed',
      `At most ${bansMax} addresses can be banned at once. End some bans first.`,
    );
}
