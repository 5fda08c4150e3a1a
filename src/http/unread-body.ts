import type { IncomingMessage } from 'node:http';
import { Problem } from '../kernel/problem.ts';

/**
 * How many bytes of a refused body are read before the response. A client that is still sending does not read, so a
 * response that closes the connection would be lost, and a proxy would report the broken connection instead. Longer
 * bodies are cut anyway.
 */
const discardedBytesMax = 64 * 1024 * 1024;

const discards = new WeakMap<IncomingMessage, Promise<void>>();

/**
 * Reads the rest of the body of a request and drops it; resolves at its end, or at a bound, once for each request. Time is
 * bounded by that of the whole request (`ClientLimits.requestMs`).
 */
export async function discardBody(raw: IncomingMessage): Promise<void> {
  const discard = discards.get(raw) ?? readToEnd(raw);
  discards.set(raw, discard);
  await discard;
}

async function readToEnd(raw: IncomingMessage): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return;
  let discarded = 0;
  await new Promise<void>((resolve) => {
    raw.on('data', (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > discardedBytesMax) resolve();
    });
    raw.on('end', resolve);
    raw.on('close', resolve);
    raw.resume();
  });
}

/** Whether a status refuses a body of which the rest is not parsed, so that its connection is closed. */
export function isOfUnreadBody(status: unknown): boolean {
  return status === 413 || status === 415;
}

/** Drops the rest of the body of a request that `error` refuses, an error of ours or of the framework. */
export async function discardRefused(raw: IncomingMessage, error: unknown): Promise<void> {
  const status = error instanceof Problem ? error.status : Object(error).statusCode;
  if (isOfUnreadBody(status)) await discardBody(raw);
}
