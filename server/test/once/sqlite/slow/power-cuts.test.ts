import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Cut, Disk } from 'confab-testing/disk/disk.ts';
import {
  buildShim,
  type DiskRecord,
  hasCompiler,
  readDiskLog,
  shimEnvironment,
} from 'confab-testing/disk/shim.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';

let folder = '';
let root = '';
let disk: Disk;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'confab-disk-')));
  root = join(folder, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'old'), 'before');
  disk = new Disk(root);
});
afterEach(() => rmSync(folder, { recursive: true }));

const nothing = { thread: 1, ino: 0n, at: 0, data: Buffer.alloc(0), path: '', target: '', end: 0 };

/** Applies changes; paths are relative to the root. */
function change(...records: (Partial<DiskRecord> & Pick<DiskRecord, 'kind'>)[]): void {
  for (const { path, target, ...record } of records)
    disk.apply({
      ...nothing,
      ...record,
      path: path === undefined ? '' : join(root, path),
      target: target === undefined ? '' : join(root, target),
    });
}

const sync = { begin: { kind: 'sync begins' }, end: { kind: 'sync ends' } } as const;
const syncFile = (ino: bigint) => [
  { ...sync.begin, ino },
  { ...sync.end, ino },
];
const syncFolder = (path: string) => [
  { ...sync.begin, path },
  { ...sync.end, path },
];
const write = (ino: bigint, data: string, at = 0) =>
  ({ kind: 'write', ino, at, data: Buffer.from(data) }) as const;
const create = (path: string, ino: bigint) => ({ kind: 'create', path, ino }) as const;

