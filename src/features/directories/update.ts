import { handler } from '../../binding/handler.ts';
import { directoryOperations } from '../../contract/directories.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import { directoryIndex } from '../../db/search-index.ts';
import { sortKey } from '../../kernel/fold.ts';
import { searchWords } from '../../kernel/search.ts';
import { renameDirectory } from './directories.store.ts';
import { type Actors, changeOf, nameTaken, recordDirectory } from './directory-changes.ts';
import { renderDirectory } from './directory-json.ts';

/** Renames a directory; its present name changes nothing. Throws `name_taken`. */
export const updateDirectory = handler(directoryOperations.updateDirectory, async (call, parts: Actors) => {
  const { tx, on, body } = call;
  const changed = { id: on.id, name: body.name ?? on.name };
  if (changed.name === on.name) return renderDirectory(on);
  try {
    await tx.run(renameDirectory, { ...changed, nameKey: sortKey(changed.name) });
  } catch (error) {
    if (isUniqueViolation(error, 'directories.name')) throw nameTaken(changed.name);
    throw error;
  }
  tx.defer(directoryIndex, { id: on.id, words: searchWords(changed.name) });
  await recordDirectory(changeOf(call, parts), 'directory_updated', changed);
  return renderDirectory(changed);
});
