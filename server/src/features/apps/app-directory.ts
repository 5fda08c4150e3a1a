import { invalidField, Problem } from 'confab-contract/problem.ts';
import { parseId } from 'confab-contract/values/ids.ts';
import type { AppView } from '../../access/access.ts';
import { isAtLeast } from '../../access/standing.ts';
import type { Read } from '../../db/db.ts';
import { directoryOfVisitors, type Principal } from '../../kernel/principal.ts';
import { nameReserved } from '../directories/directory-changes.ts';
import { anyDirectory, directoryOfApp } from './apps.store.ts';

/**
 * To whom an app is open. A user of a directory opens apps to that directory, and only an API key opens one to everyone
 * (decision 0094).
 */

/** The access of an app, and the directory that it is limited to; null is everyone. */
type Opening = Pick<AppView, 'access' | 'directoryId'>;

/** A directory in a request: its id, null for none, `absent` when there is none with that id or name, or that of visitors. */
export type NamedDirectory = number | null | 'absent' | 'visitors';

/** An opening that a request asks for. */
type WantedOpening = { readonly access: string; readonly directoryId: NamedDirectory };

/** How an app is open before anybody opens it. */
export const closed: Opening = { access: 'none', directoryId: null };

/** The directory that a body names. */
export async function findDirectory(read: Read, input: string | null): Promise<NamedDirectory> {
  if (input === null) return null;
  const directory = await read.get(directoryOfApp, { id: parseId(input) ?? 0, name: input });
  if ((directory?.name ?? input) === directoryOfVisitors) return 'visitors';
  return directory?.id ?? 'absent';
}

/**
 * The directory that an app is opened to. A user can name their own and the app's `present` one; any other is
 * `directory_forbidden`, whether or not it exists. Where the app would be open to everyone, it is the directory of the
 * user, and `directory_forbidden` for a user without one on a server with directories. Throws `validation_failed` when
 * an API key names an absent one or that of visitors, who read no app of a directory.
 */
export async function usableDirectory(
  { tx, caller }: { readonly tx: Read; readonly caller: Principal },
  opening: WantedOpening,
  present: Opening,
): Promise<number | null> {
  const { directoryId } = opening;
  const own = caller.user.directoryId;
  if (caller.kind === 'token') {
    if (![null, own, present.directoryId].some((known) => known === directoryId))
      throw forbidden('You may open an app to your own directory only.');
    if (opensToEveryone(opening, present)) {
      if (own === null && (await tx.get(anyDirectory, {})) !== undefined)
        throw forbidden('Only an API key may open an app to everyone on this server, which has directories.');
      return own;
    }
  }
  if (directoryId === 'visitors') throw nameReserved('/directory');
  if (directoryId === 'absent') throw invalidField('/directory', 'not_found', 'names no directory');
  return directoryId;
}

/** Whether a change gives users of all directories access that they do not have at present. */
function opensToEveryone({ access, directoryId }: WantedOpening, present: Opening): boolean {
  if (directoryId !== null || access === 'none') return false;
  return present.directoryId !== null || !isAtLeast(levelOf(present.access), levelOf(access));
}

function levelOf(access: string): 'none' | 'read' | 'write' {
  return access === 'read' || access === 'write' ? access : 'none';
}

function forbidden(detail: string): Problem {
  return new Problem('directory_forbidden', detail, {
    errors: [{ pointer: '/directory', code: 'forbidden', message: detail }],
  });
}
