import { lookAlikes } from './look-alikes.ts';

const marks = /\p{M}/gu;
const ignored = /[\s\p{DI}\p{Cf}\p{P}\p{S}]/gu;

/** What each character looks like that looks like another. Read at the first name, because it takes some megabytes. */
let looks: ReadonlyMap<string, string> | undefined;

function readTable(table: string): Map<string, string> {
  const letters = new Map<string, string>();
  for (const line of table.trim().split('\n')) {
    const [target = '', deltas = ''] = line.split(':');
    const text = String.fromCodePoint(...target.split('.').map(fromBase36));
    let code = 0;
    for (const delta of deltas.split(' ')) {
      code += fromBase36(delta);
      letters.set(String.fromCodePoint(code), text);
    }
  }
  return letters;
}

function fromBase36(digits: string): number {
  return Number.parseInt(digits, 36);
}

/** A text with each letter as the one that it looks like, without marks. */
function withLooks(text: string): string {
  looks ??= readTable(lookAlikes.table);
  const letters = looks;
  return [...text.normalize('NFD')]
    .map((character) => letters.get(character) ?? character)
    .join('')
    .normalize('NFD')
    .replace(marks, '');
}

/**
 * What a name looks like: two names with the same skeleton can be taken for one another. It is the skeleton of UTS 39 for
 * upper and lower case together, without accents, white space, punctuation and characters that are not seen, in which small
 * capitals and letters that are turned, boxed or drawn as currency signs are letters as well.
 */
export function skeletonOf(name: string): string {
  // Before compatible characters are made one, because that leads away from what some look like.
  const plain = withLooks(withLooks(name).normalize('NFKD')).toLowerCase();
  // A capital I looks like an l, so in lower case an i has to count as one as well.
  return withLooks(plain).replace(ignored, '').replaceAll('i', 'l');
}

/** The scripts whose letters are drawn alike; letters of Latin stand in one word with those of East Asia as well. */
const scripts = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Coptic',
  'Cherokee',
  'Lisu',
  'Tai_Le',
  'Deseret',
].map((script) => {
  const alongside =
    script === 'Latin' ? String.raw`\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}` : '';
  return {
    has: new RegExp(String.raw`\p{sc=${script}}`, 'u'),
    only: new RegExp(String.raw`^[\p{sc=${script}}\p{sc=Zyyy}\p{sc=Zinh}${alongside}]*$`, 'u'),
  };
});
const words = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Whether each word of a name is in one script, or in Latin with one of East Asia (UTS 39, 5.2, "highly restrictive", word by
 * word): letters of two scripts in a word are how a name imitates another with letters that no table has.
 */
export function hasWordsOfOneScript(name: string): boolean {
  const parts = name.match(words) ?? [];
  return parts.every((word) => scripts.every(({ has, only }) => !has.test(word) || only.test(word)));
}
