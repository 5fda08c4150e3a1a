import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createTranslate, type Text, type Texts } from '../src/texts/texts.ts';

/** The English texts: those of a reader, and those of each part in a file of its own. */
const inEnglish: Record<string, Text> = {};
const english = new URL('../src/texts/', import.meta.url);
for (const file of readdirSync(english).filter((name) => name.endsWith('english.ts')))
  for (const texts of Object.values<Texts>(await import(new URL(file, english).href)))
    for (const [key, text] of Object.entries(texts)) {
      // Parts that are loaded one after the other would say one another's texts.
      assert.deepEqual(inEnglish[key] ?? text, text, `${key} says something else in ${file}`);
      inEnglish[key] = text;
    }
const folder = new URL('../src/texts/languages/', import.meta.url);
const codes = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
const languages = new Map<string, Texts>(
  await Promise.all(
    codes.map(async (code) => {
      const { texts } = await import(new URL(`${code}.ts`, folder).href);
      return [code, texts] as const;
    }),
  ),
);

/** The quotation marks that a language may use; no other language's, and no typewriter's. */
const quotes: Readonly<Record<string, string>> = {
  ar: '«»',
  de: '„“‚‘',
  es: '«»“”',
  fr: '«»“”’',
  he: '״׳”„',
  hi: '“”‘’',
  it: '«»“”’',
  ja: '「」『』',
  ko: '“”‘’',
  nl: '‘’“”',
  pl: '„”«»',
  pt: '“”‘’',
  tr: '“”‘’',
  zh: '“”‘’',
};

function formsOf(text: Text | undefined): readonly (readonly [category: string, form: string])[] {
  return typeof text === 'string' ? [['', text]] : Object.entries(text ?? {});
}

const placeholders = (form: string) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

/** Whether a plural category of a language is for one number alone, which the words themselves may say. */
function isOneNumber(code: string, category: string): boolean {
  const rules = new Intl.PluralRules(code);
  let found = 0;
  for (let number = 0; number <= 1000; number += 1) if (rules.select(number) === category) found += 1;
  return found === 1;
}

// Nobody is shown a text without its words, in a wrong plural, or with a value that is never filled in.
describe('the texts of each language', () => {
  test('are loaded by their codes', () => {
    const speaker = readFileSync(new URL('speaker.ts', english), 'utf8');
    assert.equal(/const codes = '([a-z ]+)';/.exec(speaker)?.[1], codes.sort().join(' '));
    assert.equal(codes.length, 14);
  });

  for (const [code, texts] of languages)
    describe(code, () => {
      test('has every text, and no other', () => {
        assert.deepEqual(Object.keys(texts).sort(), Object.keys(inEnglish).sort());
      });

      test('has the plural forms that its rules can give', () => {
        const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
        for (const [key, text] of Object.entries(texts)) {
          assert.equal(typeof text, typeof inEnglish[key], key);
          if (typeof text !== 'string')
            assert.deepEqual(Object.keys(text).sort(), [...pluralCategories].sort(), key);
        }
      });

      test('has the values of the English text in each form', () => {
        for (const [key, text] of Object.entries(texts)) {
          const expected = placeholders(formsOf(inEnglish[key]).at(-1)?.[1] ?? '');
          for (const [category, form] of formsOf(text)) {
            const names = placeholders(form);
            const isImplied = category !== '' && !names.includes('count') && isOneNumber(code, category);
            assert.deepEqual(
              isImplied ? [...names, 'count'].sort() : names,
              expected,
              `${key} ${category}: ${form}`,
            );
          }
        }
      });

      test('has its own quotation marks, and no spaces at the ends', () => {
        for (const [key, text] of Object.entries(texts))
          for (const [, form] of formsOf(text)) {
            const marks = (form.match(/["'„“”‚‘’«»「」『』״׳]/g) ?? []).join('');
            for (const mark of marks) assert.match(quotes[code] ?? '', new RegExp(mark), `${key}: ${form}`);
            assert.equal(form, form.trim(), key);
            assert.notEqual(form, '', key);
          }
      });
    });
});

// A text is said with the plural, the numbers and the order of its language, whoever has written it.
describe('createTranslate', () => {
  const say = (code: string, count: number, own?: Texts) =>
    createTranslate(code, own, languages.get(code.slice(0, 2)))('newComments', { count });

  test('chooses the plural of the language', () => {
    assert.equal(say('pl', 1), '1 nowy komentarz');
    assert.equal(say('pl', 3), '3 nowe komentarze');
    assert.equal(say('pl', 12), '12 nowych komentarzy');
    assert.equal(say('pl', 22), '22 nowe komentarze');
    assert.equal(say('fr', 0), '0 nouveau commentaire');
    assert.equal(say('es', 1_000_000), '1.000.000 de comentarios nuevos');
    assert.equal(say('ar-AE', 2), 'تعليقان جديدان');
    assert.equal(say('ar-AE', 3), '3 تعليقات جديدة');
    assert.equal(say('ar-EG', 11), '١١ تعليقًا جديدًا');
  });

  test('writes numbers as the region does', () => {
    assert.equal(say('de', 12_345), '12.345 neue Kommentare');
    assert.equal(say('de-AT', 12_345), `${new Intl.NumberFormat('de-AT').format(12_345)} neue Kommentare`);
  });

  test('says what the page says instead, and English where nothing else is there', () => {
    assert.equal(
      say('de', 2, { newComments: { one: '{count} Leserbrief', other: '{count} Leserbriefe' } }),
      '2 Leserbriefe',
    );
    // 21 is singular in Russian, and not in the English text.
    assert.equal(say('ru', 21), '21 new comments');
    const own = { newComments: { one: '{count} запись', few: '{count} записи', other: '{count} записей' } };
    assert.equal(say('ru', 21, own), '21 запись');
    assert.equal(say('ru', 3, own), '3 записи');
  });

  test('keeps the direction of a name apart, and takes it as it is', () => {
    const t = createTranslate('en');
    assert.equal(t('commentBy', { name: 'عمر {count}' }), 'Comment by \u2068عمر {count}\u2069');
  });
});
