import { handler } from '../../binding/handler.ts';
import { directoryOperations } from '../../contract/directories.ts';
import { renderDirectory } from './directory-json.ts';

/** One directory. */
export const getDirectory = handler(directoryOperations.getDirectory, async ({ on }) => renderDirectory(on));
