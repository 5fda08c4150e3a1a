/**
 * Finds quotes again in texts that have changed, beside what others use, and measures how long a page takes:
 * `npm run places -w elements`.
 *
 * - `generated`: the corpus of the tests (`elements/test/annotations/corpus.ts`), a thousand quotes for each of `--seeds`, in
 *   revisions of which it is known where each character went.
 * - `revisions`: two real revisions of texts of the public domain, `--quotes` of each of ten books, where the number of the verse
 *   says where a quote has to be found. `--seed` draws them.
 * - `speed`: 200 threads in a page of 20,000 words, in Chromium with a fourth of the processor: how long it takes from when the
 *   threads have arrived until all are marked, and the longest task meanwhile, with the page as it was and with an edited one.
 *   `--rounds`, and `--profile FOLDER` for a processor profile of each round.
 *
 * `--only` chooses parts. Beside the element run the client of Hypothesis, Apache Annotator in Chromium and
 * `dom-anchor-text-quote`, unmodified from npm; they and the texts are those of this folder: `npm ci --prefix proof`. Each
 * quote that the element placed wrongly is printed. The run fails where the element finds fewer than the better of the others,
 * where it places a quote wrongly, and where placing takes longer than its aim.
 */

import { existsSync } from 'node:fs';
import { machine } from 'confab-testing/harness/figures.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';

if (!existsSync(new URL('node_modules/hypothesis', import.meta.url))) {
  console.error('the texts and the other programs are not installed: npm ci --prefix proof');
  process.exit(1);
}
const { findGenerated, findRevised } = await import('./places/finding.ts');
const { measureSpeed } = await import('./places/page-speed.ts');

const flags = readFlags({
  only: '',
  seeds: '53,101,102,103,104,105',
  seed: 7,
  quotes: 100,
  rounds: 5,
  profile: '',
});
const suite = new Suite('places');
console.log(machine());
await suite.run(
  {
    generated: () => findGenerated(suite, flags.seeds.split(',').map(Number)),
    revisions: () => findRevised(suite, { seed: flags.seed, quotesInBook: flags.quotes }),
    speed: () => measureSpeed(suite, flags),
  },
  flags.only,
);
