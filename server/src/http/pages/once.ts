import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Answer } from '../answers/answer.ts';
import { type Coding, codingOf, createVariants } from '../answers/compression.ts';
import { matchesEntityTag } from '../answers/download.ts';
import type { HttpRequest } from '../request.ts';

/** A complete response. A text is also sent compressed, and bytes are sent as they are. */
export type WholeAnswer = Answer & { readonly body: string | Buffer };

/** A response that is the same for every client, apart from its coding. */
export type SharedAnswer = {
  /**
   * Include the strong entity tag of the bytes, and `vary`, which names `accept-encoding` where there is a compressed form.
   */
  readonly headers: { readonly [name: string]: string | number; readonly etag: string };
  readonly whole: () => Buffer | Readable;
  readonly packed: ((coding: Coding) => Promise<Buffer>) | undefined;
};

/**
 * Serves a response that is the same for every client. It is created once, at the first request, because it may contain
 * the address of the server. All clients share its bytes, and a client with a current copy gets a 304. `isSmallest`: its text
 * is compressed as much as possible.
 */
export function serveCached(
  make: () => WholeAnswer,
  options: { readonly isSmallest?: boolean } = {},
): (raw: HttpRequest) => Promise<Answer> {
  let answer: SharedAnswer | undefined;
  return async (raw) => {
    answer ??= shared(make(), options);
    return sharedAnswer(raw, answer);
  };
}

function shared({ headers, body }: WholeAnswer, options: { readonly isSmallest?: boolean }): SharedAnswer {
  const isText = typeof body === 'string';
  const bytes = isText ? Buffer.from(body) : body;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return {
    headers: { ...headers, etag, ...(isText ? { vary: 'accept-encoding' } : {}) },
    whole: () => bytes,
    packed: isText ? createVariants(async () => bytes, options) : undefined,
  };
}

/**
 * The response in the smallest coding that the client accepts; a promise only where it is coded. The tag of a coded response
 * is weak: it has other bytes.
 */
export function sharedAnswer(
  raw: HttpRequest,
  { headers, packed, whole }: SharedAnswer,
): Answer | Promise<Answer> {
  const { etag } = headers;
  const isCurrent = matchesEntityTag(raw, etag);
  const coding = packed === undefined ? undefined : codingOf(raw);
  if (packed === undefined || coding === undefined)
    return isCurrent ? { status: 304, headers } : { status: 200, headers, body: whole() };
  const coded = { ...headers, etag: `W/${etag}` };
  if (isCurrent) return { status: 304, headers: coded };
  return packed(coding).then((body) => ({
    status: 200,
    headers: { ...coded, 'content-encoding': coding },
    body,
  }));
}
