/**
 * Follows the guides of docs/elements.md for sites that are built on a server: `npm run test:guides`.
 *
 * It takes the code from the page, replaces only the addresses, and builds a site of two posts with each tool. The site is
 * of another origin than the server, which has only the settings that the page names. A browser then opens it:
 *
 * - `without script` the comments are there, or a link leads to them.
 * - `taken over`: with script, no frame shows a comment too few or too many, and nothing moves (layout shift 0).
 * - `comments`: a guest writes on a page with comments, and on one that nobody has opened, whose name is not plain ASCII.
 *
 * `--only` chooses tools, as in `--only hugo`. It installs nothing on the machine: where a program is missing it says
 * what to install, and exits with 1. So it does where a check fails, and then keeps the folder of the run.
 */

import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/browser/browser.ts';
import { startFolderHost } from './guides/folder-host.ts';
import { buildHugo, hugoPages, hugoVersion } from './guides/hugo.ts';
import { readWithoutScript, type Site, takeOver, type Visit, write } from './guides/visits.ts';
import { startServerFor, writeComments } from './guides/world.ts';
import { exitWithoutPrograms } from './harness/programs.ts';
import { readFlags, Suite } from './harness/suite.ts';

const { only } = readFlags({ only: '' });
const programs = { hugo: { hugo: 'hugo' } } as const;
exitWithoutPrograms(programs, only);
const suite = new Suite('guides');

const checks = { 'without script': readWithoutScript, 'taken over': takeOver, comments: write };

async function visit(name: string, visiting: Visit): Promise<void> {
  for (const [what, check] of Object.entries(checks)) {
    try {
      console.log(`${name}, ${what}: ${await check(visiting)}`);
    } catch (error) {
      suite.fail(`${name}, ${what}`, [error instanceof Error ? (error.stack ?? error.message) : `${error}`]);
    }
  }
}

async function hugo(browser: Browser): Promise<void> {
  const folder = join(suite.folder, 'hugo');
  await using host = await startFolderHost(join(folder, 'public'));
  await using server = await startServerFor(host.url, join(folder, 'data'));
  const site: Site = { url: host.url, ...hugoPages, without: 'link' };
  await writeComments(server, site.url + site.first);
  buildHugo(folder, { site: host.url, server: server.url });
  await visit(hugoVersion(), { browser, server, site });
}

const parts = { hugo };
const browser = await launchBrowser();
await suite.run(
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, () => part(browser)])),
  only,
);
await browser.close();
