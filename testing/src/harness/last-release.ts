import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { root } from 'confab-tools/places.ts';

/** The last release: its name and its commit. */
export const lastRelease = { name: '0.1.0', commit: 'c84a83a04c0a944d0d927eed96fa339e372207a5' } as const;

/** A checkout of a commit with its packages, or why there is none. */
export type ReleaseCheckout = { readonly folder: string } | { readonly why: string };

/** How long its packages may take to come, in milliseconds. */
const installMsMax = 5 * 60_000;

/**
 * Makes a checkout of a commit in a new folder: its sources from the history of the repository, and the packages that
 * they need from the registry that npm is set to, because this release installs others.
 */
export function checkOutRelease(commit: string, folder: string): ReleaseCheckout {
  const archive = spawnSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  if (archive.status !== 0) return { why: `the history of this checkout does not have the commit ${commit}` };
  mkdirSync(folder);
  execFileSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  const { status } = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], {
    cwd: folder,
    timeout: installMsMax,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0 ? { folder } : { why: `npm could not install the packages of ${commit}` };
}
