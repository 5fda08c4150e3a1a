/**
 * Checks the configuration files of the repository, and those that the guides print, with the programs that read them:
 * `npx node proof/configs.ts`.
 *
 * - `unit`: `systemd-analyze` finds no mistake in confab.service, and rates its exposure within a bound.
 * - `sandbox`: the server works within the limits of the unit: its system calls, families of sockets, capabilities and
 *   read-only files. It needs a C compiler. A limit that would break the server must show.
 * - `alerts`: `promtool` reads the rules, and each alert rings when it should and else is quiet.
 * - `scrape`: `promtool` reads the configuration of the guide, and the metrics of a running server.
 *
 * What needs no program is in `server/test/once/package/configuration-files.test.ts`. `--only` chooses parts. It installs nothing:
 * where a program is missing it says what to install, and exits with 1.
 */

import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { exitWithoutPrograms } from 'confab-testing/harness/programs.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { root } from 'confab-tools/places.ts';
import { alertCases, alertTests, testedAlerts } from './configs/alerts.ts';
import type { Plant } from './configs/sandbox.ts';
import { checkSandboxed } from './configs/sandboxed-server.ts';
import { readUnit } from './configs/unit.ts';

/** The worst exposure of the unit, in tenths: 0 is none, 100 the most. */
const exposureMax = 12;

/** Metrics that every Node program reports by these names, against the rule for names. */
const namedByOthers = /^nodejs_active_\w+_total /;

const { only } = readFlags({ only: '' });
/** The programs of each part, and the packages of Debian that have them. */
const programs = {
  unit: { 'systemd-analyze': 'systemd' },
  sandbox: { 'systemd-analyze': 'systemd', cc: 'gcc', unshare: 'util-linux', setpriv: 'util-linux' },
  alerts: { promtool: 'prometheus' },
  scrape: { promtool: 'prometheus' },
} as const;
exitWithoutPrograms(programs, only);
const suite = new Suite('configs');

/** Runs a program; returns what it says, or undefined after a failure, which it reports. */
function run(program: string, args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: suite.folder });
  if (status === 0) return stdout + stderr;
  suite.fail(`${program} ${args.join(' ')} exits with ${status}`, (stdout + stderr).trim().split('\n'));
  return undefined;
}

async function unit(): Promise<void> {
  const file = join(suite.folder, 'confab.service');
  // What it starts must exist.
  const text = readFileSync(join(root, 'confab.service'), 'utf8');
  writeFileSync(file, text.replace('ExecStart=confab ', `ExecStart=${process.execPath} `));
  const found = run('systemd-analyze', ['verify', file]);
  if (found !== undefined && found !== '')
    suite.fail('systemd finds mistakes in confab.service', found.split('\n'));
  const rated = run('systemd-analyze', ['security', '--offline=true', `--threshold=${exposureMax}`, file]);
  const level = /exposure level for \S+: ([\d.]+)/.exec(rated ?? '')?.[1];
  console.log(`confab.service: no mistakes, exposure ${level} of 10 (at most ${exposureMax / 10})`);
}

async function sandbox(): Promise<void> {
  const limits = readUnit(join(root, 'confab.service'));
  const found = await checkSandboxed(limits, join(suite.folder, 'sound'));
  console.log(`within its limits: ${found.calls} system calls; ${found.done.join(', ')}`);
  const plants: Record<string, Plant> = {
    'AF_NETLINK missing': { withoutFamily: 'AF_NETLINK' },
    MemoryDenyWriteExecute: { deniesExecutableMemory: true },
  };
  for (const [name, plant] of Object.entries(plants)) {
    const fault = await checkSandboxed(
      limits,
      join(suite.folder, `plant-${name.replaceAll(' ', '-')}`),
      plant,
    ).then(
      () => undefined,
      (error: Error) => error.message,
    );
    suite.planted(name, fault);
  }
}

async function alerts(): Promise<void> {
  const [rules, tests] = [join(suite.folder, 'alerts.yml'), join(suite.folder, 'alerts.test.yml')];
  copyFileSync(join(root, 'docs/monitoring/alerts.yml'), rules);
  writeFileSync(tests, alertTests(rules));
  run('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', rules]);
  const names = [...readFileSync(rules, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const untested = names.filter((name) => !testedAlerts.includes(name));
  if (untested.length > 0) suite.fail('alerts have no test', untested);
  if (run('promtool', ['test', 'rules', tests]) !== undefined)
    console.log(`${names.length} alerts, right in ${alertCases.length} cases`);
}

async function scrape(): Promise<void> {
  const server = await startConfab({ folder: join(suite.folder, 'scraped') });
  const page = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.key}` } });
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    encoding: 'utf8',
    input: await page.text(),
  });
  const faults = (stdout + stderr)
    .trim()
    .split('\n')
    .filter((line) => line !== '' && !namedByOthers.test(line));
  if (faults.length > 0) suite.fail('promtool finds faults in the metrics of a server', faults);
  await server.stop();
  const [key, rules] = [join(suite.folder, 'confab.key'), join(suite.folder, 'alerts.yml')];
  writeFileSync(key, server.key);
  copyFileSync(join(root, 'docs/monitoring/alerts.yml'), rules);
  const file = join(suite.folder, 'prometheus.yml');
  const printed = readGuide('monitoring.md').codeIn('yaml').join('\n');
  const text = printed
    .replace('/etc/prometheus/confab.key', key)
    .replace('/etc/prometheus/confab-alerts.yml', rules);
  writeFileSync(file, text);
  if (run('promtool', ['check', 'config', file]) !== undefined)
    console.log('the configuration of the guide and the metrics of a server: no mistakes');
}

await suite.run({ unit, sandbox, alerts, scrape }, only);
