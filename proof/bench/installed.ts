import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from 'confab-tools/build/package.ts';
import { root } from 'confab-tools/places.ts';
import { startEmptyConfab } from './servers.ts';

/**
 * Lays out the package `confab-server` in a new folder as npm installs it, with the packages of this checkout. Answers its
 * program. It has been started once, so that the compiled code is there.
 */
export async function installPackage(folder: string): Promise<string> {
  const server = join(folder, 'confab-server');
  for (const name of ['package.json', 'bin'])
    cpSync(join(root, 'server', name), join(server, name), { recursive: true });
  await buildPackage(server);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const program = join(server, 'bin/confab');
  const first = await startEmptyConfab({ folder: join(folder, 'first'), program });
  await first.stop();
  return program;
}
