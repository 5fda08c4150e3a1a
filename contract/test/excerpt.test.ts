import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { processorMs } from 'confab-testing/processor-time.ts';
import fc from 'fast-check';
import { beginningOf, excerpt } from '../src/values/excerpt.ts';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The same by walking all of the text: whole characters as long as they fit. */
function expected(text: string, charactersMax: number): string {
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if ([...kept, ...segment].length > charactersMax)
      return kept === '' ? [...text].slice(0, charactersMax).join('') : kept;
    kept += segment;
  }
  return kept;
}

// What a reader sees as one character is shown whole or not at all, and no text costs or gets more than the limit.
describe('the beginning of a text', () => {
  for (const [name, text, charactersMax, beginning] of [
    ['a family', 'ab👨‍👩‍👧‍👦c', 8, 'ab'],
    ['a flag', 'ab🇩🇪🇫🇷', 5, 'ab🇩🇪'],
    ['a flag of a region', 'a🏴󠁧󠁢󠁷󠁬󠁳󠁿', 4, 'a'],
    ['a hand with its colour', 'a👍🏽', 2, 'a'],
    ['a conjunct', 'aक्षb', 3, 'a'],
    ['a letter with its accents', 'ae\u0301\u0302b', 3, 'a'],
    ['a syllable of jamo', 'a\u1112\u1161\u11ab', 3, 'a'],
    ['a line end', 'a\r\nb', 2, 'a'],
    ['half of a character', 'a😀', 1, 'a'],
  ] as const)
    it(`cuts ${name} at its edge`, () => assert.equal(beginningOf(text, charactersMax), beginning));

  it('is that of whole characters for any text', () => {
    const piece = fc.constantFrom(
      ...'a é e\u0301 क ् ष 👨 👩 \u200d \ufe0f 🇩 🇪 👍 🏽 \u1112 \u1161 \u11ab \r \n \ud83d'.split(' '),
    );
    const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (any, charactersMax) =>
        assert.equal(beginningOf(any, charactersMax), expected(any, charactersMax)),
      ),
      { numRuns: 2000 },
    );
  });

  it('of a character of any length costs little and keeps the limit', () => {
    const marks = '\u0301'.repeat(100_000);
    assert.equal(beginningOf(`ab${marks}`, 140), 'a');
    assert.equal(beginningOf(`b${marks}`, 140), `b${marks.slice(0, 139)}`);
    const before = processorMs();
    for (let i = 0; i < 100; i += 1) excerpt(`b${marks}`, 140);
    const ms = processorMs() - before;
    assert.ok(ms < 500, `${ms} ms`);
  });

  it('on one line says where it was cut', () => {
    assert.equal(excerpt(' a \n b  c ', 5), 'a b c');
    assert.equal(excerpt('a b 👨‍👩‍👧‍👦', 7), 'a b…');
    assert.equal(excerpt(`a${' '.repeat(2000)}b`, 5), 'a…');
    assert.equal(excerpt(`a${' '.repeat(2000)}`, 5), 'a');
  });
});
