import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lastRelease } from './data.ts';

/** A checkout of the last release with its packages, or why there is none. */
export type ReleaseCheckout = { readonly folder: string } | { readonly why: string };

const root = resolve(import.meta.dirname, '../..');
/** How long its packages may take to come, in milliseconds. */
const installMsMax = 5 * 60_000;

/**
 * The checkout in `given`, or one that is made in a new folder: the sources from the history of the repository, and the
 * packages that they need from the registry that npm is set to, because this release installs others.
 */
export function releaseCheckout(given: string, folder: string): ReleaseCheckout {
  if (given !== '') {
    const own = resolve(given);
    return existsSync(join(own, 'src/cli.ts'))
      ? { folder: own }
      : { why: 'the folder of --against has no src/cli.ts' };
  }
  const { name, commit } = lastRelease;
  const archive = spawnSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  if (archive.status !== 0)
    return { why: `the history of this checkout does not have the commit of ${name}` };
  mkdirSync(folder);
  execFileSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  const { status } = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], {
    cwd: folder,
    timeout: installMsMax,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0 ? { folder } : { why: `npm could not install the packages of ${name}` };
}
