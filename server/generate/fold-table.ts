/**
 * The table by which search folds texts (`server/src/kernel/fold.ts`): what the collation for searching of CLDR holds equal at
 * base strength, asked of this Node for every character. The collation compares texts by a row of weights. Here a weight
 * is the *letter* that stands for all characters with this weight alone; others fold into several letters, or into none.
 */

const collator = new Intl.Collator('und', { usage: 'search', sensitivity: 'base' });
const isSame = (one: string, other: string) => collator.compare(one, other) === 0;

// What is in no text, Hangul syllables, which `fold` takes apart, and control characters: they weigh nothing for the
// collation, but they separate words, as a line break does.
const isLeftOut = /[\p{Co}\p{Cn}\p{Cs}\p{Cc}\uAC00-\uD7A3]/u;
const isWord = /^[\p{L}\p{N}\p{M}]$/u;
const isMark = /^\p{M}$/u;
const isSymbol = /^[\p{S}\p{ExtPict}]$/u;
const isFound = /[\p{L}\p{N}\p{M}\p{S}\p{ExtPict}]/u;
const isUnspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
/** Ignorable for the collation, and keeps it from reading two characters as one. */
const joinerBetween = '\u034F';
/** The longest text for which no compatibility mapping exists, as for œ, has so many weights after the first. */
const furtherWeightsMax = 3;

/** Every character that the collation is asked about. */
function characters(): string[] {
  const found: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!isLeftOut.test(character)) found.push(character);
  }
  return found;
}

/** The characters in the order of the collation, those that it holds equal together. */
function classesOf(all: readonly string[]): string[][] {
  const classes: string[][] = [];
  for (const character of all.toSorted(collator.compare)) {
    const last = classes.at(-1);
    if (last?.[0] !== undefined && isSame(last[0], character)) last.push(character);
    else classes.push([character]);
  }
  // The order within a class follows from the code points alone.
  for (const each of classes) each.sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
  return classes;
}

/** What a letter for a class should be, the best first: changed by no engine, no other folding and no normalization. */
const suitable: readonly ((each: string) => boolean)[] = [
  (each) => isWord.test(each) && each.normalize('NFKD') === each && each.toUpperCase().toLowerCase() === each,
  (each) => isWord.test(each) && each.normalize('NFKD') === each && each.toLowerCase() === each,
  (each) => isWord.test(each) && each.toLowerCase() === each,
  (each) => each.normalize('NFKD') === each,
  () => true,
];

function letterOf(members: readonly string[]): string {
  for (const isSuitable of suitable) {
    const letter = members.find(isSuitable);
    if (letter !== undefined) return letter;
  }
  throw new Error('a class has members');
}

/** The compatibility mapping of a member of a class that is the same for the collation; undefined where there is none. */
function mappingOf(
  members: readonly string[],
  isIgnored: (character: string) => boolean,
): string | undefined {
  for (const member of members) {
    const parts = [...member.normalize('NFKD')].filter((part) => !isIgnored(part));
    if (parts.length > 1 && isSame(member, parts.join(joinerBetween))) return parts.join('');
  }
  return undefined;
}

/**
 * The texts of several weights, such as œ: the first weight is that of the last letter before it in the order, and each
 * further one is found by halving. Undefined for a letter.
 */
function spelled(letter: string, begun: string, letters: readonly string[]): string | undefined {
  let low = 0;
  let high = letters.length - 1;
  for (let more = furtherWeightsMax, text = begun; more > 0; more -= 1, text += letters[high] ?? '') {
    low = 0;
    high = letters.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const compared = collator.compare(text + letters[middle], letter);
      if (compared === 0) return text + letters[middle];
      if (compared < 0) low = middle + 1;
      else high = middle - 1;
    }
    if (high < 0) return undefined;
  }
  return undefined;
}

/**
 * Whether a character stands for two that the collation reads as one where they meet, and that NFC leaves apart: the sara
 * am of Thai and Lao, whose first part alone weighs nothing.
 */
function isPair(character: string): boolean {
  const parts = [...character.normalize('NFKD')];
  return (
    parts.length === 2 &&
    parts.every((part) => isWord.test(part)) &&
    parts.join('').normalize('NFC') !== character &&
    isSame(character, parts.join('')) &&
    !isSame(character, parts.join(joinerBetween))
  );
}

