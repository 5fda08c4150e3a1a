/**
 * Follows the guides of docs/elements.md for sites that are built on a server: `npx node proof/guides.ts`.
 *
 * It takes the code from the page, replaces only the addresses, and builds a site of two posts with each tool. The site is
 * of another origin than the server, which has the settings that the page names and asks guests for no puzzle. A browser then opens it:
 *
 * - `without script` the comments are there, or a link leads to them.
 * - `taken over`: with script, no frame shows a comment too few or too many, and nothing moves (layout shift 0).
 * - `comments`: a guest writes on a page with comments, and on one that nobody has opened, whose
 *   address has what a uid spells in another way.
 * - `drawn again`: without script, what the guest wrote is there as well once the site is built again.
 * - `link`: with Next, which shows another page without loading one, the comments follow.
 * - `closed posts`: with WordPress, a post with a password and one that takes no comments show none.
 *
 * `--only` chooses tools, as in `--only hugo`, and `--wordpress` another folder of WordPress than that of Debian. It installs
 * nothing on the machine: where a program is missing it says what to install, and exits with 1. So it does where a check
 * fails, and then keeps the folder of the run.
 */

import { join } from 'node:path';
import { launchBrowser } from 'confab-testing/browser/browser.ts';
import { exitWithoutPrograms } from 'confab-testing/harness/programs.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import type { Browser } from 'playwright-core';
import { makeAstro } from './guides/astro.ts';
import { makeEleventy } from './guides/eleventy.ts';
import { startFolderHost } from './guides/folder-host.ts';
import { buildHugo, hugoVersion, makeHugo } from './guides/hugo.ts';
import { makeNext, nextPages } from './guides/next.ts';
import { type Packages, packPackages } from './guides/packages.ts';
import { answers, startProgram } from './guides/program.ts';
import {
  followLink,
  readLater,
  readWithoutScript,
  type Site,
  takeOver,
  type Visit,
  write,
} from './guides/visits.ts';
import { checkClosed, postsOf, startWordPress, themes } from './guides/wordpress.ts';
import { type Addresses, startServerFor, staticPages, writeComments } from './guides/world.ts';

const flags = readFlags({ only: '', wordpress: '/usr/share/wordpress' });
/** The programs of each part, and the packages of Debian that have them; the others come from npm. */
const programs = {
  eleventy: {},
  next: {},
  astro: {},
  hugo: { hugo: 'hugo' },
  wordpress: {
    'wp-setup': 'wordpress wordpress-theme-twentytwentyone wordpress-theme-twentytwentythree',
    mariadbd: 'mariadb-server',
    php: 'php-cli',
  },
} as const;
exitWithoutPrograms(programs, flags.only);
const suite = new Suite('guides');

const checks = {
  'without script': readWithoutScript,
  'taken over': takeOver,
  comments: write,
  'drawn again': readLater,
};

/** Runs a part or a check of one, whose failure leaves the others to run. */
async function attempt(what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    suite.fail(what, [error instanceof Error ? (error.stack ?? error.message) : `${error}`]);
  }
}

/** Runs one check and prints what it found. */
async function check(what: string, run: () => Promise<string>): Promise<void> {
  await attempt(what, async () => console.log(`${what}: ${await run()}`));
}

async function visit(name: string, visiting: Visit): Promise<void> {
  for (const [what, run] of Object.entries(checks)) await check(`${name}, ${what}`, () => run(visiting));
}

/** What is the same for the sites of all tools that build files. */
type Made = {
  readonly version: string;
  readonly without: Site['without'];
  /** Builds the files into the folder that is served. */
  readonly build: () => Promise<unknown>;
};

/** Makes a site that is built once, and visits it. `output` is the folder of its files, below that of the tool. */
async function visitStatic(
  { tool, output, browser }: { readonly tool: string; readonly output: string; readonly browser: Browser },
  make: (folder: string, addresses: Addresses) => Promise<Made>,
): Promise<void> {
  const folder = join(suite.folder, tool);
  await using host = await startFolderHost(join(folder, output));
  await using server = await startServerFor(host.url, join(suite.folder, `${tool}-data`));
  await writeComments(server, host.url + staticPages.first);
  const { version, without, build } = await make(folder, { site: host.url, server: server.url });
  await build();
  await visit(version, { browser, server, site: { url: host.url, ...staticPages, without, draw: build } });
}

