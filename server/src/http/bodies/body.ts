import { isUtf8 } from 'node:buffer';
import { limits } from 'confab-contract/fields.ts';
import { Problem } from 'confab-contract/problem.ts';
import { withNumbersAsTexts } from './number-sources.ts';

/** A parsed JSON body. */
export type JsonBody = {
  /** As it was sent. */
  readonly bytes: Buffer;
  readonly value: unknown;
  /** The same, but numbers that a double may change are strings with their text. */
  readonly sources: unknown;
};

/**
 * Parses a JSON body. Throws `invalid_json` unless it is exactly one valid JSON text. An empty body counts as none,
 * because existing clients announce JSON on every call and send nothing.
 */
export function readJson(bytes: Buffer): JsonBody | undefined {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not UTF-8.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw new Problem('invalid_json', 'The body begins with a byte order mark.');
  assertBounded(bytes);
  const text = bytes.toString('utf8');
  try {
    const value = JSON.parse(text) as unknown;
    const sources = withNumbersAsTexts(text);
    return { bytes, value, sources: sources === undefined ? value : JSON.parse(sources) };
  } catch (error) {
    throw unreadable(error);
  }
}

/** Reads a body of plain text, whatever its media type; throws `malformed_request` unless it is UTF-8. */
export function readText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Problem('malformed_request', 'The body is not UTF-8.');
  return bytes.toString('utf8');
}

function unreadable(cause: unknown): Problem {
  return new Problem('invalid_json', 'The body is not valid JSON.', { cause });
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/**
 * Throws `invalid_json` when the body nests too deep or has too many names or values. It counts on the bytes, before
 * parsing: JSON.parse accepts any depth, which would overflow the stack of later code, names are the most expensive to
 * parse, and every value takes memory and time until the field that is too long is refused.
 */
function assertBounded(bytes: Buffer): void {
  if (bytes.length < 2 * limits.bodyDepthMax) return;
  let depth = 0;
  let names = 0;
  let values = 0;
  let isString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (isString) {
      if (byte === backslash) i += 1;
      else if (byte === quote) isString = false;
    } else if (byte === quote) isString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > limits.bodyDepthMax)
        throw new Problem('invalid_json', `The body is nested more than ${limits.bodyDepthMax} levels deep.`);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === colon) {
      names += 1;
      if (names > limits.bodyNamesMax)
        throw new Problem('invalid_json', `The body has more than ${limits.bodyNamesMax} property names.`);
    } else if (byte === comma) values += 1;
    if (values > limits.bodyValuesMax)
      throw new Problem('invalid_json', `The body has more than ${limits.bodyValuesMax} values.`);
  }
}

const jsonType = /^application\/json\s*(?:;|$)/i;

/** Throws a 415 unless the header announces JSON in UTF-8, uncompressed. */
export function assertJsonType(contentType: string | undefined, contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported_media_type', 'Compressed bodies are not accepted.');
  if (contentType === undefined || !jsonType.test(contentType))
    throw new Problem('unsupported_media_type', 'Send the body as application/json.');
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8' && charset.toLowerCase() !== 'utf8')
    throw new Problem('unsupported_media_type', 'Send the body in UTF-8.');
}
