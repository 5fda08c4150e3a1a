import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { root } from 'confab-tools/places.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-types-'));
after(() => rmSync(folder, { recursive: true }));

/** The packages with types that this checkout has, by the folders that they are in. */
const typed = ['clients/js', 'conformance', 'elements'].filter((place) => existsSync(join(root, place)));

// Each compiler looks for types in its own way: tests that install a package and compile against it try some of them.
describe('a package has types where every compiler looks for them', () => {
  before(() => {
    const packed = ['pack', ...typed.flatMap((place) => ['-w', place]), '--pack-destination', folder];
    execFileSync('npm', packed, { cwd: root, stdio: 'ignore' });
  });

  for (const place of typed)
    test(place, async () => {
      const { name } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'));
      const [tarball = ''] = globSync(`${name}-*.tgz`, { cwd: folder });
      const checked = await checkPackage(createPackageFromTarballData(readFileSync(join(folder, tarball))));
      assert.ok(checked.types !== false, 'there are types');
      // The packages have ECMAScript modules alone, which no compiler takes for CommonJS, and the types of Vue and
      // Svelte have no module.
      const problems = checked.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM');
      assert.deepEqual(problems, []);
    });
});
