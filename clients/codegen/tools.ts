/**
 * Tests the client libraries of `clients/` against a running server: `npx node clients/codegen/tools.ts`.
 *
 * Each library gets a server of its own. Its types and its format are checked, then its tests run, and then the figures
 * of the server must say that every operation of the specification has succeeded at least once. `--only` chooses
 * libraries, as in `--only go`. It installs nothing: where a toolchain is missing it says what to install, and exits with
 * 1. So it does where a check fails, and then keeps the folder of the server.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { exitWithoutPrograms, programPath } from 'confab-testing/harness/programs.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { root as project } from 'confab-tools/places.ts';

const { only } = readFlags({ only: '' });
exitWithoutPrograms(
  {
    python: { python3: 'python3', mypy: 'mypy' },
    go: { go: 'golang-go', gofmt: 'golang-go' },
  },
  only,
);
const suite = new Suite('clients');
const root = join(project, 'clients');

type Command = {
  /** What it checks. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Whether it passes only without a word, and not by its exit code. */
  readonly isSilent?: boolean;
};

type Library = { readonly name: string; readonly commands: readonly Command[] };

const python: Library = {
  name: 'python',
  commands: [
    { name: 'version', program: 'python3', args: ['--version'] },
    { name: 'types', program: 'mypy', args: ['--cache-dir', join(suite.folder, 'mypy'), 'src', 'tests'] },
    { name: 'tests', program: 'python3', args: ['-W', 'error', '-m', 'unittest', 'discover', '-t', '.'] },
  ],
};

const go: Library = {
  name: 'go',
  commands: [
    { name: 'version', program: 'go', args: ['version'] },
    { name: 'format', program: 'gofmt', args: ['-l', '.'], isSilent: true },
    { name: 'vet', program: 'go', args: ['vet', './...'] },
    { name: 'tests', program: 'go', args: ['test', '-count=1', './...'] },
  ],
};

type Server = { readonly url: string; readonly key: string };

/** Runs a command in the folder of its library; resolves to what it printed and whether it passed. */
async function run(library: string, { program, args, isSilent }: Command, { url, key }: Server) {
  const child = spawn(program, args, {
    cwd: join(root, library),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: programPath,
      CONFAB_URL: url,
      CONFAB_KEY: key,
      PYTHONPATH: 'src',
      PYTHONDONTWRITEBYTECODE: '1',
      // The library has no dependencies, so nothing may be fetched.
      GOPROXY: 'off',
      GOFLAGS: '-mod=mod',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  });
  return { said: said.trim(), isGood: isSilent === true ? said === '' : code === 0 };
}

/** The operations that have succeeded at a server. */
async function succeeded({ url, key }: Server): Promise<ReadonlySet<string>> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  if (answer.status !== 200)
    throw new Error(`the server answered ${answer.status} to a request for its figures`);
  const rows = [...(await answer.text()).matchAll(/^confab_http_requests_total\{([^}]*)\} [1-9]/gm)];
  const good = rows.map(([, labels = '']) => labels).filter((labels) => /status="2/.test(labels));
  return new Set(good.map((labels) => /operation="(\w+)"/.exec(labels)?.[1] ?? ''));
}

async function check({ name, commands }: Library): Promise<void> {
  await using server = await startConfab({
    folder: join(suite.folder, name),
    // The tests receive deliveries on this machine.
    settings: { CONFAB_EGRESS_ALLOW: '127.0.0.0/8' },
  });
  for (const command of commands) {
    const startedAt = performance.now();
    const { said, isGood } = await run(name, command, server);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (!isGood) {
      console.log(said.replaceAll(/^/gm, '  '));
      return suite.fail(`${name}: ${command.name}`);
    }
    console.log(`${name} ${command.name}: ${said.split('\n').at(-1)?.slice(0, 100)} (${seconds} s)`);
  }
  const called = await succeeded(server);
  const missing = specifiedOperations.map(({ id }) => id).filter((id) => !called.has(id));
  if (missing.length > 0) suite.fail(`${name}: operations that the tests do not call`, missing);
  else
    console.log(
      `${name} operations: all ${specifiedOperations.length} of the specification, ${called.size} altogether`,
    );
}

await suite.run({ python: () => check(python), go: () => check(go) }, only);
