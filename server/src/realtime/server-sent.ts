import { Readable } from 'node:stream';
import type { Wire } from './wire.ts';

/** The headers of a streamed response, which proxies must not buffer. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

const dataBegin = Buffer.from('data: ');
const dataEnd = Buffer.from('\n\n');

/** A wire of server-sent events, and the body that carries it. Records have no line breaks, so each fits on one line. */
export function serverSentWire(onGone: () => void): { wire: Wire; body: Readable } {
  const body = new Readable({ read: () => undefined, destroy: (error, done) => done(error) });
  body.once('close', onGone);
  // The first bytes send the headers.
  body.push(':\n\n');
  let isEnded = false;
  function push(...pieces: readonly Buffer[]): void {
    if (isEnded || body.destroyed) return;
    for (const piece of pieces) body.push(piece);
  }
  return {
    body,
    wire: {
      send: (records) => push(dataBegin, records, dataEnd),
      waitingBytes: () => body.readableLength,
      probe: () => undefined,
      end: () => {
        isEnded = true;
        if (!body.destroyed) body.push(null);
      },
      cut: () => void body.destroy(),
    },
  };
}