/** What each character folds into, for those that change; a letter of its own is not in it. */
function foldings(): Map<string, string> {
  const all = characters();
  const classes = classesOf(all);
  const ignored = new Set(classes.find((members) => members.includes('\u00AD')));
  const isIgnored = (character: string) => ignored.has(character);
  const heavy = classes.filter(([first = '']) => !isIgnored(first));
  const letters = heavy.map(letterOf);
  const into = new Map<string, string>();
  for (const character of ignored) into.set(character, '');
  let before = '';
  for (const [index, members] of heavy.entries()) {
    const letter = letters[index] ?? '';
    const text =
      mappingOf(members, isIgnored) ?? (before === '' ? undefined : spelled(letter, before, letters));
    if (text === undefined) before = letter;
    for (const member of members)
      if (text !== undefined || member !== letter) into.set(member, text ?? letter);
  }
  for (const character of all) {
    // The collation for searching changes some letters and leaves compatible characters with the weights of before, such
    // as ﷺ: these are what Unicode maps them to.
    const mapped = character.normalize('NFKD');
    if (!into.has(character) && mapped !== character.normalize('NFD') && !isPair(character))
      into.set(character, mapped);
  }
  // Search reads the tones of emoji as their plain form. The collation takes them for symbols.
  for (const character of all) if (/^\p{EMod}$/u.test(character)) into.set(character, '');
  return into;
}

const isAbsent = /[\p{Cs}\p{Co}\p{Cn}]/u;
const isSyllable = /^[\uAC00-\uD7A3]$/;

/** Replaces until nothing changes: a mapping may have characters that fold themselves. */
function settled(text: string, into: ReadonlyMap<string, string>): string {
  const next = [...text]
    .map((part) => into.get(part) ?? (isSyllable.test(part) ? part.normalize('NFD') : part))
    .join('');
  return next === text ? text : settled(next, into);
}

/**
 * A rising list of code points as text: for each range how far it begins after the end of the one before and, after a
 * dot, how many more code points it has, both to the base 36.
 */
function encodeSet(codes: readonly number[]): string {
  const ranges: { start: number; end: number }[] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last !== undefined && last.end + 1 === code) last.end = code;
    else ranges.push({ start: code, end: code });
  }
  let before = 0;
  return ranges
    .map(({ start, end }) => {
      const gap = (start - before).toString(36);
      before = end;
      return end === start ? gap : `${gap}.${(end - start).toString(36)}`;
    })
    .join(' ');
}

/** Words in lines of the usual width. */
function wrapped(text: string): string {
  return text.replaceAll(/(.{80,100}) /g, '$1\n');
}

/** What the table holds, as code points. */
function contents() {
  const into = foldings();
  const folded = new Map<string, number[]>();
  const sets: Record<'pairs' | 'letters' | 'marks' | 'unspaced' | 'symbols', number[]> = {
    pairs: [],
    letters: [],
    marks: [],
    unspaced: [],
    symbols: [],
  };
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    // What NFC replaces is never looked up.
    if (isAbsent.test(character) || character.normalize('NFC') !== character) continue;
    // Syllables follow a rule and not the table.
    const text = isSyllable.test(character) ? character : settled(character, into);
    if (text !== character) {
      // A lead and a vowel of Hangul are one letter.
      const key = text.normalize('NFC');
      if (text === '' || isFound.test(text + character)) folded.set(key, [...(folded.get(key) ?? []), code]);
      continue;
    }
    if (isPair(character)) sets.pairs.push(code);
    if (isWord.test(character)) sets.letters.push(code);
    if (isMark.test(character)) sets.marks.push(code);
    if (isWord.test(character) && isUnspaced.test(character)) sets.unspaced.push(code);
    if (isSymbol.test(character)) sets.symbols.push(code);
  }
  return { folded, sets };
}

/** The source of the table. */
export function foldTable(): string {
  const { folded, sets } = contents();
  const lines = [...folded].map(([text, codes]) => {
    const key = [...text].map((part) => (part.codePointAt(0) ?? 0).toString(36)).join('.');
    return `${key}:${encodeSet(codes)}`;
  });
  const set = (codes: readonly number[]) => `\`\n${wrapped(encodeSet(codes))}\n\``;
  const { unicode = '', cldr = '' } = process.versions;
  return `/**
 * What search folds, and which characters are in words. Made by \`npm run generate\` of the collation for searching at base
 * strength; \`server/generate/fold-table.ts\` says how and \`fold.ts\` reads it. Words are stored as it folds them: with
 * another table, \`wordsVersion\` of \`search.ts\` is raised.
 */
export const foldTable = {
  /** The versions of the data. */
  unicode: '${unicode}',
  cldr: '${cldr}',
  /** A line for each text that characters fold into: its code points, then these characters. */
  folded: \`\n${lines.join('\n')}\n\`,
  /** Folded characters that a text may have as the two that Unicode maps them to. */
  pairs: ${set(sets.pairs)},
  /** Folded characters: all in words, and of these the marks and those written without spaces between words. */
  letters: ${set(sets.letters)},
  marks: ${set(sets.marks)},
  unspaced: ${set(sets.unspaced)},
  /** Folded characters that are words by themselves. */
  symbols: ${set(sets.symbols)},
};
`;
}
