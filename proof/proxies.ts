/**
 * Runs the configurations of docs/proxy.md: `npx node proof/proxies.ts`.
 *
 * It takes the configuration of each proxy from the page and replaces only addresses, ports, the host name and the files
 * of the certificate, which it makes. Behind TLS, each proxy then stands in front of a server and has to do what the page
 * says: the lines of its table, live connections, limits by address, links, files of nearly the largest size, quiet
 * connections, two nodes on PostgreSQL of which one after the other is killed, and with nginx a cache. Prints a table of
 * checks and proxies. `--only` chooses proxies, as in `--only nginx,caddy`.
 *
 * It installs nothing: where a program is missing it says what to install, and exits with 1. So it does where a check
 * fails, and then keeps the folder of the run with the logs. It needs Linux, where every address in 127.0.0.0/8 is there.
 */

import { chmodSync } from 'node:fs';
import { exitWithoutPrograms } from 'confab-testing/harness/programs.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { startCluster } from 'confab-testing/nodes/cluster.ts';
import { checkCallers, checkFiles, checkPages, checkRefusals } from './proxies/cache.ts';
import { makeCertificate } from './proxies/certificate.ts';
import { checkGone, checkHub, checkStream } from './proxies/check-live.ts';
import {
  checkHttp2,
  checkLargeFile,
  checkLimits,
  checkLinks,
  checkPaths,
  checkSession,
  checkTags,
  checkTooLarge,
} from './proxies/check-requests.ts';
import { checkKilledNode, checkSticky, startNodes } from './proxies/nodes.ts';
import { type Cache, type ProxyName, proxyPackages } from './proxies/page.ts';
import { versionOf } from './proxies/proxy.ts';
import { checkQuiet } from './proxies/quiet.ts';
import { checkChanges, checkCredentials, checkForms } from './proxies/visitor-cache.ts';
import { type Ground, startWorld, type World } from './proxies/world.ts';

const { only } = readFlags({ only: '' });
const all = Object.keys(proxyPackages) as ProxyName[];
const chosen = all.filter((name) => only === '' || only.split(',').includes(name));
exitWithoutPrograms(
  Object.fromEntries(all.map((name) => [name, { [name]: proxyPackages[name], openssl: 'openssl' }])),
  only,
);
const versions = new Map(chosen.map((name) => [name, versionOf(name)]));

/** The checks of one server behind a proxy, in the order of the table. */
const checks: { readonly [name: string]: (world: World) => Promise<string> } = {
  'HTTP/2': checkHttp2,
  'links and pages': checkLinks,
  'paths as sent': checkPaths,
  'limits, forged header': checkLimits,
  '304 and If-Match': checkTags,
  'session of the console': checkSession,
  '49 MiB up and down': checkLargeFile,
  '52 MiB refused': checkTooLarge,
  'event stream': checkStream,
  'hub, WebSocket': (world) => checkHub(world, 'WebSockets'),
  'hub, server-sent': (world) => checkHub(world, 'ServerSentEvents'),
  'hub, long polling': (world) => checkHub(world, 'LongPolling'),
  'gone clients': checkGone,
};
/** Those of what the cache of the page keeps for people without a credential. */
const visitorChecks: typeof checks = {
  'visitors, changes': checkChanges,
  'visitors, credentials': checkCredentials,
  'visitors, forms': checkForms,
};
/** The checks of a cache in front of everything. */
const cacheChecks: typeof checks = {
  'callers never mixed': checkCallers,
  'signed files': checkFiles,
  'public pages': checkPages,
  'refusals, console': checkRefusals,
};

const suite = new Suite('proxies');
// nginx changes to a user of its own, unless root runs the suite.
chmodSync(suite.folder, 0o755);
const rows = new Map<string, Map<string, string>>();

/** Runs one check, and notes what it found in the column of a proxy. */
async function note(column: string, row: string, check: () => Promise<string>): Promise<void> {
  const begun = performance.now();
  let figure: string;
  try {
    figure = await check();
  } catch (error) {
    figure = 'FAILED';
    suite.fail(`${column}: ${row}`, [
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    ]);
  }
  rows.set(row, (rows.get(row) ?? new Map<string, string>()).set(column, figure));
  console.log(`${column}, ${row}: ${figure} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}

async function withWorld(
  ground: Ground,
  name: ProxyName,
  cache: Cache | undefined,
  run: typeof checks,
): Promise<void> {
  const world = await startWorld(name, ground, cache);
  const column = cache === undefined ? name : `${name}, ${cache}`;
  try {
    for (const [row, check] of Object.entries(run)) await note(column, row, () => check(world));
  } finally {
    await world.stop();
  }
}

/** A minute without traffic, of all proxies at once. */
async function quiet(ground: Ground): Promise<void> {
  await Promise.all(
    chosen.map(async (name) => {
      const found = checkQuiet(name, ground);
      await note(name, 'quiet for 68 s', async () => (await found).live);
      await note(name, 'idle connections', async () => (await found).idle);
    }),
  );
}

async function severalNodes(ground: Ground, name: ProxyName): Promise<void> {
  await using cluster = await startCluster();
  const nodes = await startNodes(name, ground, cluster.url);
  await note(name, 'two nodes, polling', () => checkSticky(nodes));
  await note(name, 'two nodes, each killed', () => checkKilledNode(nodes));
  await nodes.stop();
}

function printTable(): void {
  const columns = [...new Set([...rows.values()].flatMap((row) => [...row.keys()]))];
  console.log(
    `\n| | ${columns.map((name) => `${name} ${versions.get(name as ProxyName) ?? ''}`.trim()).join(' | ')} |`,
  );
  console.log(`|---|${columns.map(() => '---|').join('')}`);
  for (const [row, figures] of rows)
    console.log(`| ${row} | ${columns.map((column) => figures.get(column) ?? '').join(' | ')} |`);
}

async function run(): Promise<void> {
  const ground = { folder: suite.folder, certificate: makeCertificate(suite.folder) };
  const cached = chosen.includes('nginx');
  for (const name of chosen) await withWorld(ground, name, undefined, checks);
  if (cached) await withWorld(ground, 'nginx', 'cache', { ...checks, ...visitorChecks });
  if (cached) await withWorld(ground, 'nginx', 'cache of everything', cacheChecks);
  // Nothing happens in front of the quiet servers, so they do not disturb the others.
  const quietly = quiet(ground);
  for (const name of chosen) await severalNodes(ground, name);
  await quietly;
  printTable();
}

await suite.run({ run });
