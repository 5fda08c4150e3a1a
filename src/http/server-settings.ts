import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limits } from '../contract/fields.ts';
import type { Log } from '../kernel/log.ts';
import type { ClientLimits } from './client-limits.ts';
import { pathOf } from './connection.ts';

/** The settings of the HTTP server that do not depend on its routes. */

/** The most bytes of a request line with its headers; larger ones get a 431. */
export const headerBytesMax = 16 * 1024;

/** How large a request may be, and how long its connection may take. */
export function boundsOf({ requestMs, unreadMs, idleMs }: ClientLimits) {
  return {
    bodyLimit: limits.bodyBytesMax,
    // As long as a request line can be, so that every operation judges its own path.
    routerOptions: { maxParamLength: headerBytesMax, ignoreTrailingSlash: false },
    requestTimeout: requestMs,
    connectionTimeout: unreadMs,
    keepAliveTimeout: idleMs,
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
      'prefer',
      'x-requested-with',
      'x-weavy-source',
      'x-signalr-user-agent',
      'x-confab-user',
    ],
    exposedHeaders: [
      'x-request-id',
      'idempotent-replayed',
      'link',
      'preference-applied',
      'retry-after',
      'accept-ranges',
      'content-range',
    ],
    credentials: true,
    maxAge: 600,
    strictPreflight: false,
    // The route of each path answers OPTIONS, so that the response has Allow even without a browser's preflight.
    preflightContinue: true,
  });
}

/** Writes one line for each request when its response has been sent. */
export function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        request_id: request.id,
        method: request.method,
        path: loggedPathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
        user_id: request.principal?.user.id,
      },
      'request',
    );
  });
}

/** The path of a request for the log: without file names, which users choose and which may be confidential. */
function loggedPathOf(request: FastifyRequest): string {
  const path = pathOf(request.raw);
  const isNamed = request.routeOptions.url?.endsWith('/:name') === true;
  return isNamed ? `${path.slice(0, path.lastIndexOf('/'))}/:name` : path;
}
