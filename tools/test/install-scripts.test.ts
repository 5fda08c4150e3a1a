import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

type Lock = { packages: { [place: string]: { hasInstallScript?: boolean } } };

// npm warns at each installation of a script that is neither permitted nor denied.
test('package.json permits or denies the install script of every package that has one', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const withScript = Object.entries(lock.packages)
    // The project itself, whose place is empty, needs no permission.
    .filter(([place, { hasInstallScript }]) => place !== '' && hasInstallScript === true)
    .map(([place]) => place.replace(/^.*node_modules\//, ''));
  const root = JSON.parse(readFileSync('package.json', 'utf8')) as { allowScripts: Record<string, boolean> };
  assert.deepEqual([...new Set(withScript)].sort(), Object.keys(root.allowScripts).sort());
});
