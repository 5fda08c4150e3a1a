import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { processorMs } from 'confab-testing/processor-time.ts';
import { visibleCharacters, visibleText } from '../../../src/kernel/unseen.ts';

// What is left of a text is what people see, and what they see is left.
describe('characters that nobody sees', () => {
  for (const text of [
    'می‌خواهم نمی‌دانم',
    '۱۴۰۰ ه‍.ق ۝',
    'क्‍ष क्‌ष ශ්‍රී র‍্যাব അവന്‍',
    '👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ ❤ 1️⃣ 🏴󠁧󠁢󠁷󠁬󠁳󠁿 👩🏽‍🚀 ☝🏽 🇩🇪',
    'a\tb\r\nc\u2028d\u00a0e\u3000f',
  ])
    it(`leave all of ${JSON.stringify(text)}`, () => assert.equal(visibleCharacters(text), text));

  for (const [text, left] of [
    // Joiners and selectors without an effect could stand for a bit each.
    ['a\u200db 漢\u{e0100}字 1\ufe0f x\ufe0e', 'ab 漢字 1 x'],
    ['آزاد\u200cراه می\u200c\u200cخواهم', 'آزادراه میخواهم'],
    ['😀\ufe0f 👍\u200d👍 ❤\ufe0e', '😀 👍👍 ❤'],
    ['🕵\u200d♂', '🕵️‍♂️'],
    ['🏴\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f}', '🏴'],
    ['a\ud800b', 'ab'],
  ] as const)
    it(`leave ${JSON.stringify(left)} of ${JSON.stringify(text)}`, () =>
      assert.equal(visibleCharacters(text), left));

  it('make no name', () => {
    for (const text of ['\u3164', ' \u2800\ufe0f', '\u{e0041}', '\ue000', ''])
      assert.equal(visibleText(text), null);
    assert.equal(visibleText('\u06dd'), '\u06dd');
  });

  it('cost little, however many there are', () => {
    const before = processorMs();
    for (const piece of ['\u200c', '👍\u200d', '🏴\u{e0061}', 'ب\u064b\u200c', '्\u200d'])
      visibleCharacters(piece.repeat(65_536 / piece.length));
    const ms = processorMs() - before;
    assert.ok(ms < 500, `${ms} ms`);
  });
});
