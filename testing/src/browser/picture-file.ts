import { deflateSync } from 'node:zlib';

/** A file as a file chooser takes one. */
export type ChosenFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

const crcTable = Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG with every pixel: an evening sky of this size, as a browser and a thumbnailer can decode it. */
export function picture(name: string, width = 480, height = 270): ChosenFile {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows.set(pixel(x / width, y / height), y * (1 + width * 3) + 1 + x * 3);
  const buffer = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mimeType: 'image/png', buffer };
}

function pixel(x: number, y: number): [number, number, number] {
  const isSun = (x - 0.6) ** 2 * 3.2 + (y - 0.62) ** 2 < 0.012;
  const isHill = y > 0.78 + 0.09 * Math.sin(x * 7);
  if (isHill) return [38, 44, 66];
  if (isSun) return [255, 226, 160];
  return [Math.round(70 + 170 * y), Math.round(84 + 70 * y), Math.round(140 - 20 * y)];
}
