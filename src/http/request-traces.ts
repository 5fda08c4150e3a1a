import type { FastifyInstance } from 'fastify';
import type { Span, Traces } from '../kernel/traces.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined;
  }
}

/** Has each request traced from its first hook to the end of its response. Call it before other hooks are added. */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config;
    const sent = request.headers.traceparent;
    request.span = traces.request(operation?.id ?? 'page', typeof sent === 'string' ? sent : undefined);
    if (request.span === undefined) done();
    else traces.within(request.span, done);
  });
  // The body was read in events of its socket, which know nothing of the request.
  app.addHook('preValidation', ({ span }, _reply, done) => {
    if (span === undefined) done();
    else traces.within(span, done);
  });
  app.addHook('onResponse', async ({ span, method, id, routeOptions }, reply) => {
    const status = reply.statusCode;
    span?.end(
      {
        'http.request.method': method,
        'http.route': routeOptions.url ?? '',
        'http.response.status_code': status,
        'confab.request_id': id,
      },
      status >= 500 ? `status ${status}` : undefined,
    );
  });
}
