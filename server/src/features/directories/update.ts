import { directoryOperations } from 'confab-contract/directories.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import { directoryIndex } from '../../db/search-index.ts';
import { directoryOfVisitors } from '../../kernel/principal.ts';
import { searchWords } from '../../kernel/search.ts';
import { sortKey } from '../../kernel/sort-key.ts';
import { firstVisitorIn, renameDirectory } from './directories.store.ts';
import { type Actors, changeOf, nameReserved, nameTaken, recordDirectory } from './directory-changes.ts';
import { renderDirectory } from './directory-json.ts';

/**
 * Renames a directory; its present name changes nothing. Throws `name_taken`, and `validation_failed` for the reserved
 * name and for the directory that visitors are in: under another name it would be open to users of the product.
 */
export const updateDirectory = handler(directoryOperations.updateDirectory, async (call, parts: Actors) => {
  const { tx, on, body } = call;
  const changed = { id: on.id, name: body.name ?? on.name };
  if (changed.name === on.name) return renderDirectory(on);
  if (changed.name === directoryOfVisitors) throw nameReserved('/name');
  if (on.name === directoryOfVisitors && (await tx.get(firstVisitorIn, { id: on.id })) !== undefined)
    throw invalidField('/name', 'immutable', 'cannot be changed while visitors are in this directory');
  try {
    await tx.changed(renameDirectory, { ...changed, nameKey: sortKey(changed.name) });
  } catch (error) {
    if (isUniqueViolation(error, 'directories.name')) throw nameTaken(changed.name);
    throw error;
  }
  tx.defer(directoryIndex, { id: on.id, words: searchWords(changed.name) });
  await recordDirectory(changeOf(call, parts), 'directory_updated', changed);
  return renderDirectory(changed);
});
