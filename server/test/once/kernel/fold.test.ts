import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { processorMs } from 'confab-testing/processor-time.ts';
import { sqliteDialect } from '../../../src/db/sqlite/schema.ts';
import { fold } from '../../../src/kernel/fold.ts';
import { foldTable } from '../../../src/kernel/fold-table.ts';
import { searchWords, wordsVersion } from '../../../src/kernel/search.ts';
import {
  foldedApart,
  foldedTogether,
  keptApart,
  punctuated,
  searchedTogether,
} from '../../engines/lists/folded-pairs.ts';

const collator = new Intl.Collator('und', { usage: 'search', sensitivity: 'base' });
const isSame = (one: string, other: string) => collator.compare(one, other) === 0;
const codesOf = (text: string) => [...text].map((part) => part.codePointAt(0)?.toString(16)).join(' ');

/** Every assigned character that is a letter, a mark, a number or a symbol. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{L}\p{M}\p{N}\p{S}\p{Cf}]/u.test(character));

/** Why a character may fold into something that the collation does not hold equal to it; undefined where it may not. */
function exceptionOf(character: string): string | undefined {
  if (/^\p{EMod}$/u.test(character)) return 'a tone of an emoji, which is read without it';
  if (character.normalize('NFKD') !== character.normalize('NFD'))
    return 'folds into what Unicode maps it to; the collation for searching joins only the parts of some, as of ﷺ';
  return undefined;
}

/** The scripts of the languages of our elements, and the marks that all of them share. */
const scripts = ['Latin', 'Arabic', 'Hebrew', 'Devanagari', 'Hiragana', 'Katakana', 'Hangul', 'Han'];
const shared = characters.filter((character) =>
  /^(?=\p{M})[\p{Script=Inherited}\p{Script=Common}]$/u.test(character),
);

/** The letters and marks of a script; of those with a rule for all, such as Han, every hundredth. */
function lettersOf(script: string): string[] {
  const pattern = new RegExp(`^(?=[\\p{L}\\p{M}\\p{N}])\\p{Script=${script}}$`, 'u');
  const found = characters.filter(
    (character) => pattern.test(character) && exceptionOf(character) === undefined,
  );
  return found.length > 2000 ? found.filter((_, index) => index % 100 === 0) : found;
}

// The collation for searching of CLDR decides which words are the same, and each exception has a reason.
describe('the folding of search', () => {
  it('makes of every character what the collation holds equal to it', () => {
    const wrong = characters.filter(
      (character) => !isSame(character, fold(character)) && exceptionOf(character) === undefined,
    );
    assert.deepEqual(wrong.map(codesOf), []);
    // Of the exceptions, as few as they are.
    const others = characters.filter((character) => !isSame(character, fold(character)));
    assert.ok(others.length < 200, String(others.length));
  });

  it('is the same for all that the collation holds equal', () => {
    const words = characters.filter((character) => /[\p{L}\p{M}\p{N}]/u.test(character));
    const sorted = words.toSorted(collator.compare);
    const wrong = sorted.filter((character, index) => {
      const next = sorted[index + 1];
      return next !== undefined && isSame(character, next) && fold(character) !== fold(next);
    });
    assert.deepEqual(wrong.map(codesOf), []);
  });

  it('changes nothing that is folded', () => {
    assert.deepEqual(
      characters.filter((character) => fold(fold(character)) !== fold(character)).map(codesOf),
      [],
    );
  });

  for (const script of scripts)
    it(`reads each two letters and marks of ${script} like the collation`, () => {
      const letters = lettersOf(script);
      assert.ok(letters.length > 50);
      const seconds = [...letters, ...shared];
      const wrong: string[] = [];
      for (const first of letters)
        for (const second of seconds) {
          const both = first + second;
          if (!isSame(both, fold(both)) || fold(both.normalize('NFD')) !== fold(both))
            wrong.push(codesOf(both));
        }
      assert.deepEqual(wrong, []);
    });

  it('agrees with the collation about 10,000 pairs of words', () => {
    const random = seededRandom(150);
    const words = realWords();
    assert.ok(words.length > 10_000, String(words.length));
    const counts = { equal: 0, different: 0 };
    for (let index = 0; index < 10_000; index += 1) {
      const at = random.integer(0, words.length - 2);
      const one = words[at] ?? '';
      const other = random.pick([words[at + 1] ?? '', disguised(one, random), miswritten(one, random)]) ?? '';
      const isEqual = isSame(one, other);
      counts[isEqual ? 'equal' : 'different'] += 1;
      assert.equal(
        searchWords(one) === searchWords(other),
        isEqual,
        `${one} (${codesOf(one)}) ${other} (${codesOf(other)})`,
      );
    }
    assert.ok(counts.equal > 3000 && counts.different > 3000, JSON.stringify(counts));
  });

  it('holds the pairs equal, and apart, that the decision names', () => {
    const isFound = (one: string, other: string) => searchWords(one) === searchWords(other);
    for (const [one, other] of foldedTogether)
      assert.ok(isSame(one, other) && isFound(one, other), `${one} ${other}`);
    for (const [one, other] of keptApart)
      assert.ok(!isSame(one, other) && !isFound(one, other), `${one} ${other}`);
    for (const [one, other] of searchedTogether)
      assert.ok(!isSame(one, other) && isFound(one, other), `${one} ${other}`);
    for (const [one, other] of foldedApart)
      assert.ok(isSame(one, other) && !isFound(one, other), `${one} ${other}`);
    for (const [one, other, isEqual] of punctuated)
      assert.equal(isFound(one, other), isEqual, `${one} ${other}`);
  });

  it('reads a text of marks as fast as any other', () => {
    // In two classes of order, which NFC would sort.
    const text = `a${'\u0301\u0323'.repeat(16_000)}b`;
    const started = processorMs();
    assert.equal(fold(text), 'ab');
    // 0.3 ms, and 350 where NFC sorts all of them.
    assert.ok(processorMs() - started < 100);
  });

  it('has words that the index of SQLite keeps as they are', () => {
    using database = new DatabaseSync(':memory:');
    database.exec(sqliteDialect.searchIndex('letters'));
    for (const text of sqliteDialect.searchTerms('letters')) database.exec(text);
    const insert = database.prepare('insert into letters (rowid, words) values (?, ?)');
    const folded = characters.filter(
      (character) => /[\p{L}\p{M}\p{N}]/u.test(character) && fold(character) === character,
    );
    database.exec('begin');
    for (const character of folded) insert.run(character.codePointAt(0) ?? 0, `a${character}a`);
    const kept = database.prepare('select doc, term from letters_terms order by doc').all();
    assert.equal(kept.length, folded.length);
    assert.deepEqual(
      kept.filter(({ doc, term }) => term !== `a${String.fromCodePoint(Number(doc))}a`),
      [],
    );
  });

  it('has a version for each table', () => {
    const { unicode: _, cldr: __, ...table } = foldTable;
    const digest = createHash('sha256').update(JSON.stringify(table)).digest('hex').slice(0, 16);
    assert.deepEqual(
      [wordsVersion, digest],
      [2, 'fbbfb8c186cc3746'],
      'the table gives other words: raise wordsVersion, so that the words of every store are renewed, and note both here',
    );
  });
});

