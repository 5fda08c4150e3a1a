import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { matchesEntityTag } from '../download.ts';
import type { Answer } from '../server.ts';

/** A complete text response. */
export type TextAnswer = Answer & { readonly body: string };

/**
 * Serves a response that is the same for every client. It is created once, at the first request, because it may contain
 * the address of the server. All clients share its bytes, and a client with a current copy gets a 304.
 */
export function serveCached(make: () => TextAnswer): (raw: FastifyRequest) => Answer {
  let made: { readonly whole: Answer; readonly tag: string } | undefined;
  return (raw) => {
    made ??= tagged(make());
    const { whole, tag } = made;
    return matchesEntityTag(raw, tag) ? { status: 304, headers: { ...whole.headers } } : whole;
  };
}

function tagged({ status, headers, body }: TextAnswer): { whole: Answer; tag: string } {
  const bytes = Buffer.from(body);
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { whole: { status, headers: { ...headers, etag: tag }, body: bytes }, tag };
}
