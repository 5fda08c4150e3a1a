import type { ExternalBlobCreate } from '../../contract/blobs.ts';
import { invalidField } from '../../kernel/problem.ts';
import { cleanName } from './blob-name.ts';
import type { BlobRow } from './blobs.store.ts';

/** The most bytes of what a provider says about a file, as text. */
const rawBytesMax = 64 * 1024;

/** An upload is kept here and nowhere else. */
export const noOtherPlace = { provider: null, link: null, download: null, embed: null, raw: null } as const;

/**
 * Prepares what a request says about something kept elsewhere. Throws `validation_failed` for a name without a visible
 * character and for addresses that a browser would run or that hide their host behind a user name.
 */
export function prepareExternal(sent: ExternalBlobCreate): Omit<BlobRow, 'id' | 'key' | 'createdById'> {
  const name = cleanName(sent.name);
  if (name === undefined) throw invalidField('/name', 'required', 'must have a visible character');
  const provider = sent.provider.trim();
  if (provider === '') throw invalidField('/provider', 'required', 'must have a visible character');
  return {
    provider,
    link: readAddress(sent.link, '/link'),
    download: sent.download === undefined ? null : readAddress(sent.download, '/download'),
    embed: sent.embed === undefined ? null : readAddress(sent.embed, '/embed'),
    raw: readRaw(sent.raw),
    name,
    mediaType: sent.media_type === undefined ? 'application/octet-stream' : readMediaType(sent.media_type),
    size: sent.size ?? 0,
    ...(sent.width === undefined || sent.height === undefined
      ? { width: null, height: null }
      : { width: sent.width, height: sent.height }),
  };
}

/** The normal form of an address, which holds no quotes or spaces. */
function readAddress(sent: string, pointer: string): string {
  const url = URL.canParse(sent) ? new URL(sent) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw invalidField(pointer, 'invalid', 'must be an http or https address');
  if (url.username !== '' || url.password !== '')
    throw invalidField(pointer, 'invalid', 'must have no user name or password');
  return url.href;
}

// RFC 6838 section 4.2: two restricted names.
const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

function readMediaType(sent: string): string {
  const folded = sent.toLowerCase();
  if (!mediaType.test(folded)) throw invalidField('/media_type', 'invalid', 'must be a media type');
  return folded;
}

function readRaw(sent: unknown): string | null {
  if (sent === undefined || sent === null) return null;
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  if (Buffer.byteLength(text) > rawBytesMax)
    throw invalidField('/raw', 'too_long', `must have at most ${rawBytesMax} bytes`);
  return text;
}
