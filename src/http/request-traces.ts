import type { Span, Traces } from '../kernel/traces.ts';
import type { HttpRequest } from './request.ts';

/** Begins the span of a request, which ends with its response; undefined if it is not traced. */
export function beginSpan(traces: Traces, request: HttpRequest): Span | undefined {
  const { operation, headers, response } = request;
  const sent = headers.traceparent;
  const span = traces.request(operation?.id ?? 'page', typeof sent === 'string' ? sent : undefined);
  if (span === undefined) return undefined;
  response.once('finish', () => {
    const status = response.statusCode;
    span.end(
      {
        'http.request.method': request.method,
        'http.route': request.route?.path ?? '',
        'http.response.status_code': status,
        'confab.request_id': request.id,
      },
      status >= 500 ? `status ${status}` : undefined,
    );
  });
  return span;
}
