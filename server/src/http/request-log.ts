import type { Clock } from '../kernel/clock.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { startTimer } from '../kernel/timer.ts';
import { pathOf } from './connection.ts';
import type { HttpRequest, RequestEnd } from './request.ts';
import { endSpan } from './request-traces.ts';

/** Where lines of the log go. */
export type LogStream = { write(lines: string): void };

/** The level of the lines in the numbers of pino, which writes the other lines of the log. */
const level = 30;

/** How long a line waits for others at most, in milliseconds. */
const gatheredMs = 10;

/** Logs, counts and traces the requests of a server. */
export type Reports = {
  /**
   * Reports a request once: when its response has been sent, or when its client has hung up and it is known what the
   * request has done. Call the returned function once the response has been handed over.
   */
  follow(request: HttpRequest): () => void;
  /** Reports a request that has ended. */
  report(request: HttpRequest, end: RequestEnd): void;
  /** Writes the lines that still wait for others. */
  flush(): void;
};

/**
 * Creates the reports of a server. A line is made by hand and leaves with the others of its moment: a line of pino's and a
 * write of its own cost as much as looking up a comment.
 */
export function createReports({
  clock,
  requestLog,
  metrics,
}: {
  readonly clock: Clock;
  readonly requestLog?: LogStream | undefined;
  readonly metrics?: Metrics | undefined;
}): Reports {
  let lines = '';
  /** The beginning of the lines of one millisecond, and which one that is. */
  let start = '';
  let startAt = 0;

  function flush(): void {
    if (lines !== '') requestLog?.write(lines);
    lines = '';
  }

  function report(request: HttpRequest, end: RequestEnd): void {
    if (metrics !== undefined) countReport(metrics, request, end);
    endSpan(request, end);
    if (requestLog === undefined) return;
    if (lines === '') startTimer(gatheredMs, flush);
    const now = clock.now();
    if (now !== startAt) start = `{"level":${level},"time":${now},"request_id":"`;
    startAt = now;
    lines += start + restOfLine(request, end);
  }

  return {
    report,

    follow(request) {
      const { raw, response, startedAt } = request;
      const { socket } = raw;
      const writtenBefore = socket.bytesWritten;
      let isHandedOver = false;
      let closedAt: number | undefined;
      let abortedAtBytes: number | undefined;
      const close = () => {
        closedAt ??= performance.now();
        // What still waits in the process is lost.
        if (!response.writableFinished)
          abortedAtBytes ??= socket.bytesWritten - socket.writableLength - writtenBefore;
        if (isHandedOver) report(request, { ms: closedAt - startedAt, abortedAtBytes });
      };
      response.once('close', close);
      return () => {
        isHandedOver = true;
        if (closedAt !== undefined) close();
      };
    },

    flush,
  };
}

function countReport(
  metrics: Metrics,
  { route, response }: HttpRequest,
  { ms, abortedAtBytes }: RequestEnd,
): void {
  const operation = route?.operation?.id ?? (route === undefined ? 'unknown' : 'page');
  const labels = { operation, status: String(response.statusCode) };
  // Without the label where it says nothing, as series have been called from the beginning.
  metrics.count(
    'confab_http_requests_total',
    abortedAtBytes === undefined ? labels : { ...labels, aborted: 'true' },
  );
  // Only polls and streams of events have another media type; they last as long as their clients stay.
  if (route?.operation?.media === undefined)
    metrics.observe('confab_http_request_duration_seconds', { operation }, ms / 1000);
}

/** What a line has after its time. Only the path and the method of a request are texts that a client can choose freely. */
function restOfLine(request: HttpRequest, { ms, abortedAtBytes }: RequestEnd): string {
  const { id, clientAddress, method, operation, principal, response } = request;
  const client = clientAddress === undefined ? '' : `,"client":"${clientAddress}"`;
  const named = operation === undefined ? '' : `,"operation":"${operation.id}"`;
  const user = principal === undefined || principal.user.id === 0 ? '' : `,"user_id":${principal.user.id}`;
  const key = principal?.apiKeyId === undefined ? '' : `,"api_key_id":${principal.apiKeyId}`;
  const aborted = abortedAtBytes === undefined ? '' : `,"aborted":true,"bytes":${abortedAtBytes}`;
  return (
    `${id}"${client},"method":"${method}","path":${JSON.stringify(loggedPathOf(request))}${named}` +
    `,"status":${response.statusCode},"ms":${Math.round(ms * 1000) / 1000}${aborted}${user}${key},"msg":"request"}\n`
  );
}

/**
 * The path of a request for the log: without file names, which users choose and which may be confidential, and without
 * signatures, which let their bearer act.
 */
function loggedPathOf({ raw, pattern }: HttpRequest): string {
  const path = pathOf(raw);
  if (pattern === undefined || !/:(?:name|signature)\b/.test(pattern)) return path;
  const parts = pattern.split('/');
  return path
    .split('/')
    .map((part, index) => (/^:(?:name|signature)$/.test(parts[index] ?? '') ? parts[index] : part))
    .join('/');
}
