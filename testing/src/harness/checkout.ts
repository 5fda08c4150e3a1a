import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The folder of the server's sources in a checkout of Confab, of whichever time: `server/src`, or `src` before the tree was
 * sorted into packages. Undefined where a folder has neither.
 */
export function sourcesIn(checkout: string): string | undefined {
  return ['server/src', 'src']
    .map((folder) => resolve(checkout, folder))
    .find((folder) => existsSync(join(folder, 'cli.ts')));
}
