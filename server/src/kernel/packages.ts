import { createRequire } from 'node:module';

/**
 * Packages that take megabytes and that a server needs only for some requests or with some settings. The first
 * use loads them, with `require`, so that what uses them need not wait.
 */

const require = createRequire(import.meta.url);

/** For patterns in the rules of moderation. */
export const re2js = (): typeof import('re2js') => require('re2js');

/** For the drawing in an anchor. */
export const saxes = (): typeof import('saxes') => require('saxes');

/** For a configuration file. */
export const yaml = (): typeof import('yaml') => require('yaml');
