import { chmodSync, statSync } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Inspection } from '../../db/inspection.ts';
import { findLogDamage, textOfLogDamage } from '../../db/sqlite/log-damage.ts';
import { logBytesOf } from '../../db/sqlite/log-room.ts';
import { diskCheck } from '../../http/health.ts';
import { derivedForms } from '../../storage/storage.ts';
import { countOf, type Examined, type Finding, foundMax, mendedByFix } from './finding.ts';

/** Checks the disk: its free space, its permissions, and the files of blobs compared with their rows. */

async function checkSpace({ config: { dataDir, diskFreeMib } }: Examined): Promise<Finding[]> {
  const { ok, free_bytes: free } = await diskCheck(dataDir, diskFreeMib * 1024 * 1024)();
  if (ok) return [];
  return [
    {
      check: 'disk',
      level: 'error',
      what: `The disk of ${dataDir} has ${Math.floor(Number(free) / 1024 / 1024)} MiB left; CONFAB_DISK_FREE_MIB requires ${diskFreeMib}.`,
      mend: 'Free space there, move the folder to a larger disk, or lower CONFAB_DISK_FREE_MIB.',
    },
  ];
}

/** From which size on the write-ahead log of SQLite is long, in bytes: it stays below a tenth of that by itself. */
const longLogBytes = 1024 ** 3;

function checkLog({ config: { dataDir, databaseUrl } }: Examined): Finding[] {
  if (databaseUrl !== undefined) return [];
  const bytes = logBytesOf(join(dataDir, 'confab.db'));
  if (bytes <= longLogBytes) return [];
  return [
    {
      check: 'log-size',
      level: 'warning',
      what: `The write-ahead log of the database takes ${Math.round(bytes / 1024 / 1024)} MiB, because a program has read from the database for a long time during writes.`,
      mend: 'Let running backups and examinations finish, and end other programs that have confab.db open. Later writes then shorten the file; a restart of the server removes it.',
    },
  ];
}

/** Checks that every commit in the write-ahead log can be read. Opening a store to write would remove the others. */
export function checkLogWhole({ config: { dataDir, databaseUrl } }: Examined): Finding[] {
  if (databaseUrl !== undefined) return [];
  const file = join(dataDir, 'confab.db');
  const damage = findLogDamage(file);
  return damage === undefined ? [] : [{ check: 'log', level: 'error', ...textOfLogDamage(file, damage) }];
}

function checkModes({ config: { dataDir, secretsKeyFile }, warnings }: Examined): Finding[] {
  const key = secretsKeyFile ?? join(dataDir, 'secrets.key');
  const places = [
    {
      check: 'folder-mode',
      path: dataDir,
      what: `Every user of this machine can open the data folder ${dataDir}.`,
    },
    { check: 'key-mode', path: key, what: `Other users of this machine can read the keys in ${key}.` },
  ];
  const open = places.flatMap(({ check, path, what }): Finding[] => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    // A group may be meant for the folder (decision 0037), and never for keys.
    const wrong = check === 'key-mode' ? 0o077 : 0o007;
    if ((mode & wrong) === 0) return [];
    const fix = async () => {
      chmodSync(path, mode & 0o7777 & ~wrong);
      return `${path} is closed to others.`;
    };
    return [{ check, level: 'warning', what, mend: mendedByFix, fix }];
  });
  const secrets = warnings.map((warning): Finding => {
    const [what = '', mend = ''] = warning.split(': run ');
    return { check: 'secret-mode', level: 'warning', what: `${sentence(what)}.`, mend: `Run ${mend}.` };
  });
  return [...open, ...secrets];
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Checks the disk of the data folder. */
export async function checkDisk(examined: Examined): Promise<Finding[]> {
  return [...(await checkSpace(examined)), ...checkLog(examined), ...checkModes(examined)];
}

/** After how long a file without a row is left over, in milliseconds: an upload gets its row within minutes. */
const graceMs = 3_600_000;

type Shelf = { readonly missing: string[]; readonly wrong: string[]; readonly orphaned: string[] };

