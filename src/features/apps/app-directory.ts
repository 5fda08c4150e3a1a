import type { Read } from '../../db/db.ts';
import { parseId } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { directoryOfApp } from './apps.store.ts';

/** The directory that a body names: its id, null for none, or `absent` when no directory has that id or name. */
export async function findDirectory(read: Read, sent: string | null): Promise<number | null | 'absent'> {
  if (sent === null) return null;
  return (await read.get(directoryOfApp, { id: parseId(sent) ?? 0, name: sent }))?.id ?? 'absent';
}

/**
 * The directory that an app is opened to. A user can name their own and the app's `present` one; any other is
 * `directory_forbidden`, whether or not it exists. Throws `validation_failed` when an API key names an absent one.
 */
export function usableDirectory(
  caller: Principal,
  wanted: number | null | 'absent',
  present: number | null,
): number | null {
  const isOwn = wanted === null || wanted === caller.user.directoryId || wanted === present;
  if (caller.kind === 'token' && !isOwn)
    throw new Problem('directory_forbidden', 'You may open an app to your own directory only.');
  if (wanted === 'absent') throw invalidField('/directory', 'not_found', 'names no directory');
  return wanted;
}
