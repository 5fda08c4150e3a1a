import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the project. */
export const root: string = path.resolve(import.meta.dirname, '..');

/** The same as an address of a file, with a slash at the end. */
export const rootUrl: URL = pathToFileURL(`${root}/`);
