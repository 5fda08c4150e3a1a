import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The package `undici`, which the first request to another server loads, as `kernel/packages.ts` does others. */
export function undici(): typeof import('undici') {
  return require('undici');
}
