import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import type { Suite } from 'confab-testing/harness/suite.ts';
import { alice, judge, makeCorpus, type Verdict } from '../../elements/test/annotations/corpus.ts';
import { loadAnnotator } from './annotator.ts';
import { domAnchor, loadHypothesis, type Matcher, ours, type Part, type Task } from './matchers.ts';
import { pairs, reviseBooks } from './revised-texts.ts';
import { emptyTally, judgeVerse, type Tally, tableOf, type Wrong } from './verdicts.ts';

/** Has each program find the same quotes, and compares what they found. */

/** A text with a revision of it, and what is right for its quotes. */
type Judged = Task & {
  readonly name: string;
  verdict(quote: number, place: Part | undefined): Verdict;
  /** Where a quote has to be; undefined where it is gone. */
  truth(quote: number): Part | undefined;
};

function generatedTasks(seeds: readonly number[]): Judged[] {
  return seeds.flatMap((seed) =>
    makeCorpus(seed).map((revision) => {
      const { name, text, cases } = revision;
      const verdict: Judged['verdict'] = (quote, place) => judge(revision, at(cases, quote), place);
      const truth: Judged['truth'] = (quote) => at(cases, quote).truth;
      return { name: `seed ${seed}, ${name}`, before: alice, after: text, quotes: cases, verdict, truth };
    }),
  );
}

function revisedTasks(pair: string, { seed, quotesInBook }: Drawing): Judged[] {
  return reviseBooks(pair, seededRandom(seed), quotesInBook).map((book) => ({
    ...book,
    verdict: (quote, place) => judgeVerse(book, at(book.cases, quote), place),
    truth: (quote) => at(book.cases, quote).truth,
  }));
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`there is no item ${index}`);
  return item;
}

/** How the quotes of the revised texts are drawn. */
type Drawing = { readonly seed: number; readonly quotesInBook: number };

/** Compares the programs with the generated corpus of some seeds. The seed 53 is the one by which thresholds were chosen. */
export async function findGenerated(suite: Suite, seeds: readonly number[]): Promise<void> {
  const [first = 53, ...others] = seeds;
  await compare(suite, `Generated, seed ${first}`, generatedTasks([first]));
  if (others.length > 0)
    await compare(suite, `Generated, seeds ${others.join(', ')}`, generatedTasks(others));
}

/** Compares the programs with the real revisions. */
export async function findRevised(suite: Suite, drawing: Drawing): Promise<void> {
  for (const pair of Object.keys(pairs)) await compare(suite, pair, revisedTasks(pair, drawing));
}

async function compare(suite: Suite, title: string, tasks: readonly Judged[]): Promise<void> {
  const browser = await launchBrowser();
  try {
    const matchers = [ours, await loadHypothesis(), ...(await loadAnnotator(browser)), domAnchor];
    const tallies = new Map<string, Tally>();
    const wrong: Wrong[] = [];
    for (const matcher of matchers) {
      const tally = emptyTally();
      tallies.set(matcher.name, tally);
      for (const task of tasks) wrong.push(...(await count(matcher, task, tally)));
    }
    console.log(`\n${tableOf(title, tallies)}\n`);
    for (const { task, quote, placed, expected } of wrong)
      console.log(`wrong, ${task}: "${quote}"\n  placed at "${placed}"\n  expected at "${expected}"`);
    check(suite, title, tallies);
  } finally {
    await browser.close();
  }
}

/** Counts what a program found of a task. Returns what ours placed wrongly. */
async function count(matcher: Matcher, task: Judged, tally: Tally): Promise<Wrong[]> {
  const { places, ms } = await matcher.place(task);
  tally.ms += ms;
  const wrong: Wrong[] = [];
  for (const [index, { start, end }] of task.quotes.entries()) {
    const place = places[index];
    const verdict = task.verdict(index, place);
    tally.counts[verdict] += 1;
    if (verdict !== 'wrong' || place === undefined || matcher !== ours) continue;
    const truth = task.truth(index);
    wrong.push({
      task: task.name,
      quote: task.before.slice(start, end),
      placed: task.after.slice(place.start, place.end),
      expected: truth === undefined ? 'nothing' : task.after.slice(truth.start, truth.end),
    });
  }
  return wrong;
}

/** More than the better of the others finds, and none in a wrong place. */
function check(suite: Suite, title: string, tallies: ReadonlyMap<string, Tally>): void {
  const { found = 0, wrong = 0 } = tallies.get(ours.name)?.counts ?? {};
  const others = [...tallies].filter(([name]) => name !== ours.name);
  const better = Math.max(...others.map(([, { counts }]) => counts.found));
  if (found < better)
    suite.fail(`${title}: the element finds ${found}, and the better of the others ${better}`);
  if (wrong > 0) suite.fail(`${title}: the element places ${wrong} wrongly`);
}
