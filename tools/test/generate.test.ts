import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { differences, presentText } from '../made-files.ts';

// The committed files are what the code makes of them, and a change to one of them by hand is noticed by name.
describe('generated files', () => {
  test('are up to date', async () => {
    assert.deepEqual(await differences(), []);
  });

  test('are not when they were edited', async () => {
    const edited = [
      'openapi.json',
      'docs/configuration.md',
      'docs/confab.schema.json',
      'docs/operations.md',
      'docs/elements.md',
      'clients/go/types.go',
      'deploy/helm/confab/values.schema.json',
      'docs/figures.md',
      'docs/figures/releases.svg',
      'proof/ledger/README.md',
    ];
    const found = await differences((file) => {
      const text = presentText(file);
      return edited.includes(file) ? `${text}\n` : text;
    });
    assert.deepEqual(found.map(({ file }) => file).toSorted(), edited.toSorted());
  });
});