/** The blob that a name of a file belongs to. */
function keyOf(name: string): string {
  const [key = '', form] = name.split('.');
  return form === undefined || derivedForms.some((known) => known === form) ? key : name;
}

/** Holds one of the 256 shelves against the rows whose keys begin with its name; both are of a bounded size. */
async function compareShelf(
  { folder, shelf, before }: { folder: string; shelf: string; before: number },
  store: Inspection,
): Promise<Shelf> {
  const rows = await store.rows(
    `select "key", size from blobs where provider is null and "key" >= '${shelf}' and "key" < '${shelf}~'`,
  );
  const sizes = new Map(rows.map(({ key, size }) => [String(key), Number(size)]));
  const faults: Shelf = { missing: [], wrong: [], orphaned: [] };
  const seen = new Set<string>();
  const path = join(folder, shelf);
  if (statSync(path, { throwIfNoEntry: false }) !== undefined)
    for await (const { name } of await opendir(path)) {
      const size = sizes.get(keyOf(name));
      if (size !== undefined && keyOf(name) !== name) continue;
      const file = await stat(join(path, name)).catch(() => undefined);
      if (file === undefined) continue;
      if (size !== undefined) seen.add(name);
      if (size === undefined && file.mtimeMs < before) faults.orphaned.push(join(path, name));
      else if (size !== undefined && file.size !== size) faults.wrong.push(name);
    }
  faults.missing.push(...[...sizes.keys()].filter((key) => !seen.has(key)));
  return faults;
}

/** Holds the files of blobs in the data folder against their rows, shelf by shelf. */
export async function checkBlobs({ config, clock }: Examined, store: Inspection): Promise<Finding[]> {
  if (config.s3Bucket !== undefined) return [];
  const folder = join(config.dataDir, 'blobs');
  const all: Shelf = { missing: [], wrong: [], orphaned: [] };
  const before = clock.now() - graceMs;
  for (const shelf of shelves) {
    const shelfFaults = await compareShelf({ folder, shelf, before }, store);
    for (const kind of ['missing', 'wrong', 'orphaned'] as const)
      all[kind].push(...shelfFaults[kind].slice(0, foundMax - all[kind].length));
  }
  // A blob may have been added or removed since its row was read.
  const missing = await stillMissing(all.missing, { folder, store });
  const restore = 'Copy it from a backup to the folder blobs, or delete the item that shows it.';
  const count = (list: readonly string[]) => countOf(list.length, ['file', 'files']);
  return [
    ...(missing.length === 0
      ? []
      : [
          finding(
            'blobs-missing',
            `${count(missing)} of uploads missing in ${folder}, such as ${missing[0]}.`,
            restore,
          ),
        ]),
    ...(all.wrong.length === 0
      ? []
      : [
          finding(
            'blobs-size',
            `${count(all.wrong)} of uploads with a wrong size in ${folder}, such as ${all.wrong[0]}.`,
            restore,
          ),
        ]),
    ...(all.orphaned.length === 0 ? [] : [orphansOf(all.orphaned, folder)]),
  ];
}

const shelves = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));

function finding(check: string, what: string, mend: string): Finding {
  return { check, level: 'error', what, mend };
}

async function stillMissing(
  keys: readonly string[],
  { folder, store }: { folder: string; store: Inspection },
): Promise<string[]> {
  const missing: string[] = [];
  for (const key of keys) {
    const rows = await store.rows(`select 1 from blobs where "key" = '${key}'`);
    const file = statSync(join(folder, key.slice(0, 2), key), { throwIfNoEntry: false });
    if (rows.length > 0 && file === undefined) missing.push(key);
  }
  return missing;
}

function orphansOf(files: readonly string[], folder: string): Finding {
  return {
    check: 'blobs-orphaned',
    level: 'warning',
    what: `${countOf(files.length, ['file', 'files'])} in ${folder} without a row in the store, such as ${files[0]}.`,
    mend: mendedByFix,
    async fix() {
      for (const file of files) await rm(file, { force: true });
      return `Removed ${countOf(files.length, ['file', 'files'])} without a row.`;
    },
  };
}
