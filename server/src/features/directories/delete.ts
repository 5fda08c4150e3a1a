import { directoryOperations } from 'confab-contract/directories.ts';
import { Problem } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { directoryIndex } from '../../db/search-index.ts';
import { changeCount, dropCounts } from '../../db/tallies.ts';
import { deleteDirectory as deleteDirectoryRow, usesOfDirectory } from './directories.store.ts';
import { type Actors, changeOf, directoryTally, recordDirectory } from './directory-changes.ts';

/**
 * Deletes a directory. Throws `validation_failed` while a user or an app belongs to it, even one in the trash, because
 * an app without its directory would admit users of every directory.
 */
export const deleteDirectory = handler(directoryOperations.deleteDirectory, async (call, parts: Actors) => {
  const { tx, on } = call;
  const uses = describeUses(await tx.get(usesOfDirectory, { id: on.id }));
  if (uses !== undefined)
    throw new Problem('validation_failed', `The directory is in use by ${uses}. Move them out first.`);
  tx.defer(directoryIndex, { id: on.id, words: null });
  await dropCounts(tx, { parentType: 'directory', parentId: on.id });
  await tx.run(deleteDirectoryRow, { id: on.id });
  await changeCount(tx, directoryTally, { live: -1, trashed: 0 });
  await recordDirectory(changeOf(call, parts), 'directory_deleted', on);
  return undefined;
});

type Uses = {
  readonly users: number | null;
  readonly firstUser: string | null;
  readonly apps: number | null;
  readonly firstApp: string | null;
};

/** The uses of a directory, such as `2 users (ada and others) and 1 app (product-42)`; undefined if there are none. */
function describeUses(uses: Uses | undefined): string | undefined {
  const kinds = [
    { noun: 'user', count: uses?.users ?? 0, first: uses?.firstUser },
    { noun: 'app', count: uses?.apps ?? 0, first: uses?.firstApp },
  ].filter((kind) => kind.count > 0);
  if (kinds.length === 0) return undefined;
  return kinds
    .map(({ noun, count, first }) =>
      count === 1 ? `1 ${noun} (${first})` : `${count} ${noun}s (${first} and others)`,
    )
    .join(' and ');
}
