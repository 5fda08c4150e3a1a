import { type ErasedKind, erasedKinds } from 'confab-contract/erasures.ts';
import { Problem } from 'confab-contract/problem.ts';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { Read, Tx } from '../../db/db.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { eraseProfile } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import {
  type ErasureRow,
  erasureById,
  erasureOfUser,
  insertErasure,
  promote,
  unfinishedErasures,
} from './erasures.store.ts';
import { joinedInto } from './newest-ids.store.ts';
import type { Person } from './person-json.ts';

/**
 * An erasure removes a user with everything that the store has of them. The request removes the profile, and a loop does
 * the rest in bounded steps (`erasing.ts`); the row of the erasure says how far it is, and in the end holds the receipt.
 * `tables.ts` says for each table what becomes of its rows.
 */

/** How many of each kind an erasure has removed or changed. */
export type Counts = { readonly [K in ErasedKind]?: number };

/** The state that a step of an erasure has. */
export type ErasingStep = {
  readonly person: Person;
  /** The caller who requested the erasure: the actor of the events that it appends. */
  readonly caller: Pick<Principal, 'user' | 'apiKeyId'>;
  readonly at: UnixMs;
  /** What creates the addresses in events. */
  readonly links: BlobLinks;
};

/** The first part of the work; see `erasing.ts`. */
export const firstPart = 'deletions';

/** What becomes of the texts of an erased user: those of one who has an heir stay, as texts of the heir. */
type Texts = { readonly content: 'remove' | 'keep'; readonly heirId?: number };

/** Requests the erasure of a user, or finds the one that was requested. Throws `validation_failed` for the system user. */
export async function requestErasure(
  write: { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs },
  user: User,
  { content, heirId }: Texts,
): Promise<ErasureRow> {
  const { tx, caller, at } = write;
  if (user.id === systemUserId)
    throw new Problem('validation_failed', 'The built-in user of the system cannot be erased.');
  const isUrgent = caller.kind === 'key';
  if (isUrgent) await promoteWith(tx, user.id);
  const known = await tx.get(erasureOfUser, { userId: user.id });
  if (known !== undefined) return known;
  const counts: Counts = await eraseProfile(write, user);
  const id = await tx.insert(insertErasure, {
    userId: user.id,
    content,
    requestedAt: at,
    requestedById: caller.user.id,
    apiKeyId: caller.apiKeyId ?? null,
    names: JSON.stringify(namesOf(user)),
    part: firstPart,
    counts: JSON.stringify(counts),
    heirId: heirId ?? null,
    rank: isUrgent ? 0 : 1,
  });
  tx.wake('removals');
  const row = await tx.get(erasureById, { id });
  if (row === undefined) throw new Error('an erasure was not stored');
  return row;
}

/** Lets the erasure of a user go before those of visitors, with those by which the user still inherits. */
async function promoteWith(tx: Tx, userId: number): Promise<void> {
  let userIds = [userId];
  while (userIds.length > 0) {
    await tx.run(promote, { userIds });
    userIds = (await tx.all(joinedInto, { ids: userIds })).map((joined) => joined.userId);
  }
}

/** The names of a user in texts: uid, email address and whole names. */
function namesOf({ uid, email, displayName, name, givenName, familyName, nickname }: User): string[] {
  const full = givenName === null || familyName === null ? null : `${givenName} ${familyName}`;
  const names = [uid, email, displayName, name, full, nickname].map((text) => text?.trim() ?? '');
  return [...new Set(names.filter((text) => text !== ''))];
}

/** An erasure by its id. */
export async function findErasure(read: Read, id: number): Promise<ErasureRow | undefined> {
  return await read.get(erasureById, { id });
}

/** How many erasures go on, and how many failed and wait for their next try. */
export async function countErasures(read: Read): Promise<{ running: number; failing: number }> {
  const row = await read.get(unfinishedErasures, {});
  return { running: Number(row?.running ?? 0), failing: Number(row?.failing ?? 0) };
}

/** The counts of `row` with those of one more step. */
export function addCounts({ counts }: Pick<ErasureRow, 'counts'>, more: Counts): string {
  const sum = JSON.parse(counts) as { [kind: string]: number };
  for (const [kind, number] of Object.entries(more)) sum[kind] = (sum[kind] ?? 0) + number;
  return JSON.stringify(sum);
}

/** An erasure as the receipt says it, without the signature. */
export function receiptOf(row: ErasureRow): object {
  const counts = JSON.parse(row.counts) as Counts;
  const kinds = Object.keys(erasedKinds) as ErasedKind[];
  return {
    id: row.id,
    user_id: row.userId,
    content: row.content,
    ...(row.heirId === null ? {} : { heir_id: row.heirId }),
    state: row.finishedAt === null ? 'running' : 'finished',
    ...(row.finishedAt === null ? { part: row.part } : {}),
    requested_at: timestamp(row.requestedAt),
    ...(row.finishedAt === null ? {} : { finished_at: timestamp(row.finishedAt) }),
    counts: Object.fromEntries(kinds.map((kind) => [kind, counts[kind] ?? 0])),
  };
}

/** An erasure as the API returns it. */
export function renderErasure(row: ErasureRow): Json {
  const signature = row.receipt === null ? {} : { signature: row.receipt };
  return json(JSON.stringify({ ...receiptOf(row), ...signature }));
}