/** Nothing has to be built again where each page is drawn for its reader. */
const drawsForEach = async () => undefined;

/** Without the style of the guide, the end of the page moves, which must show. */
async function plantShift(browser: Browser): Promise<void> {
  const folder = join(suite.folder, 'hugo-planted');
  await using host = await startFolderHost(join(folder, 'public'));
  await using server = await startServerFor(host.url, join(suite.folder, 'hugo-planted-data'));
  const site: Site = { url: host.url, ...staticPages, without: 'link', draw: drawsForEach };
  await writeComments(server, site.url + site.first);
  makeHugo(folder, { site: host.url, server: server.url }, '');
  buildHugo(folder);
  const found = await takeOver({ browser, server, site }).then(
    () => undefined,
    (error: Error) => /FOOTER/.exec(error.message)?.[0],
  );
  suite.planted('no place is kept', found);
}

async function hugo(browser: Browser): Promise<void> {
  await visitStatic({ tool: 'hugo', output: 'public', browser }, async (folder, addresses) => {
    makeHugo(folder, addresses);
    return { version: hugoVersion(), without: 'link', build: async () => buildHugo(folder) };
  });
  await plantShift(browser);
}

async function astro(browser: Browser): Promise<void> {
  await visitStatic({ tool: 'astro', output: 'dist', browser }, async (folder, addresses) => {
    const project = await makeAstro(folder, await packages(), addresses);
    const version = `Astro ${await project.versionOf('astro')}`;
    return { version, without: 'comments', build: () => project.run('astro', 'build') };
  });
}

async function wordpress(browser: Browser): Promise<void> {
  const folder = join(suite.folder, 'wordpress');
  const url = `http://127.0.0.1:${await freePort()}`;
  await using server = await startServerFor(url, join(folder, 'data'));
  await using site = await startWordPress(folder, flags.wordpress, { site: url, server: server.url });
  console.log(`${site.version}: ${site.linksCount} links, each with the uid that the server gives it`);
  for (const theme of themes) {
    const posts = postsOf(theme);
    await writeComments(server, url + posts.first);
    site.show(theme);
    const name = `${site.version}, ${theme}`;
    await visit(name, { browser, server, site: { url, ...posts, without: 'link', draw: drawsForEach } });
    await check(`${name}, closed posts`, () => checkClosed(url));
  }
  const faults = site.faults();
  if (faults.length > 0) suite.fail('PHP reports faults of the plugin', faults);
}

async function eleventy(browser: Browser): Promise<void> {
  await visitStatic({ tool: 'eleventy', output: '_site', browser }, async (folder, addresses) => {
    const project = await makeEleventy(folder, await packages(), addresses);
    const version = `Eleventy ${await project.versionOf('@11ty/eleventy')}`;
    return { version, without: 'comments', build: () => project.run('eleventy') };
  });
}

async function next(browser: Browser): Promise<void> {
  const folder = join(suite.folder, 'next');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await using server = await startServerFor(url, join(suite.folder, 'next-data'));
  await writeComments(server, url + nextPages.first);
  const project = await makeNext(folder, await packages(), { site: url, server: server.url });
  await project.run('next', 'build');
  await using _ = await startProgram({
    command: [join(folder, 'node_modules/.bin/next'), 'start', '-H', '127.0.0.1', '-p', `${port}`],
    folder,
    env: project.env,
    log: join(suite.folder, 'next.log'),
    isReady: () => answers(url),
  });
  const site: Site = { url, ...nextPages, without: 'comments', draw: drawsForEach };
  const version = `Next ${await project.versionOf('next')}`;
  await visit(version, { browser, server, site });
  await check(`${version}, link`, () => followLink({ browser, server, site }));
}

let packed: Promise<Packages> | undefined;

/** The packages of this checkout, which are packed once. */
function packages(): Promise<Packages> {
  packed ??= packPackages(join(suite.folder, 'packages'));
  return packed;
}

const parts = { eleventy, next, astro, hugo, wordpress };
await using browser = await launchBrowser();
await suite.run(
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, () => attempt(name, () => part(browser))]),
  ),
  flags.only,
);
