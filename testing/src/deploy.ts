import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from 'confab-server/src/config/config.ts';
import { fileVariableOf } from 'confab-server/src/config/sources.ts';
import { root } from 'confab-tools/places.ts';

/** The text of a file of the checkout. */
export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Every file of the repository with which operators install Confab, by its path in the checkout. */
export const deployFiles: readonly string[] = ['deploy', '.github'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    // What somebody made here who runs the Compose file.
    .filter((file) => !/^deploy\/compose\/(?:\.env$|backups\/|secrets\/)/.test(file)),
);

/** The variables that the server knows: those of the settings, and those that name a file with a secret. */
export const knownVariables: ReadonlySet<string> = new Set(
  Object.values(settings).flatMap((one) => [one.variable, fileVariableOf(one) ?? one.variable]),
);

/** The port of the image. */
export const imagePort = Number(/^EXPOSE (\d+)$/m.exec(readText('Dockerfile'))?.[1]);
