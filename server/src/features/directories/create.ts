import { directoryOperations } from 'confab-contract/directories.ts';
import { handler } from '../../binding/handler.ts';
import { directoryOfVisitors } from '../../kernel/principal.ts';
import { type Actors, addDirectory, changeOf, nameReserved, nameTaken } from './directory-changes.ts';
import { renderDirectory } from './directory-json.ts';

/** Directories are groups of users: a user belongs to at most one, and an app can be open to all users of one. */

/** Creates a directory; throws `name_taken`, and `validation_failed` for the reserved name. */
export const createDirectory = handler(directoryOperations.createDirectory, async (call, parts: Actors) => {
  const { name } = call.body;
  if (name === directoryOfVisitors) throw nameReserved('/name');
  const directory = await addDirectory(changeOf(call, parts), name);
  if (directory === undefined) throw nameTaken(name);
  return renderDirectory(directory);
});
