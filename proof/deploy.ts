/**
 * Tries the files of `deploy/`: `npx node proof/deploy.ts`.
 *
 * - `chart`: renders the Helm chart with Go's own templates, for values that work and for values that it must refuse, and
 *   checks that the objects fit together and that the server takes their settings. Planted mistakes must be found.
 * - `haproxy`: HAProxy reads the configuration of the Compose file.
 * - `shell`: shellcheck reads the scripts, and nginx the configuration of the package for YunoHost.
 * - `nodes`: runs the processes of the Compose file on this machine: two nodes on one PostgreSQL behind HAProxy, with
 *   live connections, a node that stops, and a backup that is restored.
 *
 * What needs no program is in `server/test/once/package/deploy`. `--only` chooses parts. It installs nothing: where a program is
 * missing it says what to install, and exits with 1.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithoutPrograms, programPath } from 'confab-testing/harness/programs.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { root } from 'confab-tools/places.ts';
import { buildRenderer, checkCase, render } from './deploy/chart.ts';
import { chartCases, chartPlants } from './deploy/chart-cases.ts';
import { checkNodes } from './deploy/nodes.ts';
import { proxyFor } from './deploy/proxy.ts';

const { only } = readFlags({ only: '' });
/** The programs of each part, and the packages of Debian that have them. */
const programs = {
  chart: { go: 'golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev' },
  haproxy: { haproxy: 'haproxy' },
  shell: { shellcheck: 'shellcheck', nginx: 'nginx' },
  nodes: {
    haproxy: 'haproxy',
    pg_dump: 'postgresql-client',
    pg_restore: 'postgresql-client',
    psql: 'postgresql-client',
  },
} as const;
exitWithoutPrograms(programs, only);
const suite = new Suite('deploy');

type Ran = { readonly status: number | null; readonly said: string };

function run(program: string, args: readonly string[]): Ran {
  const env = { ...process.env, PATH: programPath };
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: suite.folder, env });
  return { status, said: (stdout + stderr).trim() };
}

/** Fails the suite unless a program exits with 0. */
function expectGood(program: string, args: readonly string[]): void {
  const { status, said } = run(program, args);
  if (status !== 0) suite.fail(`${program} ${args.join(' ')} exits with ${status}`, said.split('\n'));
}

/** The first fault of the cases of a chart. */
function faultOf(renderer: string, chart: string, folder: string): string | undefined {
  const cases = Object.entries(chartCases);
  try {
    const results = render(
      renderer,
      chart,
      cases.map(([, { values }]) => values),
    );
    for (const [n, [name, one]] of cases.entries()) {
      const result = results[n] ?? assert.fail('not rendered');
      try {
        checkCase(one, result, folder);
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function chart(): Promise<void> {
  const own = join(root, 'deploy/helm/confab');
  const folder = join(suite.folder, 'chart');
  mkdirSync(folder);
  const renderer = buildRenderer(folder);
  const fault = faultOf(renderer, own, folder);
  if (fault !== undefined) suite.fail('the chart', fault.split('\n'));
  console.log(`the chart: ${Object.keys(chartCases).length} cases`);
  for (const [name, [file, from, to]] of Object.entries(chartPlants)) {
    const copy = join(folder, name.replaceAll(' ', '-'));
    cpSync(own, copy, { recursive: true });
    const path = join(copy, 'templates', file);
    const text = readFileSync(path, 'utf8');
    assert.equal(text.split(from).length, 2, `${file} has "${from}" once`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    suite.planted(name, faultOf(renderer, copy, folder)?.replaceAll(/\s+/g, ' '));
  }
}

async function haproxy(): Promise<void> {
  const file = join(suite.folder, 'haproxy.cfg');
  writeFileSync(file, proxyFor({ errorFile: join(root, 'docs/ha/unavailable.http') }));
  expectGood('haproxy', ['-c', '-f', file]);
  const wrong = join(suite.folder, 'wrong.cfg');
  writeFileSync(wrong, readFileSync(file, 'utf8').replace('balance source', 'balance sauce'));
  const { status, said } = run('haproxy', ['-c', '-f', wrong]);
  suite.planted('a word that HAProxy does not know', status === 0 ? undefined : said.split('\n')[0]);
  console.log('haproxy.cfg: read by HAProxy');
}

async function shell(): Promise<void> {
  const yunohost = join(root, 'deploy/yunohost');
  const bash = globSync(`${yunohost}/scripts/*`);
  const plain = [...globSync(join(root, 'deploy/compose/*.sh')), join(yunohost, 'conf/confab.sh')];
  assert.ok(bash.length === 6 && plain.length === 3);
  // The scripts read the helpers of YunoHost, which are not here, and get their variables from them.
  expectGood('shellcheck', ['--shell=bash', '--exclude=SC1091,SC2154', ...bash]);
  expectGood('shellcheck', ['--shell=sh', ...plain]);
  const location = readFileSync(join(yunohost, 'conf/nginx.conf'), 'utf8').replaceAll('__PORT__', '8095');
  const site = join(suite.folder, 'nginx.conf');
  writeFileSync(
    site,
    `pid ${suite.folder}/pid;\nevents {}\nhttp {\nserver {\nlisten 127.0.0.1:8096;\n${location}}\n}\n`,
  );
  expectGood('nginx', ['-t', '-e', 'stderr', '-p', suite.folder, '-c', site]);
  console.log(`${bash.length + plain.length} scripts: read by shellcheck; nginx.conf: read by nginx`);
}

async function nodes(): Promise<void> {
  for (const line of await checkNodes(suite.folder)) console.log(line);
}

await suite.run({ chart, haproxy, shell, nodes }, only);
