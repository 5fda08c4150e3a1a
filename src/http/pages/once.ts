import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { matchesEntityTag } from '../download.ts';
import type { Answer } from '../server.ts';

/** A whole answer of text. */
export type TextAnswer = Answer & { readonly body: string };

/**
 * Serves an answer that is the same for every client. It is made once, at the first request, because it may hold the
 * address of the server; from then on all clients share its bytes, and one that still has them gets a 304.
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
