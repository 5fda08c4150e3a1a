import { isUtf8 } from 'node:buffer';
import { isTextName } from './file-kinds.ts';
import { extensionOf } from './file-name.ts';

/** How many bytes of a file decide its type: enough for the first entries of an office document. */
export const sampleBytesMax = 64 * 1024;

const unknownType = 'application/octet-stream';

/** The only types that a browser may show: they run nothing. Everything else is saved to disk. */
const inlineTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
]);

/** Whether a browser may show a file of this type instead of saving it. */
export function isInlineType(mediaType: string): boolean {
  return inlineTypes.has(mediaType);
}

const textTypes: { readonly [extension: string]: string } = {
  csv: 'text/csv',
  json: 'application/json',
  markdown: 'text/markdown',
  md: 'text/markdown',
};

/**
 * The media type of a file by its first bytes; the uploader's declaration is ignored. A file is text when it is UTF-8
 * and its name can belong to a text. All text is plain text, so HTML, SVG and scripts never get the types that make a
 * browser run them.
 */
export async function detectMediaType(sample: Uint8Array, name: string): Promise<string> {
  const sniffed = await sniff(sample);
  if (sniffed !== undefined && !isMarkup(sniffed)) return sniffed;
  if (!isText(sample) || !isTextName(name)) return unknownType;
  return textTypes[extensionOf(name)] ?? 'text/plain';
}

async function sniff(sample: Uint8Array): Promise<string | undefined> {
  // Loaded at the first upload.
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (await fileTypeFromBuffer(sample))?.mime;
  } catch {
    // Bytes that begin like a known format but break its rules count as unknown.
    return undefined;
  }
}

function isMarkup(mediaType: string): boolean {
  return mediaType.startsWith('text/') || /\bxml$/.test(mediaType);
}

/** Whether a sample is UTF-8 without NUL; it may end inside a character. */
function isText(sample: Uint8Array): boolean {
  if (sample.includes(0)) return false;
  const cuts = sample.length < sampleBytesMax ? [0] : [0, 1, 2, 3];
  return cuts.some((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
}
