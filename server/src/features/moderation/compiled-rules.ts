import type { Rule } from 'confab-contract/moderation.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { RE2Set } from 're2js';
import { re2js } from '../../kernel/packages.ts';
import { searchWords } from '../../kernel/search.ts';
import { barePattern } from './bare-pattern.ts';
import type { ScreenedText } from './screened-text.ts';

/**
 * Rules as they are applied. The time to search a text grows with its length and not with the number of words; all
 * patterns are one automaton of a limited size (decision 0066).
 */

/** The rules of an operator as they are stored. */
export type RuleDocument = {
  /** 0 where no rules were ever set. */
  readonly version: number;
  readonly includesBots: boolean;
  readonly rules: readonly Rule[];
  readonly modifiedAt: UnixMs | null;
};

/** Rules, ready to be applied. */
export type CompiledRules = RuleDocument & {
  readonly phrases: Phrases;
  /** The patterns, and the rule of each; undefined where there are none. */
  readonly patterns: { readonly set: RE2Set; readonly rules: readonly Rule[] } | undefined;
};

/** The words to find, by how each begins. */
type Phrases = {
  readonly byText: ReadonlyMap<string, readonly Rule[]>;
  /** How many words the phrases that begin with a word have. */
  readonly lengthsByFirst: ReadonlyMap<string, ReadonlySet<number>>;
};

/** The facts that decide whether a rule applies to a text. */
export type Circumstances = {
  /** How long ago the user was created, in milliseconds; 0 for a guest who is not trusted. */
  readonly ageMs: number;
  /** Whether users who are no members may write in the app. */
  readonly isOpenApp: boolean;
};

const hourMs = 3_600_000;

/** The memory that the automaton of all patterns may take, in bytes; beyond it, it is searched without one. */
const automatonBytesMax = 4 * 1024 * 1024;

/** The flags of every pattern. */
export function patternFlags(): number {
  return re2js().RE2JS.CASE_INSENSITIVE;
}

/** Compiles valid rules. */
export function compileRules(document: RuleDocument): CompiledRules {
  return { ...document, phrases: phrasesOf(document.rules), patterns: patternsOf(document.rules) };
}

function phrasesOf(rules: readonly Rule[]): Phrases {
  const byText = new Map<string, Rule[]>();
  const lengthsByFirst = new Map<string, Set<number>>();
  for (const rule of rules)
    for (const each of rule.words ?? []) {
      const phrase = searchWords(each);
      const [first = '', ...others] = phrase.split(' ');
      byText.set(phrase, [...(byText.get(phrase) ?? []), rule]);
      lengthsByFirst.set(first, (lengthsByFirst.get(first) ?? new Set()).add(1 + others.length));
    }
  return { byText, lengthsByFirst };
}

function patternsOf(rules: readonly Rule[]): CompiledRules['patterns'] {
  const withPattern = rules.filter(({ pattern }) => pattern !== undefined);
  if (withPattern.length === 0) return undefined;
  const { RE2Set } = re2js();
  const set = new RE2Set(RE2Set.UNANCHORED, patternFlags(), automatonBytesMax);
  for (const { pattern = '' } of withPattern) set.add(barePattern(pattern));
  set.compile();
  return { set, rules: withPattern };
}

/** Whether a rule is for a text. */
export function isFor(
  { newcomer_hours: hours, only_open_apps: isForOpen }: Rule,
  about: Circumstances,
): boolean {
  return (hours === undefined || about.ageMs < hours * hourMs) && (isForOpen !== true || about.isOpenApp);
}

/** The rules for a text that match what it says: those with words, a pattern or a number of links. */
export async function matchText(
  { rules, phrases, patterns }: CompiledRules,
  text: ScreenedText,
  about: Circumstances,
): Promise<Set<Rule>> {
  const inForce = rules.filter((rule) => isFor(rule, about));
  const matching = new Set(
    inForce.filter(({ links_max: linksMax }) => linksMax !== undefined && text.linkCount > linksMax),
  );
  if (inForce.some(({ words }) => words !== undefined))
    for (const each of text.texts) for (const rule of findPhrases(phrases, each)) matching.add(rule);
  if (patterns !== undefined && inForce.some(({ pattern }) => pattern !== undefined))
    for (const index of await findPatterns(patterns.set, text.texts)) {
      const rule = patterns.rules[index];
      if (rule !== undefined) matching.add(rule);
    }
  return new Set(inForce.filter((rule) => matching.has(rule)));
}

function findPhrases({ byText, lengthsByFirst }: Phrases, text: string): Set<Rule> {
  const matching = new Set<Rule>();
  const words = searchWords(text).split(' ');
  for (const [index, first] of words.entries()) {
    const lengths = lengthsByFirst.get(first) ?? [];
    for (const length of lengths)
      for (const rule of byText.get(words.slice(index, index + length).join(' ')) ?? []) matching.add(rule);
  }
  return matching;
}

/** How long texts are searched before other requests get a turn, in milliseconds. */
const turnMs = 10;
/**
 * How long one text is searched for patterns in all, in milliseconds. Ordinary patterns take some 10 for 64 KiB. Patterns
 * with which the automaton does not fit into its memory take 0.3 µs for each character and instruction.
 */
const searchMsMax = 250;
/** The longest line that patterns see whole, and by how much the pieces of a longer one overlap, in UTF-16 units. */
const lineUnitsMax = 512;
const overlapUnits = 256;

/**
 * The indexes of the patterns that match a line of the texts. Gives way to other requests now and then. A text that takes
 * too long counts as matched by every pattern, so that a slow pattern is no way around the others.
 */
async function findPatterns(set: RE2Set, texts: readonly string[]): Promise<ReadonlySet<number>> {
  const matching = new Set<number>();
  let [spentMs, begunAt] = [0, performance.now()];
  for (const text of texts)
    for (const line of linesOf(text)) {
      for (const index of set.match(line)) matching.add(index);
      const turn = performance.now() - begunAt;
      if (turn < turnMs) continue;
      spentMs += turn;
      if (spentMs > searchMsMax) return new Set(set.regexps.keys());
      await new Promise((resolve) => setImmediate(resolve));
      begunAt = performance.now();
    }
  return matching;
}

function* linesOf(text: string): Iterable<string> {
  for (const line of text.split(/\r?\n/)) {
    let at = 0;
    while (line.length - at > lineUnitsMax) {
      yield line.slice(at, at + lineUnitsMax);
      at += lineUnitsMax - overlapUnits;
    }
    if (at < line.length) yield line.slice(at);
  }
}
