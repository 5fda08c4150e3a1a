import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Random } from '../harness/random.ts';
import type { DiskRecord } from './shim.ts';

/**
 * A model of what a disk is bound to keep of one folder.
 *
 * A *file* is content without a name: what is durable, and the changes since. A *folder* gives names to files and other
 * folders. A sync of a file makes the changes durable that had happened when the sync began, and the same applies to
 * the names in a folder when that folder is synced. Nothing else is durable: a file whose folder was not synced has no
 * name after a power cut, even if its content was synced, and a renamed one still has its old name. A change that is
 * shared between memory and a file (`mmap`) is never durable.
 *
 * A power cut is *clean* if everything that was not synced is lost. It is *torn* if each block of a file has either its
 * durable or its last content, drawn for each block, and so for the length of a file and for each change of names. A
 * *kill* of the programs loses nothing that they wrote, because the operating system keeps it.
 */

/** The blocks that a torn cut keeps or loses as a whole, in bytes. */
const blockBytes = 4096;

/** The way in which an end treats what was not synced. */
export type Cut = 'clean' | 'torn' | 'kill';

type Change = { readonly order: number; readonly at: number; readonly data: Buffer | 'truncate' | 'extend' };

/** A file with a name or only with open descriptors. */
type File = {
  readonly ino: bigint;
  readonly mode: number;
  durable: Bytes;
  changes: Change[];
  isMapped: boolean;
};

/** What a name stands for. A folder is identified by its path, which never changes here. */
type Named = { readonly file: File } | { readonly folder: string };

/** A change of names that happens as a whole: a rename has up to two parts in each of its folders. */
type Renaming = { readonly order: number; parts: NamePart[] };
type NamePart = { readonly folder: string; readonly name: string; readonly named: Named | undefined };

/** Bytes that grow; those that were never written are 0. */
class Bytes {
  #buffer: Buffer;
  #length: number;

  constructor(content: Buffer) {
    this.#buffer = content;
    this.#length = content.length;
  }

  get content(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  copy(): Bytes {
    return new Bytes(Buffer.from(this.content));
  }

  apply({ at, data }: Change): void {
    if (data === 'truncate' && at < this.#length) {
      this.#buffer.fill(0, at, this.#length);
      this.#length = at;
      return;
    }
    const end = data instanceof Buffer ? at + data.length : at;
    if (end > this.#buffer.length) {
      const larger = Buffer.alloc(Math.max(end, this.#buffer.length * 2));
      this.content.copy(larger);
      this.#buffer = larger;
    }
    this.#length = Math.max(this.#length, end);
    if (data instanceof Buffer) data.copy(this.#buffer, at);
  }
}

type Names = Map<string, Map<string, Named>>;

/** The disk below one folder, which begins with the present content of the folder, all of it durable. */
export class Disk {
  readonly #root: string;
  readonly #files = new Map<bigint, File>();
  readonly #live: Names = new Map();
  readonly #durable: Names = new Map();
  #renamings: Renaming[] = [];
  /** How many changes there were when the sync that each thread runs began. */
  readonly #syncs = new Map<number, number>();
  #order = 0;
  readonly #keepsNames: boolean;

  /**
   * With `keepsNames`, a sync of a file keeps its name as well, and those of its folders, as ext4, XFS and Btrfs do
   * beyond POSIX.
   */
  constructor(root: string, { keepsNames } = { keepsNames: false }) {
    this.#keepsNames = keepsNames;
    this.#root = realpathSync(root);
    this.#read(this.#root);
  }

  #read(folder: string): void {
    const names = new Map<string, Named>();
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        names.set(entry.name, { folder: path });
        this.#read(path);
      } else if (entry.isFile()) {
        const { ino, mode } = statSync(path, { bigint: true });
        const file = this.#files.get(ino) ?? this.#makeFile(ino, Number(mode), readFileSync(path));
        names.set(entry.name, { file });
      }
    }
    this.#live.set(folder, names);
    this.#durable.set(folder, new Map(names));
  }

  #makeFile(ino: bigint, mode: number, content: Buffer): File {
    const file = { ino, mode: mode & 0o777, durable: new Bytes(content), changes: [], isMapped: false };
    this.#files.set(ino, file);
    return file;
  }

