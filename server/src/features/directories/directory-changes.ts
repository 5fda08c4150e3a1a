import { invalidField, Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Directory } from '../../access/directory/directory-access.ts';
import type { Tx } from '../../db/db.ts';
import { directoryIndex } from '../../db/search-index.ts';
import { changeCount } from '../../db/tallies.ts';
import { type ActionOn, append, type NewEvent } from '../../events/events.ts';
import { directoryOfVisitors, type Principal } from '../../kernel/principal.ts';
import { searchWords } from '../../kernel/search.ts';
import { sortKey } from '../../kernel/sort-key.ts';
import { insertDirectory } from './directories.store.ts';
import { renderDirectory } from './directory-json.ts';

/**
 * A directory is a group of users who see each other. Each change writes its row, the stored count and its event in the
 * transaction of the caller.
 */

type Actor = NewEvent['actor'];

/** Renders the actor of an event. The users feature provides it and builds on this one. */
export type Actors = { readonly actorOf: (caller: Principal) => Actor };

/** The dependencies of changing a directory. */
export type DirectoryChange = { readonly tx: Tx; readonly actor: Actor; readonly at: UnixMs };

/** The change of one request. */
export function changeOf(
  { tx, caller, at }: { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs },
  { actorOf }: Actors,
): DirectoryChange {
  return { tx, actor: actorOf(caller), at };
}

/** The stored count of directories. */
export const directoryTally = { parentType: 'server', parentId: 0, kind: 'directory', appId: 0 } as const;

/** The problem of a name that another directory has. */
export function nameTaken(name: string): Problem {
  return new Problem('name_taken', 'A directory with this name exists.', {
    errors: [{ pointer: '/name', code: 'taken', message: `${name} is the name of another directory` }],
  });
}

/** The problem of the name that only visitors' directory has, in the field at `pointer`. */
export function nameReserved(pointer: '/name' | '/directory'): Problem {
  return invalidField(
    pointer,
    'reserved',
    `names the directory of visitors, "${directoryOfVisitors}", which is for visitors only`,
  );
}

/** Appends the event of a change of a directory. */
export async function recordDirectory(
  { tx, actor, at }: DirectoryChange,
  action: ActionOn<'directory'>,
  directory: Directory,
): Promise<void> {
  const entity = { id: directory.id, json: renderDirectory(directory) };
  await append(tx, { action, actor, appId: null, entity, at });
}

/** Adds a directory with this name, or returns undefined when the name is taken. */
export async function addDirectory(change: DirectoryChange, name: string): Promise<Directory | undefined> {
  const { tx, at } = change;
  const row = await tx.get(insertDirectory, { name, nameKey: sortKey(name), at });
  if (row === undefined) return undefined;
  const directory = { id: row.id, name };
  tx.defer(directoryIndex, { id: row.id, words: searchWords(name), isNew: true });
  await changeCount(tx, directoryTally, { live: 1, trashed: 0 });
  await recordDirectory(change, 'directory_created', directory);
  return directory;
}
