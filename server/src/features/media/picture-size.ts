/** Width and height in pixels, as a viewer shows the picture. */
export type PictureSize = { readonly width: number; readonly height: number };

/** How many bytes are searched for the size of a picture: in a photograph its embedded preview comes first. */
export const pictureBytesMax = 512 * 1024;

/**
 * The size of a picture from its headers; no pixel is decoded. `bytes` is its beginning. Undefined for other types,
 * for headers that are incomplete or invalid, and for sizes of zero.
 */
export function readPictureSize(bytes: Uint8Array, mediaType: string): PictureSize | undefined {
  const read = readers[mediaType];
  if (read === undefined) return undefined;
  try {
    const size = read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // A DataView throws on a read beyond its end, which incomplete headers cause.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Reader = (view: DataView) => PictureSize | undefined;

const readers: { readonly [mediaType: string]: Reader } = {
  'image/png': readPng,
  'image/apng': readPng,
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/bmp': readBmp,
  'image/webp': readWebp,
  'image/jpeg': readJpeg,
};

/** The first chunk of a PNG is IHDR, which begins with the size. */
function readPng(view: DataView): PictureSize | undefined {
  if (view.getUint32(12) !== 0x49484452) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** The oldest header has 16-bit sizes; a negative height means that the rows run from top to bottom. */
function readBmp(view: DataView): PictureSize {
  if (view.getUint32(14, true) === 12)
    return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

/** RFC 9649: the extended, the lossless and the lossy form each store the size differently. */
function readWebp(view: DataView): PictureSize | undefined {
  const form = view.getUint32(12);
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  if (form === 0x56503858) return { width: uint24(24) + 1, height: uint24(27) + 1 };
  if (form === 0x5650384c && view.getUint8(20) === 0x2f) {
    const packed = view.getUint32(21, true);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (form === 0x56503820 && uint24(23) === 0x2a019d)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  return undefined;
}

// Every start of frame: C0 to CF without the three markers of tables among them.
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/**
 * Reads the segments of a JPEG up to its first frame. Each step moves forward, so the loop ends. Only the first Exif
 * block is read: a file of 512 KiB has room for 29,000 blocks that each claim 65,535 entries.
 */
function readJpeg(view: DataView): PictureSize | undefined {
  let isTurned: boolean | undefined;
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (isFrame(marker)) {
      const height = view.getUint16(at + 5);
      const width = view.getUint16(at + 7);
      return isTurned ? { width: height, height: width } : { width, height };
    }
    if (marker === 0xe1 && view.getUint32(at + 4) === 0x45786966) isTurned ??= isTurnedByExif(view, at + 10);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

const orientationTag = 0x0112;
/** The most entries of an Exif block that are read: cameras write a few dozen. */
const exifEntriesMax = 1000;

/** Whether the Exif block at `start` makes a viewer turn the picture by a quarter, which swaps its sides. */
function isTurnedByExif(view: DataView, start: number): boolean {
  const isLittle = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, isLittle);
  if (directory + 2 > view.byteLength) return false;
  const entries = Math.min(view.getUint16(directory, isLittle), exifEntriesMax);
  for (let i = 0; i < entries; i += 1) {
    const entry = directory + 2 + i * 12;
    if (entry + 12 > view.byteLength) return false;
    if (view.getUint16(entry, isLittle) === orientationTag) return view.getUint16(entry + 8, isLittle) >= 5;
  }
  return false;
}
