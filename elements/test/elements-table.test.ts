import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { customProperties, namesOf } from '../generate/manifest.ts';
import { elementTables, propertyTable } from '../generate/table.ts';

function missing(names: Iterable<string>, rows: readonly { readonly name: string }[]): string[] {
  return [...names].filter((name) => !rows.some((row) => row.name === name));
}

// The reference of the elements has a row for everything that a page can use of them.
describe('the table of the elements', () => {
  for (const element of elementTables)
    test(`says what the parts, attributes and events of ${element.tag} are`, () => {
      const names = namesOf(element);
      assert.deepEqual(missing(names.parts, element.parts), [], 'parts');
      assert.deepEqual(missing(names.events, element.events), [], 'events');
      assert.deepEqual(missing(names.attributes, element.attributes), [], 'attributes');
    });

  test('says what the custom properties are', () => {
    assert.deepEqual(missing(customProperties(), propertyTable), []);
  });

  test('has no name twice', () => {
    for (const { parts, attributes, properties } of elementTables)
      for (const rows of [parts, attributes, properties])
        assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
  });
});
