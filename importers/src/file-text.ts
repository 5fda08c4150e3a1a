/**
 * The text of an export, chunk by chunk. A file that is not UTF-8 is refused. Two known faults of XML are repaired here,
 * because a strict parser stops at them although no content depends on them: characters before the XML declaration (a
 * blank line, or a warning that a plugin printed) and control characters that XML 1.0 forbids (section 2.2; users paste
 * them into comments). Both leave a note.
 */
import { type ExportFile, type FilePosition, ImportError } from './import-file.ts';

/** The most characters before the XML declaration: enough for a few printed warnings, but not for another document. */
const preambleCharactersMax = 4096;

// All characters that XML 1.0 forbids; the allowed range contains the halves of surrogate pairs.
const forbiddenCharacters = /[^\t\n\r -\uFFFD]/g;

/** The faults that were repaired while reading. */
export interface FileRepairs {
  preamble: string;
  forbiddenCount: number;
}

/** The text of an XML file, which begins at the XML declaration if there is one. Counts the repaired faults. */
export async function* xmlText(file: ExportFile, repairs: FileRepairs): AsyncGenerator<string> {
  let isFirst = true;
  for await (const text of fileText(file)) {
    yield repair(isFirst ? withoutPreamble(text, repairs) : text, repairs);
    isFirst = false;
  }
}

/**
 * Reads the file as text, in chunks of at most 64 KiB. Throws `ImportError` for an empty file, another encoding, an
 * archive, a database and invalid UTF-8.
 */
export async function* fileText({ name: path, bytes: chunks }: ExportFile): AsyncGenerator<string> {
  let pending = Buffer.alloc(0);
  let position: FilePosition = { line: 1, column: 1 };
  let isFirst = true;
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([pending, chunk]);
    if (isFirst) refuseForeignBytes(path, bytes);
    const tail = incompleteTail(bytes);
    pending = bytes.subarray(bytes.length - tail);
    const text = decode(path, bytes.subarray(0, bytes.length - tail), position);
    position = advance(position, text);
    yield text;
    isFirst = false;
  }
  if (isFirst) throw new ImportError(path, 'the file is empty');
  if (pending.length > 0) throw new ImportError(path, 'the file ends in the middle of a character', position);
}

/** The position after `text`, which begins at `position`. */
export function advance(position: FilePosition, text: string): FilePosition {
  const lastBreak = text.lastIndexOf('\n');
  if (lastBreak < 0) return { line: position.line, column: position.column + text.length };
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++;
  return { line: position.line + breaks, column: text.length - lastBreak };
}

function refuseForeignBytes(path: string, bytes: Buffer): void {
  const magic = bytes.toString('latin1', 0, 4);
  if (magic.startsWith('\x1F\x8B'))
    throw new ImportError(path, 'the file is packed twice: unpack it with gunzip first');
  if (magic.startsWith('PK\x03\x04'))
    throw new ImportError(path, 'the file is a zip archive: unpack it, and import each file in it');
  if (magic === 'SQLi') throw new ImportError(path, 'the file is a SQLite database');
  if (/^(?:\xFE\xFF|\xFF\xFE|\0[<[{]|[<[{]\0)/.test(magic))
    throw new ImportError(
      path,
      'the file is encoded in UTF-16: convert it with iconv -f UTF-16 -t UTF-8 first',
    );
  const head = bytes.toString('latin1', 0, preambleCharactersMax);
  // A comment in JSON may quote a declaration of XML.
  if (/^(?:\xEF\xBB\xBF)?\s*[[{]/.test(head)) return;
  const encoding = /<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1];
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding))
    throw new ImportError(
      path,
      `the file declares the encoding ${JSON.stringify(encoding)}: convert file and declaration to UTF-8 first`,
    );
}

/** The number of bytes at the end that begin a UTF-8 character which the next chunk completes: 0 to 3. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function decode(path: string, bytes: Buffer, start: FilePosition): string {
  const text = decodeOrUndefined(bytes, bytes.length);
  if (text !== undefined) return text;
  // Exactly the prefixes up to the faulty character can be decoded, so a binary search finds it.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decodeOrUndefined(bytes, middle) === undefined) bad = middle;
    else good = middle;
  }
  const place = advance(start, decodeOrUndefined(bytes, good) ?? '');
  throw new ImportError(path, 'the file is not valid UTF-8 here', place);
}

function decodeOrUndefined(bytes: Buffer, length: number): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function withoutPreamble(text: string, repairs: FileRepairs): string {
  const start = text.slice(0, preambleCharactersMax).indexOf('<?xml');
  if (start <= 0) return text;
  repairs.preamble = text.slice(0, start);
  return text.slice(start);
}

function repair(text: string, repairs: FileRepairs): string {
  return text.replace(forbiddenCharacters, () => {
    repairs.forbiddenCount++;
    return '';
  });
}
