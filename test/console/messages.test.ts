import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');

type Text = string | { readonly [category: string]: string };
type Texts = { readonly [name: string]: Text };

/** The names in braces that a message has, in any of its forms. */
function placeholdersOf(text: Text): string[] {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  // A form for one or two of something may say the number in a word.
  const names = forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set(names)].sort();
}

// Every message of the console exists in all languages, with the same values in it.
describe('the messages of the console', () => {
  test('are in all languages', async () => {
    // By a path that the compiler does not follow: the console has the types of a browser.
    const i18n = join(root, 'console/src/i18n.ts');
    const { catalogues }: { catalogues: { en: Texts; de: Texts; ar: Texts }[] } = await import(i18n);
    const files = globSync('console/src/**/messages.ts', { cwd: root });
    for (const file of files) await import(join(root, file));
    assert.ok(files.length >= 3);
    assert.equal(catalogues.length, files.length, 'one call of messages() in each file');
    for (const { en, de, ar } of catalogues)
      for (const [language, texts] of Object.entries({ de, ar })) {
        assert.deepEqual(Object.keys(texts), Object.keys(en), language);
        for (const [name, text] of Object.entries(en)) {
          const translated = texts[name] ?? '';
          assert.deepEqual(placeholdersOf(translated), placeholdersOf(text), `${language}: ${name}`);
          assert.ok(
            Object.values(typeof translated === 'string' ? [translated] : translated).every(
              (form) => form.trim() !== '',
            ),
          );
        }
      }
  });
});
