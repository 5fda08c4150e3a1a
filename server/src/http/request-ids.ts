import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Ids that common proxies and clients send: safe in a log, and short enough for one. */
const wellFormed = /^[\w.:+/=-]{1,128}$/;

/**
 * Gives each request an id: the one that its client or a proxy sends as `X-Request-Id`, if it has up to 128 letters, digits
 * and the signs `_.:+/=-`, else one that is unique across processes.
 */
export function requestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(6).toString('hex');
  let requests = 0;
  return ({ headers }) => {
    const header = headers['x-request-id'];
    if (typeof header === 'string' && wellFormed.test(header)) return header;
    requests += 1;
    return `${prefix}-${requests.toString(36)}`;
  };
}