  /** Takes the next change. Throws for one that the model does not know, such as a folder that is renamed. */
  apply(record: DiskRecord): void {
    const { kind, ino, at, data, path, target } = record;
    this.#order += 1;
    const file = this.#files.get(ino);
    if (kind === 'write') file?.changes.push({ order: this.#order, at, data });
    else if (kind === 'truncate' || kind === 'extend')
      file?.changes.push({ order: this.#order, at, data: kind });
    else if (kind === 'map' && file !== undefined) file.isMapped = true;
    else if (kind === 'create') this.#create(path, ino);
    else if (kind === 'mkdir') {
      this.#live.set(path, new Map());
      this.#durable.set(path, new Map());
      this.#name([[path, { folder: path }]]);
    } else if (kind === 'unlink') this.#name([[path, undefined]]);
    else if (kind === 'link') this.#name([[target, this.#at(path)]]);
    else if (kind === 'rename') this.#rename(path, target);
    else if (kind === 'sync begins') this.#syncs.set(record.thread, this.#order);
    else if (kind === 'sync ends') this.#sync(record, this.#syncs.get(record.thread) ?? 0);
  }

  #at(path: string): Named | undefined {
    return this.#live.get(dirname(path))?.get(basename(path));
  }

  #create(path: string, ino: bigint): void {
    const before = this.#at(path);
    if (before !== undefined && 'file' in before && before.file.ino === ino) return;
    // The number of a file that is gone may be given again.
    this.#name([[path, { file: this.#makeFile(ino, 0o600, Buffer.alloc(0)) }]]);
  }

  #rename(path: string, target: string): void {
    const named = this.#at(path);
    if (named !== undefined && 'folder' in named) throw new Error(`the folder ${path} was renamed`);
    this.#name([
      [path, undefined],
      [target, named],
    ]);
  }

  #name(changes: readonly (readonly [path: string, named: Named | undefined])[]): void {
    const parts = changes.map(([path, named]) => ({ folder: dirname(path), name: basename(path), named }));
    for (const part of parts) setName(this.#live, part);
    this.#renamings.push({ order: this.#order, parts });
  }

  #sync({ ino, path }: DiskRecord, until: number): void {
    const file = this.#files.get(ino);
    if (path === '' && file !== undefined) {
      for (const change of file.changes) if (change.order <= until) file.durable.apply(change);
      file.changes = file.changes.filter(({ order }) => order > until);
      if (this.#keepsNames) this.#keepName({ file }, until);
    }
    if (path === '') return;
    for (const renaming of this.#renamings) {
      if (renaming.order > until) break;
      for (const part of renaming.parts) if (part.folder === path) setName(this.#durable, part);
      renaming.parts = renaming.parts.filter(({ folder }) => folder !== path);
    }
    this.#renamings = this.#renamings.filter(({ parts }) => parts.length > 0);
  }

  #keepName(named: Named, until: number): void {
    for (const { order, parts } of this.#renamings) {
      const name = order > until ? undefined : parts.find((part) => isSame(part.named, named));
      if (name === undefined) continue;
      for (const part of parts.splice(0)) this.#keepPart(part, order);
      this.#keepName({ folder: name.folder }, until);
    }
  }

  /** Makes a change of a name durable ahead of its folder, and so forgets those of the same name before it. */
  #keepPart(part: NamePart, order: number): void {
    setName(this.#durable, part);
    for (const earlier of this.#renamings)
      if (earlier.order < order)
        earlier.parts = earlier.parts.filter(
          ({ folder, name }) => folder !== part.folder || name !== part.name,
        );
  }

  /**
   * Writes what a power cut or a kill leaves of the folder to another one, which must be empty, and returns how many
   * changes were not synced.
   */
  cutPower(cut: Cut, target: string, random: Random): number {
    const kept = cut === 'kill' ? this.#live : this.#durable;
    const names: Names = new Map([...kept].map(([folder, its]) => [folder, new Map(its)]));
    if (cut === 'torn')
      for (const { parts } of this.#renamings)
        if (random.oneIn(2)) for (const part of parts) setName(names, part);
    const write = (folder: string, to: string) => {
      for (const [name, named] of names.get(folder) ?? []) {
        const path = join(to, name);
        if ('folder' in named) {
          mkdirSync(path, { mode: 0o700 });
          write(named.folder, path);
        } else {
          writeFileSync(path, contentAfter(cut, named.file, random), { mode: named.file.mode });
        }
      }
    };
    write(this.#root, target);
    return [...this.#files.values()].reduce(
      (sum, { changes }) => sum + changes.length,
      this.#renamings.length,
    );
  }

  /**
   * How the folder differs from what the recorded changes made of it: nothing, unless the program changes files in ways
   * that are not recorded. Files that were mapped are not compared.
   */
  differences(): string[] {
    const found: string[] = [];
    const compare = (folder: string) => {
      const names = new Map(this.#live.get(folder));
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        const named = names.get(entry.name);
        names.delete(entry.name);
        if (named === undefined) found.push(`${path} is not in the model`);
        else if ('folder' in named) compare(path);
        else if (!named.file.isMapped && !live(named.file).content.equals(readFileSync(path)))
          found.push(`${path} has another content in the model`);
      }
      for (const name of names.keys()) found.push(`${join(folder, name)} is only in the model`);
    };
    compare(this.#root);
    return found;
  }
}

function isSame(one: Named | undefined, other: Named): boolean {
  if (one === undefined) return false;
  return 'file' in one
    ? 'file' in other && one.file === other.file
    : 'folder' in other && one.folder === other.folder;
}

function setName(names: Names, { folder, name, named }: NamePart): void {
  if (named === undefined) names.get(folder)?.delete(name);
  else names.get(folder)?.set(name, named);
}

function live({ durable, changes }: File): Bytes {
  const bytes = durable.copy();
  for (const change of changes) bytes.apply(change);
  return bytes;
}

function contentAfter(cut: Cut, file: File, random: Random): Buffer {
  if (cut === 'torn') return torn(file, random);
  return cut === 'kill' ? live(file).content : file.durable.content;
}

/** The content of a file of which each block was kept or lost; a lost block that was never there is 0. */
function torn(file: File, random: Random): Buffer {
  if (file.changes.length === 0) return file.durable.content;
  const [before, after] = [file.durable.content, live(file).content];
  const content = Buffer.alloc(random.oneIn(2) ? after.length : before.length);
  for (let at = 0; at < content.length; at += blockBytes)
    (random.oneIn(2) ? after : before).subarray(at, at + blockBytes).copy(content, at);
  return content;
}
