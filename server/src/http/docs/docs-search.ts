import MiniSearch from 'minisearch';
import { type AskedWord, askedWords, indexedWord, indexedWords, tokens } from './docs-words.ts';

/** What a result of the search is; guides come before the rest. */
export type DocsKind = 'guide' | 'problem' | 'operation' | 'object';

/** A section of a page, an operation, an object or a problem, as the search finds it. */
export type DocsEntry = {
  readonly kind: DocsKind;
  readonly title: string;
  /** The title of the page that it is on. */
  readonly page: string;
  /** What the page is for, where the entry is the page itself. */
  readonly about: string;
  readonly href: string;
  /** The name that programs have for it: the id of an operation, the code of a problem; otherwise empty. */
  readonly name: string;
  /** Its text in paragraphs, items, rows and code. */
  readonly blocks: readonly string[];
};

/** A result: where it leads, and an excerpt, of which every second part (from the second on) matches the question. */
export type DocsResult = Pick<DocsEntry, 'title' | 'page' | 'href'> & { readonly excerpt: readonly string[] };

/** What the search returns: the number of all results, and the best of them. */
export type DocsFound = { readonly count: number; readonly results: readonly DocsResult[] };

/** Finds sections of the documentation. */
export type DocsSearch = { find(question: string): DocsFound };

/** Of a longer question, the rest is ignored, in characters. */
export const questionLengthMax = 200;
/** Further words of a question are ignored; each one costs a look at the whole vocabulary. */
const wordsMax = 10;
const resultsMax = 20;
const excerptLengthMax = 180;
/** An entry with less of the rank of the best one has at most one of several words, in passing. */
const rankShareMin = 0.1;

type Indexed = {
  readonly id: number;
  readonly title: string;
  readonly page: string;
  readonly about: string;
  readonly name: string;
  readonly text: string;
};

const boosts = { name: 10, title: 5, about: 3, page: 2, text: 1 };
/** A question in words wants a guide; a question for a name finds what has it, because names count most. */
const kindBoosts: { readonly [kind in DocsKind]: number } = {
  guide: 1,
  operation: 0.4,
  problem: 0.4,
  object: 0.15,
};

/**
 * Builds the index of the search, in steps between which other requests are answered. A question finds by stems, by the
 * beginnings of words, by similar words and by synonyms; an entry with more of its words comes first.
 */
export async function createDocsSearch(entries: readonly DocsEntry[]): Promise<DocsSearch> {
  const known = new Set<string>();
  const index = new MiniSearch<Indexed>({
    fields: Object.keys(boosts),
    // Parts of a name are found in the sentences about it.
    tokenize: (text, field) => (field === 'name' ? tokens(text).map(indexedWord) : indexedWords(text)),
    processTerm: (word) => {
      known.add(word);
      return word;
    },
  });
  const documents = entries.map(
    ({ blocks, ...entry }, id): Indexed => ({ ...entry, id, text: blocks.join('\n') }),
  );
  await index.addAllAsync(documents, { chunkSize: 50 });
  const boostOf = (id: number) => kindBoosts[entries[id]?.kind ?? 'object'];
  return {
    find: (question) => {
      const asked = askedWords(question.slice(0, questionLengthMax), wordsMax);
      const name = question.trim();
      const isNamed = ({ id }: { id: number }) => Number(entries[id]?.name === name);
      // Stems make two operations one word, such as those for one and for all; who writes a name means that one.
      const ranked = rankedIds({ index, known }, asked, boostOf).toSorted((a, b) => isNamed(b) - isNamed(a));
      const results = ranked.slice(0, resultsMax).flatMap(({ id, words }) => {
        const entry = entries[id];
        return entry === undefined ? [] : [resultOf(entry, words)];
      });
      return { count: ranked.length, results };
    },
  };
}

/** The entries with any word of the question, best first, with the words that matched, in the form of the index. */
function rankedIds(
  { index, known }: { index: MiniSearch<Indexed>; known: ReadonlySet<string> },
  asked: readonly AskedWord[],
  boostOf: (id: number) => number,
): { id: number; words: readonly string[] }[] {
  if (asked.length === 0) return [];
  const byWord = new Map(asked.map((each) => [each.word, each]));
  const isAsked = (word: string, lengthMin: number) =>
    byWord.get(word)?.weight === 1 && word.length >= lengthMin;
  const placeCount = new Set(asked.map(({ place }) => place)).size;
  const ranked = index
    .search(asked.map(({ word }) => word).join(' '), {
      tokenize: (text) => text.split(' '),
      processTerm: (word) => word,
      boost: boosts,
      boostTerm: (word) => byWord.get(word)?.weight ?? 1,
      boostDocument: boostOf,
      prefix: (word) => isAsked(word, 3),
      // Two slips in a word of six letters, such as two letters that changed places. Words that exist have none.
      fuzzy: (word) => !known.has(word) && isAsked(word, 5) && 0.3,
      maxFuzzy: 2,
    })
    .map(({ id, score, queryTerms, terms }) => {
      const places = new Set(queryTerms.map((word) => byWord.get(word)?.place));
      return { id: Number(id), rank: score * (places.size / placeCount) ** 2, words: terms };
    })
    .toSorted((a, b) => b.rank - a.rank);
  const rankMin = (ranked[0]?.rank ?? 0) * rankShareMin;
  return ranked.filter(({ rank }) => rank >= rankMin);
}

function resultOf({ title, page, href, about, blocks }: DocsEntry, words: readonly string[]): DocsResult {
  const matching = new Set(words);
  const best = [...blocks, about].reduce(
    (found, block) => {
      const count = new Set(
        tokens(block)
          .map(indexedWord)
          .filter((stem) => matching.has(stem)),
      ).size;
      return count > found.count ? { block, count } : found;
    },
    { block: about || (blocks[0] ?? ''), count: 0 },
  );
  return { title, page, href, excerpt: excerptOf(best.block, matching) };
}

/** The part of a text around its first matching word, whose matching words are every second part. */
function excerptOf(block: string, matching: ReadonlySet<string>): string[] {
  const text = block.replaceAll(/\s+/g, ' ');
  const all = [...text.matchAll(/[\p{L}\p{N}_]+/gu)].filter(([word]) =>
    indexedWords(word).some((stem) => matching.has(stem)),
  );
  const first = all[0]?.index ?? 0;
  const from = text.length <= excerptLengthMax ? 0 : wordStart(text, first - excerptLengthMax / 3);
  const to = Math.min(text.length, wordStart(text, from + excerptLengthMax) || text.length);
  const parts: string[] = [from > 0 ? '… ' : ''];
  let at = from;
  for (const { 0: word, index } of all) {
    if (index < from || index + word.length > to) continue;
    parts[parts.length - 1] += text.slice(at, index);
    parts.push(word, '');
    at = index + word.length;
  }
  parts[parts.length - 1] += text.slice(at, to).trimEnd() + (to < text.length ? ' …' : '');
  return parts;
}

/** The start of the word at a place in a text; 0 before the text. */
function wordStart(text: string, place: number): number {
  if (place <= 0) return 0;
  if (place >= text.length) return text.length;
  const space = text.lastIndexOf(' ', place);
  return space < place - 40 ? Math.floor(place) : space + 1;
}
