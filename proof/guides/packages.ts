import { execFile } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npmNetwork, registryFault, type Variables } from 'confab-testing/network/npm-network.ts';
import { root } from 'confab-tools/places.ts';
import { writeFiles } from './files.ts';

const run = promisify(execFile);

/** The packages of this checkout as they would be published, and how npm reaches its registry for the others. */
export type Packages = { readonly tarballs: readonly string[]; readonly env: Variables };

/** Packs `confab-client` and `confab-elements` into a folder. Throws where npm does not reach its registry. */
export async function packPackages(folder: string): Promise<Packages> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  // Nothing of a run is reported to anyone.
  const silent = { ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1' };
  const own = { HOME: home, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const env = { ...own, ...npmNetwork(process.env), ...quiet, ...silent };
  const fault = await registryFault(env, home);
  if (fault !== undefined) throw new Error(fault);
  const packed = ['pack', '-w', 'confab-client', '-w', 'confab-elements', '--pack-destination', folder];
  await run('npm', packed, { cwd: root });
  return { tarballs: globSync('*.tgz', { cwd: folder }).map((file) => join(folder, file)), env };
}

/** A folder with a project of npm. */
export type Project = {
  readonly folder: string;
  /** The variables of its programs. */
  readonly env: Variables;
  /** The version of a package that is installed in it. */
  versionOf(name: string): Promise<string>;
  /** Runs a program of its packages. Throws an Error with what it said where it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
};

/** Makes a project of files, and installs the newest versions of packages in it, besides those of this checkout. */
export async function makeProject(
  folder: string,
  { tarballs, env }: Packages,
  {
    files,
    dependencies,
  }: { readonly files: Readonly<Record<string, string>>; readonly dependencies: readonly string[] },
): Promise<Project> {
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: 'site', private: true, type: 'module' }),
    ...files,
  });
  await run('npm', ['install', ...tarballs, ...dependencies], { cwd: folder, env });
  return {
    folder,
    env,
    async versionOf(name) {
      const { stdout } = await run('npm', ['ls', name, '--json', '--depth=0'], { cwd: folder, env });
      return JSON.parse(stdout).dependencies[name].version;
    },
    async run(program, ...args) {
      try {
        const { stdout } = await run(join(folder, 'node_modules/.bin', program), args, { cwd: folder, env });
        return stdout;
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
      }
    },
  };
}