type Random = ReturnType<typeof seededRandom>;

/** The words of the names of countries, languages, scripts and currencies in our languages and some more. */
function realWords(): string[] {
  const two = Array.from({ length: 26 * 26 }, (_, index) =>
    String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26)),
  );
  const codes = {
    region: two,
    language: two.map((code) => code.toLowerCase()),
    script: ['Arab', 'Cyrl', 'Deva', 'Grek', 'Hang', 'Hans', 'Hebr', 'Hira', 'Kana', 'Latn', 'Thai'],
    currency: Intl.supportedValuesOf('currency'),
  } as const;
  const languages = [
    'ar',
    'de',
    'en',
    'es',
    'fr',
    'he',
    'hi',
    'it',
    'ja',
    'ko',
    'nl',
    'pl',
    'pt',
    'tr',
    'zh',
    'fa',
    'vi',
    'el',
    'ru',
    'uk',
    'th',
    'da',
    'ca',
  ];
  const words = new Set<string>();
  for (const language of languages)
    for (const type of ['region', 'language', 'script', 'currency'] as const) {
      const names = new Intl.DisplayNames([language], { type, fallback: 'none' });
      for (const code of codes[type])
        for (const word of names.of(code)?.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) words.add(word);
    }
  return [...words].sort(collator.compare);
}

const unseen = [
  '\u00AD',
  '\u200B',
  '\u200C',
  '\u200D',
  '\u2060',
  '\u034F',
  '\u0640',
  '\u0301',
  '\u05B8',
  '\u064E',
  '\u093C',
  '\uFE0F',
];

/** The word in other letters, which the collation may hold equal. */
function disguised(word: string, random: Random): string {
  const form = random.pick(['NFC', 'NFD', 'NFKC', 'NFKD'] as const) ?? 'NFC';
  return [...word.normalize(form)]
    .map((part) => {
      const isUpper = random.oneIn(3);
      const added = random.oneIn(4) ? (random.pick(unseen) ?? '') : '';
      return (isUpper ? part.toUpperCase() : part) + added;
    })
    .join('');
}

/** The word with one letter more, less, twice, or replaced by its neighbour among the code points. */
function miswritten(word: string, random: Random): string {
  const letters = [...word];
  const at = random.integer(0, letters.length - 1);
  const letter = letters[at] ?? '';
  const near = String.fromCodePoint((letter.codePointAt(0) ?? 0) + random.integer(1, 3));
  const isLetter = /^[\p{L}\p{M}]$/u.test(near) && exceptionOf(near) === undefined;
  letters[at] = random.pick(['', letter + letter, isLetter ? near : '', `${letter}a`]) ?? '';
  return letters.join('');
}
