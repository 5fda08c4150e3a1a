import { hostileTexts } from '../corpus/hostile-texts.ts';
import type { Random } from '../harness/random.ts';
import type { Pool } from './pool.ts';
import { type Text, textOf } from './twins.ts';

/** Words of many scripts, some with several spellings and some with a surprising sort order. */
const words = [
  'review',
  'Review',
  'REVIEWED',
  'naïve',
  'naive',
  'NAÏVE',
  'nai\u0308ve',
  'Straße',
  'STRASSE',
  'İstanbul',
  'ıstanbul',
  'Ωμέγα',
  'ωμεγας',
  'ὈΔΥΣΣΕΎΣ',
  'Привет',
  'привёт',
  'שלום',
  'مرحبا',
  'हिन्दी',
  'ไทย',
  'ภาษาไทย',
  '日本語',
  '日本',
  'ひらがな',
  '中文字',
  '한국어',
  '한국',
  'ﬁne',
  'fine',
  'ｆｕｌｌ',
  'x²',
  '½',
  '1e3',
  '007',
  '42',
  'a_b',
  "o'clock",
  'e-mail',
  'Ärger',
  'Zebra',
  'ångström',
  'ABC',
  'abc',
  'Æther',
  'œuvre',
  '😀',
  '👨‍👩‍👧‍👦',
  '🏳️‍🌈',
  '𝒜𝓁𝓅𝒽𝒶',
  '\u{1F9D1}\u{1F3FD}',
  '🎉',
  '👍🏿',
  '❤️‍🔥',
  '🇩🇪',
  '1️⃣',
  '€5',
  'C++',
  'a=b',
  '!!!',
  'GRÖẞE',
  'Größe',
  'apricot',
  'Éclair',
  'the',
  'of',
  'and',
  'not',
  'NEAR',
  'null',
];

/** Tags, few enough to be shared. */
export const tags = ['red', 'Red', 'grün', 'gru\u0308n', '日本', '👍', 'a b', '%', 'x_y', 'long'.repeat(16)];

/** Emoji for reactions, with and without variation selectors, and texts that are not emoji. */
export const emoji = ['👍', '❤️', '❤', '🎉', '👩‍👩‍👧‍👦', '🏳️‍🌈', '☺', '☺️', '1️⃣', '🇩🇪', 'x', '👍👍', '', ' '];

// A raw mention would name different users on the two sides where ids differ.
const hostile = hostileTexts.filter(({ text }) => !/@u\d/i.test(text));
const short = hostile.filter(({ text }) => text.length < 2000);

/** Draws texts. */
export class Texts {
  readonly #random: Random;
  readonly #pool: Pool;

  constructor(random: Random, pool: Pool) {
    this.#random = random;
    this.#pool = pool;
  }

  word(): string {
    return this.#random.draw(words);
  }

  words(most: number): string {
    return Array.from({ length: this.#random.integer(1, most) }, () => this.word()).join(' ');
  }

  /** An ordinary text, or a hostile one. */
  text(): Text {
    const random = this.#random;
    const kind = random.integer(1, 20);
    if (kind <= 4) return random.draw(short).text;
    if (kind === 5 && random.oneIn(8)) return random.draw(hostile).text;
    if (kind === 6)
      return `${this.words(6)}\n\n- ${this.words(3)}\n- **${this.word()}**\n\n> ${this.words(4)}`;
    if (kind === 7) return `${this.words(3)} https://example.com/${random.integer(1, 9)} \`${this.word()}\``;
    if (kind <= 10) return this.#mention();
    if (kind === 11 && random.oneIn(4)) return `${this.words(12)} `.repeat(random.integer(50, 400));
    return this.words(12);
  }

  #mention(): Text {
    const somebody = this.#pool.pick('user');
    const another = this.#pool.pick('user');
    if (somebody === undefined || another === undefined) return this.words(3);
    return textOf`${this.word()} [${this.word()}](@u${somebody.id}) and [x](@u${another.id}) ${this.words(3)}`;
  }

  /** Search texts: words, prefixes, phrases, and separators. */
  question(): string {
    const random = this.#random;
    const word = this.word();
    const kind = random.integer(1, 11);
    if (kind === 11)
      return random.oneIn(4) ? `${word} `.repeat(random.integer(30, 34)) : `${word}${this.word()}`;
    if (kind <= 3) return word;
    if (kind <= 5) return [...word].slice(0, random.integer(1, 3)).join('');
    if (kind === 6) return `"${this.words(3)}"`;
    if (kind === 7) return `${this.words(2)} "${word}"`;
    if (kind === 8) return word.normalize(random.oneIn(2) ? 'NFD' : 'NFKC').toUpperCase();
    if (kind === 9) return `${word}*`;
    return this.words(3);
  }
}
