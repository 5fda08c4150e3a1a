import type { Span, Traces } from '../kernel/traces.ts';
import type { HttpRequest, RequestEnd } from './request.ts';

/** Begins the span of a request, which the report of it ends; undefined if it is not traced. */
export function beginSpan(traces: Traces, request: HttpRequest): Span | undefined {
  const { operation, headers } = request;
  const header = headers.traceparent;
  request.span = traces.request(operation?.id ?? 'page', typeof header === 'string' ? header : undefined);
  return request.span;
}

/** Ends the span of a request, if it has one. */
export function endSpan(request: HttpRequest, { abortedAtBytes }: Pick<RequestEnd, 'abortedAtBytes'>): void {
  const { span, response } = request;
  if (span === undefined) return;
  const status = response.statusCode;
  span.end(
    {
      'http.request.method': request.method,
      'http.route': request.route?.path ?? '',
      'http.response.status_code': status,
      'confab.request_id': request.id,
      ...(abortedAtBytes !== undefined && {
        'confab.aborted': 'true',
        'http.response.size': abortedAtBytes,
      }),
    },
    status >= 500 ? `status ${status}` : undefined,
  );
}
