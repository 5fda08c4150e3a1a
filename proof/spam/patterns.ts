import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { compileRules, matchText } from 'confab-server/src/features/moderation/compiled-rules.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { startCommunity } from './community.ts';

/** Patterns that take exponential or quadratic time elsewhere, or outgrow the automaton, on texts made for them. */
const hostile = [
  '(a+)+$',
  '(a|aa)+$',
  '(x+x+)+y',
  '([a-zA-Z]+)*$',
  '(.*a){20}',
  '(.*)(.*)(.*)(.*)(.*)[^a]',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '[ab]*a[ab]{12}c',
  '[ab]*a[ab]{200}c',
  '(?:.{0,60}a){4}c',
  '(?:[a-z]+ ?){1,90}casino',
  '(\\pL|\\pN){150}!',
  '(?:a?){160}a{160}b',
  '.*.*.*.*=.*',
  '\\b(?:\\w+\\W+){0,90}end\\b',
  '[ab]*a[ab]{480}c',
];
/** What is refused: too large, or not in RE2. */
const refused = [
  '((a{30}){30}){30}',
  'a{1001}',
  '\\pL{1000}\\pN{1000}',
  '(a)\\1',
  '(?=a)a',
  '(?<!a)b',
  '[',
  '(?:a?){900}a{900}',
];

const random = seededRandom(1);
const bytes = 64 * 1024;
const texts: { readonly [name: string]: string } = {
  'one letter': 'a'.repeat(bytes),
  'two letters': Array.from({ length: bytes }, () => random.pick(['a', 'b'])).join(''),
  words: 'cas ino the end of word '.repeat(bytes / 24),
  lines: `${'a'.repeat(40)}!\n`.repeat(bytes / 42),
  'short lines': 'a\n'.repeat(bytes / 2),
};

/** The longest that a text of 64 KiB may take, and hold up other requests, in milliseconds on a busy machine. */
const totalMsMax = 1000;
const heldUpMsMax = 250;

type Time = { readonly totalMs: number; readonly heldUpMs: number };

/** Matches a text, and measures for how long nothing else had a turn. */
async function timeOf(pattern: string, text: string): Promise<Time> {
  const rules = compileRules({
    version: 1,
    includesBots: false,
    rules: [{ name: 'hostile', action: 'hold', pattern }],
    modifiedAt: 0,
  });
  let heldUpMs = 0;
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      const before = performance.now();
      await new Promise((resolve) => setImmediate(resolve));
      heldUpMs = Math.max(heldUpMs, performance.now() - before);
    }
  })();
  const before = performance.now();
  await matchText(rules, { texts: [text], plain: text, linkCount: 0 }, { ageMs: 0, isOpenApp: true });
  const totalMs = performance.now() - before;
  isDone = true;
  await watch;
  return { totalMs, heldUpMs };
}

/** Prints the time of each pattern on its worst text, and tries which are refused. Returns what is wrong. */
export async function tryPatterns(folder: string): Promise<string[]> {
  const faults: string[] = [];
  console.log('texts of 64 KiB    total ms  held up ms  pattern');
  for (const pattern of hostile) {
    let worst = { name: '', totalMs: 0, heldUpMs: 0 };
    for (const [name, text] of Object.entries(texts)) {
      const { totalMs, heldUpMs } = await timeOf(pattern, text);
      worst = {
        name: totalMs > worst.totalMs ? name : worst.name,
        totalMs: Math.max(totalMs, worst.totalMs),
        heldUpMs: Math.max(heldUpMs, worst.heldUpMs),
      };
    }
    const { name, totalMs, heldUpMs } = worst;
    console.log(
      `  ${name.padEnd(16)}${totalMs.toFixed(1).padStart(9)}${heldUpMs.toFixed(1).padStart(12)}  ${pattern}`,
    );
    if (totalMs > totalMsMax || heldUpMs > heldUpMsMax)
      faults.push(
        `the pattern ${pattern} takes ${totalMs.toFixed(0)} ms and holds up ${heldUpMs.toFixed(0)} ms`,
      );
  }
  return [...faults, ...(await tryRefusals(folder))];
}

async function tryRefusals(folder: string): Promise<string[]> {
  await using community = await startCommunity(mkdtempSync(join(folder, 'patterns-')));
  const { version } = await community.must('GET', '/api/moderation/rules');
  const faults: string[] = [];
  for (const [isTaken, pattern] of [
    ...hostile.map((each) => [true, each] as const),
    ...refused.map((each) => [false, each] as const),
  ]) {
    const rules = [{ name: 'hostile', action: 'hold', pattern }];
    const before = performance.now();
    // An outdated version is a fault as well, so nothing is replaced.
    const { status, body } = await community.call('PUT', '/api/moderation/rules', {
      version: Number(version) + 1,
      rules,
    });
    const ms = performance.now() - before;
    const pointers = ((body['errors'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer);
    const isRefused = pointers.some((pointer) => pointer.startsWith('/rules'));
    if (!isTaken) console.log(`  refused in ${ms.toFixed(1)} ms: ${pattern}`);
    if (status !== 422 || isRefused === isTaken)
      faults.push(`${pattern} is ${isRefused ? 'refused' : 'accepted'}: ${JSON.stringify(body['errors'])}`);
  }
  return faults;
}
