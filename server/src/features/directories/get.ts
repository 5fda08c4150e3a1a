import { directoryOperations } from 'confab-contract/directories.ts';
import { handler } from '../../binding/handler.ts';
import { renderDirectory } from './directory-json.ts';

/** One directory. */
export const getDirectory = handler(directoryOperations.getDirectory, async ({ on }) => renderDirectory(on));
