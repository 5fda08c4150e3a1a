import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { writeFiles } from './files.ts';
import { guideFile, style } from './guide.ts';
import { answers, startProgram } from './program.ts';
import type { Addresses } from './world.ts';

/** The themes that the site is shown in: one of blocks, and a classic one. */
export const themes = ['twentytwentythree', 'twentytwentyone'] as const;

/** A WordPress whose comments are those of the guide. */
export type WordPress = AsyncDisposable & {
  /** Its version and that of PHP. */
  readonly version: string;
  /** How many links have the uid that the server gives them. */
  readonly linksCount: number;
  /** Shows the site in a theme. */
  show(theme: (typeof themes)[number]): void;
  /** Lines about the plugin in the log of PHP. */
  faults(): string[];
};

/** The file of settings; the database listens on a socket of its folder alone. */
const settings = (site: string, socket: string) => `<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', '${site}');
define('WP_SITEURL', '${site}');
define('WP_DEBUG', true);
define('WP_DEBUG_DISPLAY', false);
define('WP_DEBUG_LOG', __DIR__ . '/debug.log');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

/** The paths of the two posts for a theme. */
export function postsOf(theme: string): { readonly first: string; readonly second: string } {
  const year = new Date().getUTCFullYear();
  return { first: `/${year}/first-${theme}/`, second: `/${year}/%E6%97%A5%E6%9C%AC-${theme}/` };
}

/**
 * Installs a copy of the WordPress that is in `from` in a folder, with a database and posts of its own and the plugin of the guide,
 * and serves it at the address of the site. Fails where the plugin makes another uid of a link than the server does.
 */
export async function startWordPress(folder: string, from: string, addresses: Addresses): Promise<WordPress> {
  const { site } = addresses;
  for (const theme of themes)
    if (!existsSync(join(from, 'wp-content/themes', theme)))
      throw new Error(`WordPress has no such theme: apt-get install wordpress-theme-${theme}`);
  await using starting = new AsyncDisposableStack();
  const [root, socket] = [join(folder, 'site'), join(folder, 'db.sock')];
  cpSync(from, root, { recursive: true, dereference: true });
  writeFiles(root, {
    'wp-config.php': settings(site, socket),
    'style.css': style,
    'wp-content/plugins/confab/confab.php': guideFile('confab.php', 'php', addresses),
    'wp-content/plugins/confab/comments.php': guideFile('comments.php', 'php', addresses),
  });
  starting.use(await startDatabase(folder, socket));
  const setUp = (...args: string[]) => php(join(import.meta.dirname, 'wordpress.php'), root, ...args);
  setUp();
  const uids = JSON.parse(setUp(...themes)) as [link: string, uid: string][];
  assert.ok(uids.length > 20, `${uids.length} links`);
  for (const [link, uid] of uids) assert.equal(uid, pageUid(link), link);
  const address = new URL(site).host;
  starting.use(
    await startProgram({
      command: ['php', '-S', address, '-t', root],
      folder: root,
      log: join(folder, 'php.log'),
      isReady: () => answers(site),
    }),
  );
  const running = starting.move();
  const load = `require '${root}/wp-load.php';`;
  return {
    version: php('-r', `${load} echo 'WordPress ', $wp_version, ' with PHP ', PHP_VERSION;`),
    linksCount: uids.length,
    show: (theme) => void php('-r', `${load} switch_theme('${theme}');`),
    faults: () => linesAbout('plugins/confab', join(root, 'debug.log')),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function php(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('php', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`php ${args.join(' ')} failed: ${stdout}${stderr}`);
  return stdout;
}

function linesAbout(what: string, log: string): string[] {
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  return text.split('\n').filter((line) => line.includes(what));
}

async function startDatabase(folder: string, socket: string): Promise<AsyncDisposable> {
  const data = join(folder, 'db');
  mkdirSync(data);
  // A server of root has to be told so.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...user],
    { stdio: 'ignore' },
  );
  const client = ['--no-defaults', `--socket=${socket}`, '--user=root'];
  const started = await startProgram({
    command: [
      'mariadbd',
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socket}`,
      '--skip-networking',
      ...user,
    ],
    folder,
    log: join(folder, 'db.log'),
    isReady: async () => spawnSync('mariadb', [...client, '--execute=select 1']).status === 0,
  });
  execFileSync('mariadb', [...client, '--execute=create database wordpress character set utf8mb4']);
  return started;
}

/** Fails where a post shows comments that needs a password, or that takes none. */
export async function checkClosed(site: string): Promise<string> {
  const year = new Date().getUTCFullYear();
  for (const [name, title] of Object.entries({ protected: 'Protected', closed: 'Closed' })) {
    const answer = await fetch(`${site}/${year}/${name}/`);
    const text = await answer.text();
    assert.equal(answer.status, 200);
    assert.match(text, new RegExp(`<h1[^>]*>[^<]*${title}`));
    assert.doesNotMatch(text, /<confab-comments/);
  }
  return 'no comments';
}
