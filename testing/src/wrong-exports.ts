import { gzipSync } from 'node:zlib';
import { disqusExport } from './disqus-export.ts';

/** Files that are no export of Disqus, each of any size. */

/** The sizes of wrong files: none, and the powers of two from one byte to 1 MiB. */
export const wrongSizes: readonly number[] = [0, ...Array.from({ length: 21 }, (_, power) => 2 ** power)];

/** Bytes that look random and pack badly, the same each time. */
function noise(size: number): Buffer {
  let state = 1;
  return Buffer.from(
    Uint8Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 16;
    }),
  );
}

/** The first `size` bytes of `start` and of `rest` again and again. */
function filled(size: number, start: string, rest: string): Buffer {
  const head = Buffer.from(start).subarray(0, size);
  return Buffer.concat([head, Buffer.alloc(size - head.length, rest)]);
}

/** A good export of more than `size` bytes, of which packing leaves about as many. */
function goodExport(size: number, text: string): string {
  return disqusExport(3, {
    text: text.repeat(Math.ceil((size + 1) / (text.length + 1))),
    page: 'wrong.example/cut',
  });
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n';

/** The kinds of wrong files, each with what the refusal says of one that is larger than 1 KiB. */
export const wrongKinds: {
  readonly [kind: string]: { readonly bytes: (size: number) => Buffer; readonly says: RegExp };
} = {
  'zeros after a declaration': { bytes: (size) => filled(size, declaration, '\0'), says: /cut off|not XML/ },
  zeros: { bytes: (size) => Buffer.alloc(size), says: /cut off|not XML/ },
  tags: { bytes: (size) => filled(size, '', '<a>'), says: /not an export of Disqus|no export of Disqus|<a>/ },
  'nested tags of an export': {
    bytes: (size) => filled(size, '<disqus xmlns="http://disqus.com">', '<thread>'),
    says: /elements nest deeper than 64/,
  },
  noise: { bytes: noise, says: /UTF-8|not XML/ },
  JSON: { bytes: (size) => filled(size, '[0', ',{"comment":1}'), says: /not XML: it begins with "\["/ },
  HTML: {
    bytes: (size) => filled(size, '<!DOCTYPE html><html>', '<p>Words'),
    says: /document type declaration/,
  },
  'an export that is cut off': {
    bytes: (size) => Buffer.from(goodExport(size, 'Words ')).subarray(0, size),
    says: /cut off/,
  },
  'a packed file that is no export': {
    bytes: (size) => gzipSync(filled(size, '', '<a>'), { level: 0 }),
    says: /<a>/,
  },
  'a packed file that is cut off': {
    bytes: (size) => gzipSync(goodExport(size, noise(size).toString('hex')), { level: 1 }).subarray(0, size),
    says: /packed file is cut off/,
  },
  'a packed file that is damaged': {
    bytes: (size) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), noise(size)]).subarray(0, size),
    says: /packed file is damaged/,
  },
};
