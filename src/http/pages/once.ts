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
  /** Include `vary`, which names `accept-encoding` where there is a compressed form. */
  readonly headers: { readonly [name: string]: string | number };
  /** The strong entity tag of the bytes, in quotes. */
  readonly tag: string;
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
  let made: SharedAnswer | undefined;
  return async (raw) => {
    made ??= shared(make(), options);
    return await sharedAnswer(raw, made);
  };
}

function shared({ headers, body }: WholeAnswer, options: { readonly isSmallest?: boolean }): SharedAnswer {
  const isText = typeof body === 'string';
  const bytes = isText ? Buffer.from(body) : body;
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return {
    headers: { ...headers, vary: isText ? 'accept-encoding, origin' : 'origin' },
    tag,
    whole: () => bytes,
    packed: isText ? createVariants(async () => bytes, options) : undefined,
  };
}

/** The response in the smallest coding that the client accepts. The tag of a coded response is weak: it has other bytes. */
export async function sharedAnswer(raw: HttpRequest, made: SharedAnswer): Promise<Answer> {
  const { packed } = made;
  const coding = packed === undefined ? undefined : codingOf(raw);
  const headers = { ...made.headers, etag: coding === undefined ? made.tag : `W/${made.tag}` };
  if (matchesEntityTag(raw, made.tag)) return { status: 304, headers };
  if (packed === undefined || coding === undefined) return { status: 200, headers, body: made.whole() };
  return {
    status: 200,
    headers: { ...headers, 'content-encoding': coding },
    body: await packed(coding),
  };
}
