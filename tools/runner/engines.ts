import { globSync } from 'node:fs';
import { root } from '../places.ts';

/** The engines of the store. */
export const engines = ['sqlite', 'postgres'] as const;

/** One of the engines. */
export type Engine = (typeof engines)[number];

/**
 * Where a test file runs, which its folder says (`server/test/README.md`): `once`, on SQLite; on PostgreSQL alone; on
 * `each` engine with every change; or on `both`, on PostgreSQL in the second tier. Tests of other packages run once.
 */
export type Place = 'once' | 'both' | 'each' | 'postgres';

/** Whether one of the folders of a file has the name. */
function isBelow(folder: string, file: string): boolean {
  return file.split('/').includes(folder);
}

/** Where a file runs. */
export function placeOf(file: string): Place {
  if (isBelow('postgres', file)) return 'postgres';
  if (!file.startsWith('server/') || isBelow('once', file)) return 'once';
  return isBelow('engines', file) ? 'each' : 'both';
}

/** Whether a file is in the second tier as a whole: below a folder `slow`, or in a package that the root does not install. */
export function isSlow(file: string): boolean {
  return isBelow('slow', file) || /^(kits|proof)\//.test(file);
}

/** Every test file of a package, or of all, in the order of their names. */
export function testFiles(folder = '{clients/*,*}'): string[] {
  return globSync(`${folder}/test/**/*.test.ts`, {
    cwd: root,
    exclude: ['node_modules/**', '**/node_modules/**'],
  }).sort();
}
