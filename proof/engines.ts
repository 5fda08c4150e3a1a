/**
 * Has every task of the elements be done in three browser engines: `npm run engines -w elements`.
 *
 * Chromium, Firefox ESR and WebKitGTK open pages of another origin under the strictest policy, with the elements of a real
 * server. A guest, users with tokens of a product and a moderator do every task by mouse on a desktop, by touch on a phone,
 * and by keyboard from right to left. Nothing may go wrong in a page meanwhile: no exception, no rejection, nothing on the
 * console, nothing against the policy. In each engine, planted faults must be found.
 *
 * A run of all engines writes what differs into `elements/README.md`. `--only firefox,webkit` chooses engines. It installs nothing: where a program is missing it says what to install, and exits with
 * 1. The libraries that drive the browsers are those of this folder: `npm ci --prefix proof`.
 */

import { existsSync } from 'node:fs';
import { exitWithoutPrograms } from 'confab-testing/harness/programs.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';

const flags = readFlags({ only: '' });
exitWithoutPrograms(
  {
    chromium: {},
    firefox: { 'firefox-esr': 'firefox-esr' },
    webkit: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
  },
  flags.only,
);
if (!existsSync(new URL('node_modules/puppeteer-core', import.meta.url))) {
  console.error('the libraries that drive the browsers are not installed: npm ci --prefix proof');
  process.exit(1);
}
const { runEngine, starts } = await import('./engines/run.ts');
const { keepTable, tableOf } = await import('./engines/table.ts');

const suite = new Suite('engines');
const found: Awaited<ReturnType<typeof runEngine>>[] = [];
const parts = Object.entries(starts).map(
  ([name, start]) => [name, async () => void found.push(await runEngine(suite, start))] as const,
);

async function table(): Promise<void> {
  const rows = tableOf(found);
  console.log(`\n${rows}\n`);
  if (found.length === parts.length) keepTable(rows);
}

const only = flags.only === '' ? '' : `${flags.only},table`;
await suite.run({ ...Object.fromEntries(parts), table }, only);
