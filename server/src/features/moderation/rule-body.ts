import { type Rule, ruleLimits } from 'confab-contract/moderation.ts';
import { Faults } from '../../kernel/faults.ts';
import { re2js } from '../../kernel/packages.ts';
import { searchWords } from '../../kernel/search.ts';
import { barePattern } from './bare-pattern.ts';
import { patternFlags } from './compiled-rules.ts';

/** The name under which the hook of the operator counts, so no rule can have it. */
export const hookName = 'hook';

/** The conditions of a rule, of which it has exactly one. */
const conditions = ['words', 'pattern', 'links_max', 'equal_texts', 'rate'] as const;

/** The most words of a phrase: a text of 64 KiB is compared with phrases of each length. */
const phraseWordsMax = 16;

/**
 * The most instructions of all patterns together: of some twenty ordinary ones. Where the automaton outgrows its memory,
 * each character of a text takes a step for each instruction; `npx node proof/spam.ts` prints the time of the worst patterns.
 */
const instructionsMax = 500;

/** The most rules that look at earlier texts, each of which is a statement. */
const pastRulesMax = 10;

/** Checks rules whose fields are valid by themselves; throws `validation_failed`, which names every fault. */
export function checkedRules(rules: readonly Rule[]): readonly Rule[] {
  const faults = new Faults();
  const fault = (pointer: string, code: string, message: string) =>
    faults.add(() => ({ pointer: `/rules${pointer}`, code, message }));
  const names = new Set<string>();
  let instructions = 0;
  for (const [index, rule] of rules.entries()) {
    const place = `/${index}`;
    if (names.has(rule.name)) fault(`${place}/name`, 'taken', 'is the name of another rule as well');
    if (rule.name === hookName) fault(`${place}/name`, 'reserved', `must not be "${hookName}"`);
    names.add(rule.name);
    const present = conditions.filter((condition) => rule[condition] !== undefined);
    if (present.length !== 1) fault(place, 'condition', `must have exactly one of ${conditions.join(', ')}`);
    for (const [at, word] of (rule.words ?? []).entries()) {
      const message = wordFault(word);
      if (message !== undefined) fault(`${place}/words/${at}`, 'word', message);
    }
    const size = sizeOf(rule.pattern);
    if (typeof size === 'string') fault(`${place}/pattern`, 'pattern', size);
    else instructions += size;
  }
  if (instructions > instructionsMax)
    fault(
      '',
      'too_complex',
      `have patterns of ${instructions} instructions, of which ${instructionsMax} are allowed`,
    );
  if (rules.filter(looksBack).length > pastRulesMax)
    fault('', 'maxitems', `must have at most ${pastRulesMax} rules with equal_texts or rate`);
  if (Buffer.byteLength(JSON.stringify(rules)) > ruleLimits.bytesMax)
    fault('', 'too_long', `must have at most ${ruleLimits.bytesMax} bytes as JSON`);
  if (faults.count > 0) throw faults.problem('validation_failed');
  return rules;
}

/** Whether a rule depends on what was sent earlier. */
export function looksBack({ equal_texts: equal, rate }: Rule): boolean {
  return equal !== undefined || rate !== undefined;
}

function wordFault(word: string): string | undefined {
  const words = searchWords(word);
  if (words === '') return 'has no letter, digit or symbol to find';
  return words.split(' ').length > phraseWordsMax ? `must have at most ${phraseWordsMax} words` : undefined;
}

/** The number of instructions of a pattern, or why it is none. */
function sizeOf(pattern: string | undefined): number | string {
  if (pattern === undefined) return 0;
  const { RE2JS, RE2JSException } = re2js();
  try {
    return RE2JS.compile(barePattern(pattern), patternFlags()).programSize();
  } catch (error) {
    if (error instanceof RE2JSException) return `is no regular expression of RE2: ${error.message}`;
    throw error;
  }
}
