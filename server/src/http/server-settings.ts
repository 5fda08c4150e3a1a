import type { ServerOptions as NodeOptions } from 'node:http';
import { ArrivedRequest } from './connection.ts';
import type { ClientLimits } from './limits/client-limits.ts';
import type { HttpRequest } from './request.ts';

/** The settings of the HTTP server that do not depend on its routes. */

/** The most bytes of a request line with its headers; larger ones get a 431. */
export const headerBytesMax = 16 * 1024;

/** How large a request may be and how long its connection may take, as far as Node checks it. */
export function nodeSettingsOf({ headersMs, requestMs, idleMs, checkMs }: ClientLimits): NodeOptions {
  return {
    // Node gives it the same arguments as its own class.
    IncomingMessage: ArrivedRequest,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: headerBytesMax,
    // `assertHttp` checks this, because Node answers without a body.
    requireHostHeader: false,
  };
}

/** The header fields for pages of other origins (CORS), as the Fetch standard defines them. */
const forOrigin = {
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': [
    'x-request-id',
    'idempotent-replayed',
    'etag',
    'link',
    'allow',
    'location',
    'preference-applied',
    'ratelimit',
    'ratelimit-policy',
    'retry-after',
    'accept-ranges',
    'content-range',
  ].join(', '),
};
const forPreflight = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': [
    'authorization',
    'content-type',
    'idempotency-key',
    'if-match',
    'if-none-match',
    'prefer',
    'x-requested-with',
    'x-request-id',
    'traceparent',
    'x-weavy-source',
    'x-signalr-user-agent',
    'x-confab-user',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
  ].join(', '),
  'access-control-max-age': '600',
};

/**
 * Lets pages of some origins read the responses (CORS). Every response varies by the origin, so that a cache gives no page
 * the response of another.
 */
export function originsOf(origins: () => readonly string[]): (request: HttpRequest) => void {
  return ({ fields, headers: { origin }, method }) => {
    const allowed = origins();
    if (allowed.length === 0) return;
    fields.vary = 'Origin';
    if (origin !== undefined && allowed.includes(origin)) fields['access-control-allow-origin'] = origin;
    Object.assign(fields, forOrigin, method === 'OPTIONS' ? forPreflight : undefined);
  };
}
