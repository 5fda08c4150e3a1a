import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ourNames } from '../../scripts/generate/elements/names.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
const sources = globSync('elements/src/**/*.ts').map((file) => ({ file, text: withoutComments(read(file)) }));

/** Where a name that is made short would still be called by its whole name. */
const elsewhere: Readonly<Record<string, () => ReadonlySet<string>>> = {
  'the platform': () =>
    words(globSync('node_modules/@typescript/*/lib/lib.*.d.ts'), /\b(?:readonly |get |set )?(\w+)\??[:(<]/g),
  'the API': () => words(['openapi.json'], /"(\w+)":/g),
  'what pages set': () => words(['scripts/generate/elements/table.ts'], /'(\w+)'/g),
  'a text': () => words(globSync('elements/src/**/*.ts'), /'(\w+)'|[.@?](\w+)=["$]/g),
  'what modules export': () =>
    words(globSync('elements/src/**/*.ts'), /export (?:async )?(?:function|const|class|let) (\w+)/g),
};

function words(files: readonly string[], pattern: RegExp): ReadonlySet<string> {
  assert.ok(files.length > 0);
  return new Set(
    files.flatMap((file) =>
      [...withoutComments(read(file)).matchAll(pattern)].map(([, one, other]) => one ?? other ?? ''),
    ),
  );
}

// A property that is short on one side and whole on the other is silently undefined.
describe('the short names of the elements', () => {
  for (const [where, namesOf] of Object.entries(elsewhere))
    test(`are no names of ${where}`, () => {
      const names = namesOf();
      assert.ok(names.size > 5, `${names.size} names of ${where}`);
      assert.deepEqual(
        ourNames.filter((name) => names.has(name)),
        [],
      );
    });

  test('are used by the elements', () => {
    const unused = ourNames.filter(
      (name) => !sources.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)),
    );
    assert.deepEqual(unused, []);
  });
});
