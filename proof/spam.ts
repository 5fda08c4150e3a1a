/**
 * Measures how a community fares against spam: `npx node proof/spam.ts`. 200 accounts, a quarter of which send spam, write
 * 20,000 texts under the rules of the guide and the default limits; hostile patterns meet hostile texts; and the hook is
 * dead, slow or lying. It fails when a person is disturbed more than stated here, when too much spam comes through, when a
 * pattern holds up the server, or when the planted bug is not found: a server that forgets which texts were sent.
 * `--texts`, `--accounts`, `--seed` and `--only run,planted,patterns,hook` change the run.
 */

import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { tryHook } from './spam/hook.ts';
import { tryPatterns } from './spam/patterns.ts';
import { fates, type Outcome, runSpam, type Tally } from './spam/run.ts';

const { seed, texts, accounts, only } = readFlags({ seed: anySeed, texts: 20_000, accounts: 200, only: '' });
const suite = new Suite('spam');

/** The most of what people write that may be held or refused, and the most spam that may come through: parts of 1. */
const disturbedMax = 0.02;
const throughMax = 0.25;

function sum(tallies: { readonly [kind: string]: Tally }): Tally {
  const of = (fate: keyof Tally) => Object.values(tallies).reduce((total, tally) => total + tally[fate], 0);
  return { taken: of('taken'), held: of('held'), refused: of('refused'), limited: of('limited') };
}

function all(tally: Tally): number {
  return fates.reduce((total, fate) => total + tally[fate], 0);
}

function print(title: string, tallies: { readonly [kind: string]: Tally }): void {
  console.log(`${title.padEnd(14)}${['texts', ...fates].map((name) => name.padStart(9)).join('')}`);
  for (const [kind, tally] of [...Object.entries(tallies), ['all', sum(tallies)] as const])
    console.log(
      `  ${kind.padEnd(12)}${[all(tally), ...fates.map((fate) => tally[fate])].map((each) => String(each).padStart(9)).join('')}`,
    );
}

/** What is wrong with an outcome. */
function faultsOf({ ham, spam, busyLimited, contradictions }: Outcome): string[] {
  const [honest, sent] = [sum(ham), sum(spam)];
  const disturbed = (all(honest) - honest.taken) / all(honest);
  const through = sent.taken / all(sent);
  return [
    ...(disturbed > disturbedMax
      ? [`${(100 * disturbed).toFixed(1)} % of what people wrote was not taken`]
      : []),
    ...(through > throughMax ? [`${(100 * through).toFixed(1)} % of the spam came through`] : []),
    ...(spam.copies.taken > spam.copies.held + spam.copies.refused + spam.copies.limited
      ? [`${spam.copies.taken} copies of one text came through`]
      : []),
    ...(busyLimited > 0 ? [`${busyLimited} texts of people who write ten a minute were limited`] : []),
    ...contradictions,
  ];
}

async function run(): Promise<void> {
  const outcome = await runSpam({ folder: suite.folder, seed, accounts, texts });
  print('spam', outcome.spam);
  print('honest', outcome.ham);
  console.log(`${outcome.undisturbed} of ${outcome.people} people had everything taken`);
  console.log(`429 for people who write ten texts a minute: ${outcome.busyLimited}`);
  for (const [rule, count] of outcome.byRule) console.log(`  ${String(count).padStart(6)}  ${rule}`);
  const faults = faultsOf(outcome);
  if (faults.length > 0) suite.fail('the community is not kept as stated', faults);
}

async function planted(): Promise<void> {
  const outcome = await runSpam({ folder: suite.folder, seed, accounts, texts: texts / 10, isPlanted: true });
  suite.planted(
    'texts are forgotten',
    faultsOf(outcome).find((fault) => fault.includes('copies of one text')),
  );
}

async function patterns(): Promise<void> {
  for (const fault of await tryPatterns(suite.folder)) suite.fail(fault);
}

async function hook(): Promise<void> {
  for (const fault of await tryHook(suite.folder)) suite.fail(fault);
}

console.log(`seed ${seed}`);
await suite.run({ run, planted, patterns, hook }, only);
