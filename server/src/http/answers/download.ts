import { Readable } from 'node:stream';
import { Problem } from 'confab-contract/problem.ts';
import type { HttpRequest } from '../request.ts';
import type { Answer } from './answer.ts';

/** A file to be sent. */
export type Download = {
  readonly name: string;
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  /** Its strong entity tag, in quotes. */
  readonly tag: string;
  /** Whether a browser may show it; otherwise it saves it under its name. */
  readonly isInline: boolean;
  readonly read: (range: ByteRange) => Promise<Readable>;
  /** The address of the file in external storage, for the given headers; absent when this server sends the file. */
  readonly addressOf?: (headers: { mediaType: string; disposition: string }) => Promise<string>;
};

/** How long a browser may use its copy without revalidation, in seconds. The content of an address never changes. */
const cacheSeconds = 3600;

/** The query of a signed address: its signature, and whether a browser should save the file (`d=1`). */
export function readSigned(request: HttpRequest): {
  proof: { expires: string; signature: string };
  isSaved: boolean;
} {
  const query = new URL(request.url, 'http://localhost').searchParams;
  return {
    proof: { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' },
    isSaved: query.get('d') === '1',
  };
}

type ByteRange = { readonly start: number; readonly end: number };

/**
 * Answers a request for a file: the whole file, a single range, or 304 for a current copy (RFC 9110 sections 13 and 14).
 * Browsers never execute the response, whatever its bytes are. Throws `range_not_satisfiable`.
 */
export async function downloadAnswer(request: HttpRequest, file: Download): Promise<Answer> {
  const headers = {
    etag: file.tag,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${cacheSeconds}`,
    'content-security-policy': "default-src 'none'; sandbox",
  };
  if (matchesEntityTag(request, file.tag)) return { status: 304, headers };
  // The storage also answers ranges. A HEAD request is answered here, because the address is signed for GET only.
  if (file.addressOf !== undefined && request.method === 'GET' && file.size > 0) {
    const headers = { mediaType: file.mediaType, disposition: disposition(file) };
    return { status: 302, headers: { location: await file.addressOf(headers), 'cache-control': 'no-store' } };
  }
  const range = readRange(request, file);
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${file.size}` }),
      'content-type': file.mediaType.startsWith('text/')
        ? `${file.mediaType}; charset=utf-8`
        : file.mediaType,
      'content-length': end - start + 1,
      'content-disposition': disposition(file),
    },
    body: request.method === 'HEAD' || end < start ? Readable.from([]) : await file.read({ start, end }),
  };
}

/** Whether If-None-Match has the strong tag `tag`, so that the client's copy is current (RFC 9110 section 13.1.2). */
export function matchesEntityTag(request: HttpRequest, tag: string): boolean {
  const entityTags = request.headers['if-none-match'];
  if (entityTags === undefined) return false;
  return entityTags.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}

/** The requested range. An unreadable header and several ranges count as none. */
function readRange(request: HttpRequest, { size, tag }: Download): ByteRange | undefined {
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== tag) return undefined;
  const match = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(request.headers.range ?? '');
  const [first = '', last = ''] = match?.slice(1) ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end)
    throw new Problem('range_not_satisfiable', `The file has ${size} bytes.`, {
      headers: { 'content-range': `bytes */${size}` },
    });
  return { start, end };
}

/** RFC 6266: an ASCII name for every client, and the real name. */
function disposition(file: Download): string {
  // Percent signs are replaced too: some browsers decode them in the ASCII form, which RFC 6266 leaves open.
  const ascii = file.name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(file.name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${file.isInline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
