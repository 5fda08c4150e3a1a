/**
 * The frames of SQLite's write-ahead log (https://sqlite.org/fileformat2.html#the_write_ahead_log). A frame is a page as
 * a commit left it. The sums of a frame cover everything since the header of the log, so frames that verify are exactly
 * those that were written, in their order. When the log starts again from its beginning it has other salts.
 */

/** The bytes of the header of the log. */
export const logHeaderBytes = 32;
/** The bytes of the header of a frame, before its page. */
export const frameHeaderBytes = 24;

/** The running checksum of the log. */
export type Sums = readonly [number, number];

/** A place in the write-ahead log: after `frame` frames of the log that began with these salts. */
export type LogPosition = { readonly salts: string; readonly frame: number; readonly sums: Sums };

/** The header of a log. */
export type LogHeader = {
  readonly salts: string;
  readonly pageSize: number;
  readonly isBigEndian: boolean;
  readonly sums: Sums;
};

const magic = 0x37_7f_06_82;

function sumsOf(bytes: Uint8Array, isBigEndian: boolean, [first, second]: Sums): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [a, b] = [first | 0, second | 0];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, !isBigEndian) + b) | 0;
    b = (b + view.getUint32(at + 4, !isBigEndian) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

function hasSums(bytes: Buffer, at: number, [a, b]: Sums): boolean {
  return bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b;
}

/** Reads the header of a log; undefined when it is absent or half written. */
export function parseLogHeader(bytes: Buffer): LogHeader | undefined {
  if (bytes.length < logHeaderBytes || bytes.readUInt32BE(0) >>> 1 !== magic >>> 1) return undefined;
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1;
  const sums = sumsOf(bytes.subarray(0, 24), isBigEndian, [0, 0]);
  if (!hasSums(bytes, 24, sums)) return undefined;
  return {
    salts: bytes.toString('hex', 16, 24),
    pageSize: bytes.readUInt32BE(8),
    isBigEndian,
    sums,
  };
}

/** A frame. */
export type Frame = {
  readonly page: number;
  /** The size of the database in pages after the commit that ends with this frame; 0 for any other frame. */
  readonly committedPages: number;
  readonly bytes: Buffer;
};

/** Reads the frames in `bytes`, which has whole frames with pages of `pageSize`. */
export function* framesOf(bytes: Buffer, pageSize: number): Generator<Frame> {
  for (let at = 0; at < bytes.length; at += frameHeaderBytes + pageSize)
    yield {
      page: bytes.readUInt32BE(at),
      committedPages: bytes.readUInt32BE(at + 4),
      bytes: bytes.subarray(at + frameHeaderBytes, at + frameHeaderBytes + pageSize),
    };
}

/** The sums after the frames in `bytes`, which follow `from`; undefined when one of them is not what was written there. */
export function verifiedSums(bytes: Buffer, header: LogHeader, from: Sums): Sums | undefined {
  let sums = from;
  const step = frameHeaderBytes + header.pageSize;
  for (let at = 0; at < bytes.length; at += step) {
    sums = sumsOf(bytes.subarray(at, at + 8), header.isBigEndian, sums);
    sums = sumsOf(bytes.subarray(at + frameHeaderBytes, at + step), header.isBigEndian, sums);
    if (bytes.toString('hex', at + 8, at + 16) !== header.salts || !hasSums(bytes, at + 16, sums))
      return undefined;
  }
  return sums;
}
