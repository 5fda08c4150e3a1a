import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limits } from '../contract/fields.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { ArrivedRequest, pathOf } from './connection.ts';
import type { ClientLimits } from './limits/client-limits.ts';

/** The settings of the HTTP server that do not depend on its routes. */

/** The most bytes of a request line with its headers; larger ones get a 431. */
const headerBytesMax = 16 * 1024;

/** How large a request may be, and how long its connection may take. */
export function boundsOf({ requestMs, unreadMs, idleMs }: ClientLimits) {
  return {
    bodyLimit: limits.bodyBytesMax,
    // As long as a request line can be, so that every operation checks its own path.
    routerOptions: { maxParamLength: headerBytesMax, ignoreTrailingSlash: false },
    requestTimeout: requestMs,
    connectionTimeout: unreadMs,
    keepAliveTimeout: idleMs,
  };
}

/** The same for what Node checks of each connection before there is a request. */
export function nodeSettingsOf({ headersMs, checkMs }: ClientLimits) {
  return {
    IncomingMessage: ArrivedRequest,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: headerBytesMax,
    // `assertHttp` checks this, because Node answers without a body.
    requireHostHeader: false,
  };
}

/** Lets pages of some origins read the responses (CORS). */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
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
    ],
    exposedHeaders: [
      'x-request-id',
      'idempotent-replayed',
      'etag',
      'link',
      'location',
      'preference-applied',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'accept-ranges',
      'content-range',
    ],
    credentials: true,
    maxAge: 600,
    strictPreflight: false,
    // `server.ts` answers OPTIONS at each path, so that the response has Allow even without a browser's preflight.
    preflightContinue: true,
  });
}

/** The most origins that are logged: their number is up to clients. */
const loggedOriginsMax = 100;

/**
 * Logs once for each origin whose pages are refused (CORS), because only the console of a visitor's browser shows it
 * otherwise. Requests of the server's own pages have an origin as well.
 */
export function createOriginLog(options: {
  readonly allowed: readonly string[];
  readonly publicUrl: () => string;
  readonly log: Log;
}): (request: FastifyRequest) => void {
  const known = new Set(options.allowed);
  let logged = 0;
  return (request) => {
    const { origin, host } = request.headers;
    if (origin === undefined || known.has(origin) || logged === loggedOriginsMax) return;
    const isForAll = !/^\/(?:api|hubs|version)\b/.test(patternOf(request) ?? '');
    const own = [`http://${host}`, `https://${host}`, new URL(options.publicUrl()).origin];
    if (isForAll || own.includes(origin)) return;
    known.add(origin);
    logged += 1;
    options.log.warn(
      { origin },
      origin === 'null'
        ? 'a page without an origin, such as a local file, cannot call the server: open it over http'
        : 'pages of this origin cannot call the server: add it to CONFAB_CORS_ORIGINS',
    );
  };
}

/** Logs and counts each request when its response has been sent. */
export function reportRequests(
  app: FastifyInstance,
  { log, metrics }: { log: Log; metrics?: Metrics | undefined },
): void {
  app.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (metrics !== undefined) {
      const name = operation?.id ?? (isWithoutRoute(request) ? 'unknown' : 'page');
      metrics.count('confab_http_requests_total', { operation: name, status: String(reply.statusCode) });
      // Only polls and streams of events have another media type; they last as long as their clients stay.
      if (operation?.media === undefined)
        metrics.observe(
          'confab_http_request_duration_seconds',
          { operation: name },
          reply.elapsedTime / 1000,
        );
    }
    log.info(
      {
        request_id: request.id,
        client: request.clientAddress,
        method: request.method,
        path: loggedPathOf(request),
        operation: operation?.id,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
        user_id: request.principal?.user.id,
        api_key_id: request.principal?.apiKeyId,
      },
      'request',
    );
  });
}

/** Whether a request has no route of its own: OPTIONS has one for all paths, where CORS is on, and none elsewhere. */
export function isWithoutRoute({ is404, method, routeOptions }: FastifyRequest): boolean {
  return is404 || method === 'OPTIONS' || routeOptions.config.isHidden === true;
}

/** The path of a request in the syntax of the router; undefined where nothing is served. */
function patternOf({ routeOptions, pathWithoutRoute }: FastifyRequest): string | undefined {
  return pathWithoutRoute ?? routeOptions.url;
}

/**
 * The path of a request for the log: without file names, which users choose and which may be confidential, and without
 * signatures, which let their bearer act.
 */
function loggedPathOf(request: FastifyRequest): string {
  const path = pathOf(request.raw);
  const parts = patternOf(request)?.split('/') ?? [];
  if (!parts.includes(':name') && !parts.includes(':signature')) return path;
  return path
    .split('/')
    .map((part, index) => (/^:(?:name|signature)$/.test(parts[index] ?? '') ? parts[index] : part))
    .join('/');
}
