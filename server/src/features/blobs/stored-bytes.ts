import { Problem } from 'confab-contract/problem.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { addToApps, addToUsers } from './stored-bytes.store.ts';

/**
 * Counts the bytes of files in use, for the person who uploaded them and for the app that has them, and limits both. They
 * are counted in the transaction that uses or releases the files, so a quota holds whatever arrives at the same time. What
 * is uploaded and not used yet has a quota of its own (`upload-quota.ts`), and files stored elsewhere have no bytes here.
 */

/** The properties of a blob that are counted. */
export type StoredBlob = {
  readonly size: number;
  readonly provider: string | null;
  readonly createdById: number;
  readonly appId: number | null;
};

/** Adds to the counts what some blobs have; must run in the transaction that uses them. Throws `storage_quota_reached`. */
export async function addStored(tx: Tx, caller: Principal, blobs: readonly StoredBlob[]): Promise<void> {
  const { personBytesMax, appBytesMax } = caller.storage ?? {};
  const added = changesOf(blobs, 1);
  if (personBytesMax === undefined && appBytesMax === undefined) return await change(tx, added);
  const [users, apps] = await Promise.all([
    added.users === undefined ? [] : tx.all(addToUsers, { added: added.users }),
    added.apps === undefined ? [] : tx.all(addToApps, { added: added.apps }),
  ]);
  if (isBeyond(users, personBytesMax)) throw beyond('Your files', personBytesMax);
  if (isBeyond(apps, appBytesMax)) throw beyond('The files of this app', appBytesMax);
}

/** Subtracts from the counts what some blobs have; must run in the transaction that releases them. */
export async function removeStored(tx: Tx, blobs: readonly StoredBlob[]): Promise<void> {
  await change(tx, changesOf(blobs, -1));
}

/** Counts the bytes of some blobs for another person from now on; must run in the transaction that gives them away. */
export async function moveStored(
  tx: Tx,
  blobs: readonly { readonly size: number }[],
  { fromId, toId }: { readonly fromId: number; readonly toId: number },
): Promise<void> {
  const bytes = blobs.reduce((sum, { size }) => sum + size, 0);
  if (bytes === 0) return;
  const added = JSON.stringify([
    { id: fromId, bytes: -bytes },
    { id: toId, bytes },
  ]);
  await tx.all(addToUsers, { added });
}

type Count = { readonly storedBytes: number };

function isBeyond(counts: readonly Count[], max: number | undefined): boolean {
  return max !== undefined && counts.some(({ storedBytes }) => storedBytes > max);
}

function beyond(whose: string, max: number | undefined): Problem {
  return new Problem(
    'storage_quota_reached',
    `${whose} may have at most ${max} bytes together. Delete some first.`,
  );
}

/** What some blobs change, for one statement for all people and one for all apps. */
type Changes = { readonly users: string | undefined; readonly apps: string | undefined };

function changesOf(blobs: readonly StoredBlob[], sign: 1 | -1): Changes {
  const stored = blobs.filter(({ provider, size }) => provider === null && size > 0);
  return {
    users: sums(stored, ({ createdById }) => createdById, sign),
    apps: sums(stored, ({ appId }) => appId, sign),
  };
}

/** Changes the counts where nothing depends on what they are then. */
async function change(tx: Tx, { users, apps }: Changes): Promise<void> {
  if (users !== undefined) await tx.run(addToUsers, { added: users });
  if (apps !== undefined) await tx.run(addToApps, { added: apps });
}

/** The bytes of some blobs by owner, as a JSON array; undefined where none has an owner. */
function sums(
  blobs: readonly StoredBlob[],
  ownerOf: (blob: StoredBlob) => number | null,
  sign: 1 | -1,
): string | undefined {
  const byOwner = new Map<number, number>();
  for (const blob of blobs) {
    const id = ownerOf(blob);
    if (id !== null) byOwner.set(id, (byOwner.get(id) ?? 0) + sign * blob.size);
  }
  return byOwner.size === 0 ? undefined : JSON.stringify([...byOwner].map(([id, bytes]) => ({ id, bytes })));
}
