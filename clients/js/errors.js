/** Errors of the client. Both have a `cause` where something else has failed. */

/** The server refused a request, or failed at it. `problem` is the whole body of the response (RFC 9457). */
export class ProblemError extends Error {
  constructor(status, problem, headers) {
    super(problem.detail ?? problem.title ?? `the server returned ${status}`);
    this.name = 'ProblemError';
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id ?? headers.get('x-request-id') ?? undefined;
    this.problem = problem;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  }
}

/** There was no complete response: the connection failed or took too long. Whether the server acted is unknown. */
export class ConnectionError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'ConnectionError';
  }
}