/** The files that a cut leaves, with their content. */
function left(cut: Cut = 'clean', seed = 1): { [path: string]: string } {
  const target = mkdtempSync(join(folder, 'left-'));
  disk.cutPower(cut, target, seededRandom(seed));
  const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(target.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

// The power cuts of `npx node proof/power.ts` are only as strict as this model.
describe('the model of a disk', () => {
  test('keeps the content of a file up to the last sync', () => {
    change(create('new', 7n), ...syncFolder('.'), write(7n, 'kept'), ...syncFile(7n), write(7n, 'lost', 2));
    assert.deepEqual(left(), { old: 'before', new: 'kept' });
    change({ kind: 'truncate', ino: 7n, at: 1 }, ...syncFile(7n), { kind: 'extend', ino: 7n, at: 3 });
    assert.deepEqual(left(), { old: 'before', new: 'k' });
  });

  test('counts a change only if it happened before the sync began', () => {
    change(create('new', 7n), ...syncFolder('.'));
    change(write(7n, 'early'), { ...sync.begin, ino: 7n }, write(7n, ' late', 5), { ...sync.end, ino: 7n });
    assert.deepEqual(left(), { old: 'before', new: 'early' });
    change({ ...sync.begin, path: '.' }, create('late', 8n), { ...sync.end, path: '.' });
    assert.deepEqual(left(), { old: 'before', new: 'early' });
  });

  test('gives a file the names that were in its folder at the last sync', () => {
    change(create('tmp', 7n), write(7n, 'content'), ...syncFile(7n));
    assert.deepEqual(left(), { old: 'before' });
    change({ kind: 'rename', path: 'tmp', target: 'new' }, ...syncFolder('.'));
    assert.deepEqual(left(), { old: 'before', new: 'content' });
    change({ kind: 'link', path: 'new', target: 'other' }, { kind: 'unlink', path: 'new' });
    assert.deepEqual(left(), { old: 'before', new: 'content' });
    change(...syncFolder('.'));
    assert.deepEqual(left(), { old: 'before', other: 'content' });
  });

  test('keeps a file that another replaces until the folder is synced', () => {
    change(create('tmp', 7n), write(7n, 'after'), ...syncFile(7n), ...syncFolder('.'));
    change({ kind: 'rename', path: 'tmp', target: 'old' });
    assert.deepEqual(left(), { old: 'before', tmp: 'after' });
  });

  test('loses a folder whose own name was not synced', () => {
    change({ kind: 'mkdir', path: 'inner' }, create('inner/file', 7n), ...syncFolder('inner'));
    assert.deepEqual(left(), { old: 'before' });
    change(...syncFolder('.'));
    assert.deepEqual(left(), { old: 'before', 'inner/file': '' });
  });

  test('keeps the names of a synced file on file systems that do', () => {
    disk = new Disk(root, { keepsNames: true });
    change({ kind: 'mkdir', path: 'inner' }, create('inner/file', 7n), create('inner/other', 8n));
    assert.deepEqual(left(), { old: 'before' });
    change(...syncFile(7n));
    assert.deepEqual(left(), { old: 'before', 'inner/file': '' });
    change({ ...sync.begin, ino: 8n }, { kind: 'rename', path: 'inner/other', target: 'new' });
    change({ ...sync.end, ino: 8n });
    assert.deepEqual(left(), { old: 'before', 'inner/file': '', 'inner/other': '' });
    change({ kind: 'unlink', path: 'old' }, create('old', 9n), ...syncFile(9n), ...syncFolder('.'));
    assert.equal(left()['old'], '');
  });

  test('takes an inode that is given again for another file', () => {
    change(create('one', 7n), write(7n, 'first'), ...syncFile(7n), { kind: 'unlink', path: 'one' });
    change(create('two', 7n), ...syncFolder('.'));
    assert.deepEqual(left(), { old: 'before', two: '' });
  });

  test('tears what was not synced by blocks of 4 KiB', () => {
    const blocks = 64;
    change(create('new', 7n), ...syncFolder('.'), write(7n, 'a'.repeat(blocks * 4096)), ...syncFile(7n));
    change(write(7n, 'b'.repeat(blocks * 4096)));
    const seen = new Set(left('torn')['new']?.match(/.{4096}/g));
    assert.deepEqual([...seen].sort(), ['a'.repeat(4096), 'b'.repeat(4096)]);
  });

  test('keeps everything that was written when only the program ends', () => {
    change(create('new', 7n), write(7n, 'written'), { kind: 'rename', path: 'new', target: 'last' });
    change({ kind: 'unlink', path: 'old' });
    assert.deepEqual(left('kill'), { last: 'written' });
    assert.deepEqual(left(), { old: 'before' });
  });

  test('renames as a whole, also when torn', () => {
    change(create('one', 7n), ...syncFolder('.'), { kind: 'rename', path: 'one', target: 'two' });
    const names = Array.from({ length: 20 }, (_, seed) => Object.keys(left('torn', seed)).sort().join());
    assert.deepEqual(new Set(names), new Set(['old,one', 'old,two']));
  });
});

const program = `
  const fs = require('node:fs');
  const { DatabaseSync } = require('node:sqlite');
  process.chdir(process.argv[1]);
  fs.mkdirSync('a/b', { recursive: true });
  const file = fs.openSync('a/b/file', 'w');
  fs.writeSync(file, 'one');
  fs.writevSync(file, [Buffer.from(' two'), Buffer.from(' three')]);
  fs.writeSync(file, 'O', 0);
  fs.ftruncateSync(file, 7);
  fs.fsyncSync(file);
  fs.linkSync('a/b/file', 'linked');
  fs.rmSync('a', { recursive: true });
  fs.appendFileSync('old', ' and after');
  const database = new DatabaseSync('store.db');
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table t (x)');
  for (let n = 0; n < 50; n += 1) database.prepare('insert into t values (?)').run('x'.repeat(n * 100));
  fs.promises.writeFile('late', 'by a thread').then(() => fs.renameSync('late', 'last'));
`;

// A change that is not recorded would make the cuts wrong.
describe('the record of a disk', () => {
  test('has every change that a program makes', (t) => {
    if (!hasCompiler()) {
      t.diagnostic('there is no C compiler, so nothing was recorded');
      return;
    }
    const log = join(folder, 'log');
    const env = { ...process.env, ...shimEnvironment(buildShim(folder), { root, log }) };
    const { status, stderr } = spawnSync(process.execPath, ['-e', program, root], { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    for (const record of readDiskLog(log)) disk.apply(record);
    assert.deepEqual(disk.differences(), []);
    assert.deepEqual(readdirSync(root).sort(), ['last', 'linked', 'old', 'store.db']);
    // SQLite syncs its file and its folder; nobody else's names came with it before that.
    assert.equal(left()['last'], undefined);
    assert.equal(left()['old'], 'before');
    writeFileSync(join(root, 'linked'), 'changed by another');
    assert.equal(disk.differences().length, 1);
  });
});
