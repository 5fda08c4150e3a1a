import { spawnSync } from 'node:child_process';
import { openSync, readFileSync, readSync, realpathSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The kinds of records, in the order of the C code. */
const kinds = [
  'write',
  'truncate',
  'extend',
  'create',
  'rename',
  'link',
  'unlink',
  'mkdir',
  'sync begins',
  'sync ends',
  'map',
  'open',
] as const;

/** The kind of a system call that changes files. */
export type CallKind = (typeof kinds)[number];

/** A change of a file or folder, as the program made it. */
export type DiskRecord = {
  readonly kind: CallKind;
  readonly thread: number;
  /** The inode of the file; 0 for calls that only change names. */
  readonly ino: bigint;
  /** The offset of a write, or the length that a file gets. */
  readonly at: number;
  /** The written data. */
  readonly data: Buffer;
  /** The path, for calls about names and for syncs of folders; empty otherwise. */
  readonly path: string;
  /** The target of `rename` and `link`. */
  readonly target: string;
  /** The size of the log up to the end of this record. */
  readonly end: number;
};

const headerBytes = 32;

/** Whether the shim can be built here: it needs Linux, glibc and a C compiler named `cc`. */
export function hasCompiler(): boolean {
  return process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;
}

/** Builds the shim in a folder and returns its path. Throws if the compiler fails. */
export function buildShim(folder: string): string {
  const library = join(folder, 'disk-shim.so');
  const source = join(import.meta.dirname, 'disk-shim.c');
  const flags = ['-shared', '-fPIC', '-O2', '-Wall', '-fno-builtin', '-U_FORTIFY_SOURCE'];
  const { status, stderr } = spawnSync('cc', [...flags, '-o', library, source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the shim of the disk was not built: ${stderr}`);
  return library;
}

/** The environment of a program whose changes below `root` are appended to `log`, or fail as `fault` plans. */
export function shimEnvironment(
  library: string,
  { root, log, fault }: { root: string; log?: string; fault?: string },
): Record<string, string> {
  return {
    LD_PRELOAD: library,
    DISK_SHIM_ROOT: realpathSync(root),
    ...(log === undefined ? {} : { DISK_SHIM_LOG: log }),
    ...(fault === undefined ? {} : { DISK_SHIM_FAULT: fault }),
  };
}

const planBytes = 4096;
/** Where the plan has the milliseconds that each sync takes longer. */
const syncMsAt = 160;
/** The numbers of the errors on Linux. */
const errorNumbers = { EIO: 5, ENOSPC: 28, EROFS: 30 } as const;

/** How a disk fails. */
export type DiskError = keyof typeof errorNumbers;

/** The plan by which calls fail, in the file `fault` of `shimEnvironment`. */
export class FaultPlan {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w+');
    writeSync(this.#file, Buffer.alloc(planBytes));
  }

  /** Lets the calls from number `first` to `last` fail; they are counted from 1 from now on. */
  arm({ first, last, error }: { first: number; last: number; error: DiskError }): void {
    this.disarm();
    const plan = Buffer.alloc(planBytes);
    [first, last, errorNumbers[error]].forEach((value, index) => {
      plan.writeBigUInt64LE(BigInt(value), index * 8);
    });
    writeSync(this.#file, plan, 8, syncMsAt - 8, 8);
    writeSync(this.#file, plan, 0, 8, 0);
  }

  /** Has each sync take this much longer from now on. */
  slowSyncs(ms: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(ms));
    writeSync(this.#file, bytes, 0, 8, syncMsAt);
  }

  /** Lets no call fail any more, and returns the kinds of those that did; each as often as it failed. */
  disarm(): CallKind[] {
    writeSync(this.#file, Buffer.alloc(8), 0, 8, 0);
    return this.failed();
  }

  /** The kinds of the calls that have failed so far; each as often as it failed. */
  failed(): CallKind[] {
    const plan = Buffer.alloc(planBytes);
    readSync(this.#file, plan, 0, planBytes, 0);
    return kinds.flatMap((kind, index) =>
      Array.from({ length: Number(plan.readBigUInt64LE(32 + index * 8)) }, () => kind),
    );
  }
}

/** The records of a log in order. A record that a kill cut off at the end is left out. */
export function* readDiskLog(log: string): Generator<DiskRecord> {
  const bytes = readFileSync(log);
  for (let start = 0; start + headerBytes <= bytes.length; ) {
    const length = bytes.readUInt32LE(start);
    const targetLength = bytes.readUInt32LE(start + 4);
    const kind = kinds[bytes.readUInt32LE(start + 8)];
    const data = bytes.subarray(start + headerBytes, start + headerBytes + length);
    const next = start + headerBytes + length + targetLength;
    if (kind === undefined) throw new Error(`the log of the disk is unreadable at ${start}`);
    if (next > bytes.length) return;
    yield {
      kind,
      thread: bytes.readUInt32LE(start + 12),
      ino: bytes.readBigUInt64LE(start + 16),
      at: Number(bytes.readBigUInt64LE(start + 24)),
      data: kind === 'write' ? data : Buffer.alloc(0),
      path: kind === 'write' ? '' : data.toString(),
      target: bytes.toString('utf8', next - targetLength, next),
      end: next,
    };
    start = next;
  }
}
