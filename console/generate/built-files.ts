export { consoleFiles as builtFiles } from './console-files.ts';

/** The folder that has nothing but the script and the style sheet. */
export const builtFolder = 'console/dist';
