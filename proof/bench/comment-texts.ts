import { type Random, seededRandom } from 'confab-testing/harness/random.ts';

/**
 * Comments like those of users, but made: what a search index costs depends on how many different words a text brings,
 * so the words have the frequencies of natural language.
 */

/** How many different words the texts draw from. */
export const vocabularySize = 30_000;

const onsets = [...'bcdfghklmnprstvw'];
const vowels = [...'aeiou'];
const codas = ['', 'n', 'r', 's', 't', 'l', 'd'];
const syllables = onsets.length * vowels.length * codas.length;
/** The step through the syllables from one rank to the next, prime to their number so that each comes up once. */
const stride = 227;

function syllable(index: number): string {
  const place = (index * stride) % syllables;
  const onset = onsets[place % onsets.length];
  const vowel = vowels[Math.floor(place / onsets.length) % vowels.length];
  return `${onset}${vowel}${codas[Math.floor(place / (onsets.length * vowels.length))]}`;
}

/**
 * The word of a rank from 0, the commonest, which is in three of four texts, to `vocabularySize` - 1, which is in about
 * one of 7,000. Each rank has a word of its own; frequent words are short.
 */
export function wordOfRank(rank: number): string {
  if (rank < syllables) return syllable(rank);
  // One letter in some rare words is not ASCII, as in most languages.
  const first = syllable(Math.floor(rank / syllables));
  const accented = rank % 8 === 0 ? first.replace('o', 'ö').replace('e', 'é') : first;
  return `${accented}${syllable(rank % syllables)}`;
}

/** The range of a draw from the vocabulary. */
const drawsMax = 2 ** 31;

/** The sums of the frequencies up to each rank, by the law of Zipf and Mandelbrot, scaled to `drawsMax`. */
const shares = (() => {
  const sums = new Float64Array(vocabularySize);
  let total = 0;
  for (let rank = 0; rank < vocabularySize; rank += 1) {
    total += 1 / (rank + 2.7);
    sums[rank] = total;
  }
  return sums.map((sum) => (sum / total) * drawsMax);
})();

function drawWord(random: Random): string {
  const draw = random.integer(0, drawsMax - 1);
  let [from, to] = [0, vocabularySize - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((shares[middle] ?? drawsMax) > draw) to = middle;
    else from = middle + 1;
  }
  return wordOfRank(from);
}

/** Some words as one text without signs. */
export function drawWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => drawWord(random)).join(' ');
}

function drawSentence(random: Random): string {
  const words = drawWords(random, random.integer(5, 16));
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${random.pick(['.', '.', '.', '?', '!'])}`;
}

/** Markdown as it is used in comments, each with its own words. */
const formats: readonly ((random: Random) => string)[] = [
  (random) => `**${drawWords(random, 2)}** ${drawWords(random, 4)}`,
  (random) => `${drawWords(random, 3)} \`${drawWord(random)}\` ${drawWord(random)}`,
  (random) => `[${drawWords(random, 2)}](https://example.com/${drawWord(random)}/${drawWord(random)})`,
  (random) => `${drawWords(random, 3)}\n\n- ${drawWords(random, 5)}\n- ${drawWords(random, 4)}\n\n`,
];

/** One comment of 120 to 300 characters, 200 on average; one in four has Markdown (bold, code, a link, a list). */
function commentText(random: Random): string {
  const length = random.integer(120, 220);
  let text = random.oneIn(4) ? `${random.pick(formats)?.(random)} ` : '';
  while (text.length < length) text += `${drawSentence(random)} `;
  return text.trimEnd();
}

/** The texts of some different comments to create; the same number and seed give the same texts. */
export function commentTexts(count: number, seed = 1): readonly string[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => commentText(random));
}
