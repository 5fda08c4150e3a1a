import { handler } from '../../binding/handler.ts';
import { directoryOperations } from '../../contract/directories.ts';
import { type Actors, addDirectory, changeOf, nameTaken } from './directory-changes.ts';
import { renderDirectory } from './directory-json.ts';

/** Directories are groups of users: a user belongs to at most one, and an app can be open to all users of one. */

/** Creates a directory; throws `name_taken`. */
export const createDirectory = handler(directoryOperations.createDirectory, async (call, parts: Actors) => {
  const { name } = call.body;
  const directory = await addDirectory(changeOf(call, parts), name);
  if (directory === undefined) throw nameTaken(name);
  return renderDirectory(directory);
});
