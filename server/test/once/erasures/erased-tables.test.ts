import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { root } from 'confab-tools/places.ts';
import { keys } from '../../../src/db/move/side.ts';

const record = resolve(root, 'docs/decisions/0069-data-of-people.md');

// Every table has a rule for erasing people: whoever adds one decides what becomes of it, and writes it down.
describe('the record of erasing', () => {
  test('says for each table what becomes of its rows', () => {
    const described = [...readFileSync(record, 'utf8').matchAll(/^\| `([a-z_]+)` \| ./gm)].map(
      ([, name]) => name,
    );
    assert.deepEqual(described, [...Object.keys(keys), 'migrations'].toSorted());
  });
});
