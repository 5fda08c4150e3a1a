import { createHash } from 'node:crypto';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Manifest, manifestText } from 'confab-server/src/backup/manifest.ts';

/** Ways to damage a finished backup with at least two blobs and a sealed key, and which file verification must name. */

/** A backup in its folder. */
type Target = { readonly folder: string; readonly id: string };

/** One way to damage it. */
export type DamageWay = {
  readonly name: string;
  readonly apply: (target: Target) => void;
  /** What the sentence about it must match. */
  readonly names: RegExp;
};

const pathIn =
  (name: string) =>
  ({ folder, id }: Target): string =>
    join(folder, id, name);
const [database, list, key, manifest] = ['confab.db', 'blobs.tsv', 'secrets.key.sealed', 'manifest.json'].map(
  pathIn,
) as [
  ReturnType<typeof pathIn>,
  ReturnType<typeof pathIn>,
  ReturnType<typeof pathIn>,
  ReturnType<typeof pathIn>,
];

function blobOf({ folder }: Target, number: number): string {
  const blobs = readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const found = blobs.toSorted((a, b) => (a.name < b.name ? -1 : 1))[number];
  if (found === undefined) throw new Error(`the backup has no blob ${number}`);
  return join(found.parentPath, found.name);
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  const position = at < 0 ? bytes.length + at : at;
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

function cut(path: string, part: number): void {
  truncateSync(path, Math.floor(readFileSync(path).length * part));
}

/** Changes the manifest as somebody would who also corrects its checksum. */
function rewrite(target: Target, change: (found: Manifest) => Manifest): void {
  const { sha256: _sha256, ...found } = JSON.parse(readFileSync(manifest(target), 'utf8'));
  writeFileSync(manifest(target), manifestText(change(found as Manifest)));
}

/** Changes the database and gives the manifest its new checksum, so that only what is in it can betray it. */
function changeDatabase(target: Target, sql: string): void {
  const file = new DatabaseSync(database(target));
  file.exec('pragma foreign_keys = off; pragma journal_mode = delete');
  file.exec(sql);
  file.close();
  resign(target, 'confab.db');
}

function resign(target: Target, name: string): void {
  const bytes = readFileSync(pathIn(name)(target));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  rewrite(target, (found) => ({
    ...found,
    files: { ...found.files, [name]: { bytes: bytes.length, sha256 } },
  }));
}

/** Every way, each of which verification must refuse with a sentence that names the file. */
export const damageWays: readonly DamageWay[] = [
  { name: 'manifest missing', apply: (t) => rmSync(manifest(t)), names: /manifest\.json is missing/ },
  { name: 'manifest empty', apply: (t) => truncateSync(manifest(t)), names: /manifest\.json is truncated/ },
  { name: 'manifest truncated', apply: (t) => cut(manifest(t), 0.6), names: /manifest\.json is truncated/ },
  { name: 'manifest with a changed bit', apply: (t) => flip(manifest(t), 60), names: /manifest\.json/ },
  {
    name: 'manifest with a changed count',
    apply: (t) =>
      writeFileSync(manifest(t), readFileSync(manifest(t), 'utf8').replace(/"apps": \d+/, '"apps": 77')),
    names: /manifest\.json differs from its own checksum/,
  },
  {
    name: 'manifest of another backup',
    apply: (t) => rewrite(t, (found) => ({ ...found, id: '2001-01-01T00-00-00.000Z' })),
    names: /manifest\.json is that of the backup 2001/,
  },
  {
    name: 'manifest of an unknown format',
    apply: (t) => rewrite(t, (found) => ({ ...found, format: 9 as 1 })),
    names: /manifest\.json has the format 9/,
  },
  { name: 'database missing', apply: (t) => rmSync(database(t)), names: /confab\.db is missing/ },
  { name: 'database empty', apply: (t) => truncateSync(database(t)), names: /confab\.db is truncated/ },
  { name: 'database truncated', apply: (t) => cut(database(t), 0.5), names: /confab\.db is truncated/ },
  {
    name: 'database without its last byte',
    apply: (t) => cut(database(t), 0.999_99),
    names: /confab\.db is truncated/,
  },
  {
    name: 'a changed bit in the header of the database',
    apply: (t) => flip(database(t), 20),
    names: /confab\.db differs/,
  },
  {
    name: 'a changed bit at the end of the database',
    apply: (t) => flip(database(t), -1),
    names: /confab\.db differs/,
  },
  {
    name: 'database with bytes appended',
    apply: (t) => appendFileSync(database(t), 'x'),
    names: /confab\.db is too long/,
  },
  {
    name: 'a row removed from the database, with its checksum corrected',
    apply: (t) => changeDatabase(t, 'delete from events where id = (select max(id) from events)'),
    names: /confab\.db has \d+ rows in events/,
  },
  {
    name: 'a reference broken in the database, with its checksum corrected',
    apply: (t) =>
      changeDatabase(t, 'update entries set app_id = 999999 where id = (select min(id) from entries)'),
    names: /confab\.db is damaged: .*(apps|index)/,
  },
  {
    name: 'pages of the database overwritten, with its checksum corrected',
    apply: (t) => {
      const bytes = readFileSync(database(t));
      writeFileSync(database(t), bytes.fill(0, Math.floor(bytes.length / 4), Math.floor(bytes.length / 2)));
      resign(t, 'confab.db');
    },
    names: /confab\.db is damaged/,
  },
  { name: 'list of blobs missing', apply: (t) => rmSync(list(t)), names: /blobs\.tsv is missing/ },
  { name: 'list of blobs truncated', apply: (t) => cut(list(t), 0.5), names: /blobs\.tsv is truncated/ },
  {
    name: 'list of blobs without a line, with its checksum corrected',
    apply: (t) => {
      writeFileSync(list(t), readFileSync(list(t), 'utf8').split('\n').slice(1).join('\n'));
      resign(t, 'blobs.tsv');
    },
    names: /blobs\.tsv lacks the blob/,
  },
  { name: 'sealed key missing', apply: (t) => rmSync(key(t)), names: /secrets\.key\.sealed is missing/ },
  {
    name: 'sealed key with a changed bit',
    apply: (t) => flip(key(t), 50),
    names: /secrets\.key\.sealed differs/,
  },
  { name: 'a blob missing', apply: (t) => rmSync(blobOf(t, 0)), names: /blobs\/\S+ is missing/ },
  { name: 'a blob truncated', apply: (t) => cut(blobOf(t, 0), 0.5), names: /blobs\/\S+ is truncated/ },
  { name: 'a blob with a changed bit', apply: (t) => flip(blobOf(t, 1), 0), names: /blobs\/\S+ differs/ },
  {
    name: 'a blob in the place of another',
    apply: (t) => renameSync(blobOf(t, 0), blobOf(t, 1)),
    names: /blobs\/\S+ is missing/,
  },
];
