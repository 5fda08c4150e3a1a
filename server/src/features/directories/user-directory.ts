import { invalidField } from 'confab-contract/problem.ts';
import { parseRef, type Ref } from 'confab-contract/values/ids.ts';
import { type Directory, findDirectory } from '../../access/directory/directory-access.ts';
import type { Read } from '../../db/db.ts';
import { directoryOfVisitors } from '../../kernel/principal.ts';
import { productUsersIn } from './directories.store.ts';
import { addDirectory, type DirectoryChange, nameReserved } from './directory-changes.ts';

/** The users of a product who are in the directory of visitors, where an early release put them: at most `top`, by id. */
export async function findUsersInVisitorDirectory(
  read: Read,
  top: number,
): Promise<readonly { readonly id: number; readonly uid: string }[]> {
  return await read.all(productUsersIn, { name: directoryOfVisitors, top });
}

/** Reads the `directory` field of a user: an id or a name. Throws `validation_failed` when it can be neither. */
export function readDirectoryField(input: string): Ref {
  const ref = parseRef(input);
  if (ref === undefined) throw invalidField('/directory', 'invalid', 'must be the id or name of a directory');
  return ref;
}

/**
 * The id of the directory for a user; must run in the transaction that writes the user. An unknown name creates a
 * directory, because hosts name their customers without registering them first. Throws `validation_failed` for an
 * unknown id, and for the directory of visitors unless the user is one. One that was looked up in that transaction is not
 * looked up again.
 */
export async function directoryForUser(
  change: DirectoryChange & { readonly isVisitor: boolean },
  ref: Ref | Directory,
): Promise<number> {
  const directory = 'name' in ref ? ref : await findDirectory(change.tx, ref);
  const name = directory?.name ?? ('uid' in ref ? ref.uid : undefined);
  if (name === directoryOfVisitors && !change.isVisitor) throw nameReserved('/directory');
  if (directory !== undefined) return directory.id;
  if ('id' in ref) throw invalidField('/directory', 'not_found', 'names no directory');
  const added = (await addDirectory(change, ref.uid)) ?? (await findDirectory(change.tx, ref));
  if (added === undefined) throw new Error('a directory was neither added nor found');
  return added.id;
}
