import type { ExternalBlobCreate } from 'confab-contract/blobs.ts';
import { invalidField } from 'confab-contract/problem.ts';
import type { BlobRow } from '../../access/blob/blob.sql.ts';
import { safeAddress } from '../../kernel/web-address.ts';
import { readName } from '../media/file-name.ts';

/** The most bytes, as text, of a provider's data about a file. */
const rawBytesMax = 64 * 1024;

/** The columns of an upload, which has no address elsewhere. */
export const noExternalAddress = {
  provider: null,
  link: null,
  download: null,
  embed: null,
  raw: null,
} as const;

/**
 * The readers of a body about a file stored elsewhere. They refuse a name without a visible character, and addresses
 * that a browser would run or that hide their host behind a user name.
 */
export const externalReaders = {
  name: readName,
  provider: readProvider,
  link: (input: string) => readAddress(input, '/link'),
  download: (input: string) => readAddress(input, '/download'),
  embed: (input: string) => readAddress(input, '/embed'),
  media_type: readMediaType,
  raw: readRaw,
} as const;

/** The columns of a blob stored elsewhere, from a body whose fields were read. */
export function externalBlobOf(input: ExternalBlobCreate): Omit<BlobRow, 'id' | 'key' | 'createdById'> {
  return {
    provider: input.provider,
    link: input.link,
    download: input.download ?? null,
    embed: input.embed ?? null,
    raw: (input.raw as string | undefined) ?? null,
    name: input.name,
    mediaType: input.media_type ?? 'application/octet-stream',
    size: input.size ?? 0,
    ...(input.width === undefined || input.height === undefined
      ? { width: null, height: null }
      : { width: input.width, height: input.height }),
  };
}

function readProvider(input: string): string {
  const provider = input.trim();
  if (provider === '') throw invalidField('/provider', 'required', 'must have a visible character');
  return provider;
}

/** The normal form of an address, without quotes or spaces. */
function readAddress(input: string, pointer: string): string {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw invalidField(pointer, 'invalid', 'must be an http or https address');
  if (url.username !== '' || url.password !== '')
    throw invalidField(pointer, 'invalid', 'must have no user name or password');
  return safeAddress(url.href);
}

// RFC 6838 section 4.2: two restricted names.
const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

function readMediaType(input: string): string {
  const folded = input.toLowerCase();
  if (!mediaType.test(folded)) throw invalidField('/media_type', 'invalid', 'must be a media type');
  return folded;
}

function readRaw(input: unknown): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  if (Buffer.byteLength(text) > rawBytesMax)
    throw invalidField('/raw', 'too_long', `must have at most ${rawBytesMax} bytes`);
  return text;
}
