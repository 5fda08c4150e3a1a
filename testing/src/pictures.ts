/** Beginnings of pictures, as long as a reader of their size needs, written from the specifications of the formats. */

type Bytes = Uint8Array<ArrayBuffer>;

function bytes(...parts: readonly (string | readonly number[])[]): Bytes {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [...part])),
  );
}

const be = (value: number, width: number) =>
  Array.from({ length: width }, (_, index) => (value / 256 ** (width - 1 - index)) & 0xff);
const le = (value: number, width: number) => be(value, width).reverse();

/** A PNG of this size up to its first chunk of pixels. */
export function png(width: number, height: number): Bytes {
  return bytes(
    [0x89],
    'PNG\r\n\x1a\n',
    be(13, 4),
    'IHDR',
    be(width, 4),
    be(height, 4),
    [8, 6, 0, 0, 0],
    be(0, 4),
    be(0, 4),
    'IDAT',
  );
}

/** A GIF of this size without a frame. */
export function gif(width: number, height: number): Bytes {
  return bytes('GIF89a', le(width, 2), le(height, 2), [0, 0, 0, 0x3b]);
}

/** A bitmap with the common header; a negative height means that its rows run from top to bottom. */
export function bmp(width: number, height: number): Bytes {
  const rows = height < 0 ? 2 ** 32 + height : height;
  return bytes(
    'BM',
    le(54, 4),
    le(0, 4),
    le(54, 4),
    le(40, 4),
    le(width, 4),
    le(rows, 4),
    le(1, 2),
    le(24, 2),
    le(0, 24),
  );
}

/** A WebP in its extended form. */
export function webpExtended(width: number, height: number): Bytes {
  return bytes('RIFF', le(30, 4), 'WEBPVP8X', le(10, 4), le(0, 4), le(width - 1, 3), le(height - 1, 3));
}

/** A WebP in its lossless form: two sizes of 14 bits behind one byte. */
export function webpLossless(width: number, height: number): Bytes {
  return bytes(
    'RIFF',
    le(30, 4),
    'WEBPVP8L',
    le(10, 4),
    [0x2f],
    le(width - 1 + (height - 1) * 2 ** 14, 4),
    le(0, 8),
  );
}

/** A WebP in its lossy form: a frame tag, a start code, two sizes of 14 bits. */
export function webpLossy(width: number, height: number): Bytes {
  return bytes(
    'RIFF',
    le(30, 4),
    'WEBPVP8 ',
    le(10, 4),
    [0, 0, 0, 0x9d, 0x01, 0x2a],
    le(width, 2),
    le(height, 2),
  );
}

const jfif = [0xff, 0xe0, ...be(16, 2), ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0];

function frame(marker: number, width: number, height: number): number[] {
  return [0xff, marker, ...be(17, 2), 8, ...be(height, 2), ...be(width, 2), 3, ...be(0, 9)];
}

/** A JPEG up to its first frame, after `preview` bytes of an application segment. */
export function jpeg(width: number, height: number, { marker = 0xc0, preview = 0 } = {}): Bytes {
  const segments: number[] = [];
  for (let left = preview; left > 0; left -= 60_000)
    segments.push(
      0xff,
      0xe2,
      ...be(Math.min(left, 60_000) + 2, 2),
      ...new Array(Math.min(left, 60_000)).fill(0xff),
    );
  return bytes([0xff, 0xd8], jfif, segments, frame(marker, width, height));
}

/** An Exif block with the orientation of a picture in the last of its entries. */
function exifBlock(orientation: number, { order = 'MM', entries = 2 } = {}): number[] {
  const number = order === 'II' ? le : be;
  const maker = [...number(0x010f, 2), ...number(2, 2), ...number(4, 4), ...Buffer.from('abc\0')];
  const tiff = [
    ...Buffer.from(order),
    ...number(42, 2),
    ...number(8, 4),
    ...number(entries, 2),
    ...new Array(entries - 1).fill(maker).flat(),
    ...[...number(0x0112, 2), ...number(3, 2), ...number(1, 4), ...number(orientation, 2), ...number(0, 2)],
    ...number(0, 4),
  ];
  return [0xff, 0xe1, ...be(tiff.length + 8, 2), ...Buffer.from('Exif\0\0'), ...tiff];
}

/** A JPEG with an Exif block that contains its orientation. */
export function jpegTurned(width: number, height: number, orientation: number, order: 'II' | 'MM'): Bytes {
  return bytes([0xff, 0xd8], exifBlock(orientation, { order }), frame(0xc2, width, height));
}

/** A JPEG with an Exif block for each orientation, one after the other. */
export function jpegOfTurns(width: number, height: number, orientations: readonly number[]): Bytes {
  const blocks = orientations.flatMap((orientation) => exifBlock(orientation));
  return bytes([0xff, 0xd8], blocks, frame(0xc2, width, height));
}

/** A JPEG whose orientation is the last of this many entries. */
export function jpegTurnedLate(width: number, height: number, entries: number): Bytes {
  return bytes([0xff, 0xd8], exifBlock(6, { entries }), frame(0xc2, width, height));
}

/**
 * A JPEG of `count` Exif blocks of 18 bytes each. The directory of each begins in the next block, and claims to have
 * more entries than the file has room for.
 */
export function jpegOfExifBlocks(count: number): Bytes {
  const tiff = [...Buffer.from('II'), ...le(42, 2), ...le(8, 4)];
  const block = [0xff, 0xe1, ...be(16, 2), ...Buffer.from('Exif\0\0'), ...tiff];
  const all = Buffer.alloc(count * block.length, Buffer.from(block));
  return Uint8Array.from(Buffer.concat([Buffer.from([0xff, 0xd8]), all, Buffer.from(frame(0xc0, 64, 48))]));
}
