import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { migrations } from 'confab-server/src/db/migrations/all.ts';

// A step that is written and not listed would never run, and no statement would say why its column is absent.
describe('the steps of the schema', () => {
  it('are those of the files in their folder, in the order of their numbers', () => {
    const files = globSync('server/src/db/migrations/[0-9]*.ts').map((file) => path.basename(file, '.ts'));
    assert.deepEqual(
      migrations.map(({ id, name }) => `${String(id).padStart(4, '0')}-${name}`),
      files.sort(),
      'import each file of server/src/db/migrations/ into all.ts and list it there; its id and its name are those of the file',
    );
  });
});
