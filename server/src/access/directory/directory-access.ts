import { notFound } from 'confab-contract/problem.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { Read } from '../../db/db.ts';
import type { Lookup } from '../lookup.ts';
import { directoryById, directoryByName } from './directory-access.store.ts';

/** A directory as features see one. */
export type Directory = { readonly id: number; readonly name: string };

declare const readable: unique symbol;
declare const manageable: unique symbol;

/** A directory that the caller may know of, with its users. */
export type ReadableDirectory = Directory & { readonly [readable]: true };
/** A directory that an operation for API keys changes. */
export type ManageableDirectory = ReadableDirectory & { readonly [manageable]: true };

/** The directory with an id or a name, without a check of rights; undefined when there is none. */
export async function findDirectory(read: Read, ref: Ref): Promise<Directory | undefined> {
  return 'id' in ref
    ? await read.get(directoryById, { id: ref.id })
    : await read.get(directoryByName, { name: ref.uid });
}

async function readableDirectory({ read, caller, ref }: Lookup): Promise<ReadableDirectory> {
  const directory = await findDirectory(read, ref);
  const isHidden = caller.kind === 'token' && caller.user.directoryId !== directory?.id;
  if (directory === undefined || isHidden) throw notFound('directory');
  return directory as ReadableDirectory;
}

/**
 * The rights on directories. An API key knows all of them and a user only their own; each right throws `not_found`, in
 * the same words for hidden and absent. The contract leaves `manage` to API keys.
 */
export const directoryAccess = {
  read: readableDirectory,
  manage: async (lookup: Lookup): Promise<ManageableDirectory> =>
    (await readableDirectory(lookup)) as ManageableDirectory,
};
