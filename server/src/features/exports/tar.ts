/**
 * The headers of a tar archive in the form of POSIX.1-1988 (ustar), which every program reads. Only for names of ASCII of
 * at most 100 characters. The size of a file of 8 GiB and more is binary, as GNU tar and others write and read it.
 */

const blockBytes = 512;
/** The first size that eleven octal digits have no room for. */
const octalBytesEnd = 8 ** 11;

/** An entry of an archive. The time is in Unix milliseconds. */
export type TarEntry = { readonly name: string; readonly bytes: number; readonly at: number };

/** The header of an entry; its bytes follow, and then `paddingOf` them. */
export function tarHeader({ name, bytes, at }: TarEntry): Buffer {
  const header = Buffer.alloc(blockBytes);
  const put = (text: string, offset: number) => header.write(text, offset, 'latin1');
  const octal = (number: number, digits: number) => `${number.toString(8).padStart(digits, '0')}\0`;
  put(name, 0);
  put(octal(0o600, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  if (bytes < octalBytesEnd) put(octal(bytes, 11), 124);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(bytes), 128);
  }
  put(octal(Math.floor(at / 1000), 11), 136);
  // The checksum counts itself as spaces.
  put('        ', 148);
  put('0', 156);
  put('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** The padding of the last block of an entry of this many bytes. */
export function paddingOf(bytes: number): Buffer {
  return Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);
}

/** The end of an archive; one without it was cut off. */
export const tarEnd = Buffer.alloc(2 * blockBytes);
