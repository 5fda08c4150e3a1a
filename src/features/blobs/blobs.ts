import type { Tx } from '../../db/db.ts';
import type { UnixMs } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import { claimBlobs, releaseBlobs } from './blobs.store.ts';

/**
 * Blobs are uploads, and files that are kept elsewhere, from the moment they are created. Each waits until one comment,
 * post, message, file or user uses it, and is swept when nothing uses it in time or any longer.
 */

/** How long a blob waits to be used, in milliseconds: a day covers a text that is written over an evening. */
export const unusedMsMax = 24 * 3_600_000;

/** Whose blobs a caller may use: with an API key those of anyone. */
function claimant(caller: Principal): { userId: number; anyones: number } {
  return { userId: caller.user.id, anyones: caller.kind === 'key' ? 1 : 0 };
}

/**
 * Takes blobs into use, each for one thing and permanently; must run in the transaction that uses them. One statement
 * for any number. Throws `validation_failed` at `pointerOf(index)` for the first one that does not exist, is another
 * user's, is in use already or is in the list twice. Returns their names by id.
 */
export async function useBlobs(
  tx: Tx,
  caller: Principal,
  wanted: { ids: readonly number[]; pointerOf: (index: number) => string; at: UnixMs },
): Promise<Map<number, string>> {
  const { ids, pointerOf, at } = wanted;
  const rows = await tx.all(claimBlobs, { ids, ...claimant(caller), now: at });
  const names = new Map(rows.map((row) => [row.id, row.name]));
  const wrong = ids.findIndex((id, index) => !names.has(id) || ids.indexOf(id) !== index);
  if (wrong !== -1) throw invalidField(pointerOf(wrong), 'not_found', 'is no blob of yours that is free');
  return names;
}

/**
 * Ends the use of blobs: those that nothing else uses are swept soon. Must run in the transaction that removes what used
 * them, after the removal.
 */
export async function dropBlobs(tx: Tx, ids: readonly number[], at: UnixMs): Promise<void> {
  if (ids.length > 0) await tx.run(releaseBlobs, { ids, at });
}
