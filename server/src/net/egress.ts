/**
 * Every request to a URL that a user chose goes through this module.
 *
 * Players: `checkTarget` checks the URL as text, the connector (connector.ts) checks addresses and opens
 * sockets, an undici agent pools the sockets by origin, and this module enforces the deadline and the limits.
 * Reused sockets do not bypass the guard: a pooled socket belongs to one origin and to an address that was
 * permitted when it was opened. It leaves the pool a minute later, so that a change of DNS takes effect.
 * Redirects are returned like any other response and never followed; proxy variables of the environment are
 * never read; bodies are never decompressed.
 */
import type { Agent } from 'undici';
import { type ConnectErrorCode, ConnectFailure, createConnector, type Dial } from './connector.ts';
import { DeadlinePassed, type Exchange, exchange, type Received } from './exchange.ts';
import { type OnRefused, urlRefusal } from './refusals.ts';
import type { Resolver } from './resolver.ts';
import type { EgressRules } from './rules.ts';
import { createTargetCheck } from './target.ts';
import { undici } from './undici.ts';

/**
 * Why there is no response.
 *
 * `blocked_address`: the guard refused the URL or an address. `connect_refused`: no TCP connection. `connect_timeout`:
 * none, or no TLS, in time. `tls_error`: handshake or certificate. `reset`: the peer closed before the response was
 * complete. `timeout`: the headers or the whole response took too long. `invalid_response`: not HTTP/1.1.
 * `header_overflow`: headers beyond 16 KiB. `dns_not_found`: the name does not exist. `dns_no_address`: the name exists
 * but has no address. `dns_timeout`: name servers do not respond. `dns_error`: they fail.
 */
export type EgressErrorCode = ConnectErrorCode | 'timeout' | 'invalid_response' | 'header_overflow';

/** The peer responded, with any status. */
export type EgressAnswer = {
  readonly answered: true;
  readonly statusCode: number;
  /** By lower-case name, repeated fields joined by a comma, at most `HEADER_BYTES_KEPT`; cookies are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes as received: in any encoding, possibly compressed, possibly not text. */
  readonly body: Buffer;
  /** Whether the body had more bytes than were kept. */
  readonly truncated: boolean;
  /** From the call to the end of reading, on the monotonic clock; includes the wait for a free socket. */
  readonly durationMs: number;
};

/** No complete response arrived. */
export type EgressFailure = {
  readonly answered: false;
  readonly errorCode: EgressErrorCode;
  /** True when the URL itself is refused, so that no retry can succeed under the same configuration. */
  readonly permanent: boolean;
  /** The code of Node, OpenSSL or undici, for the operator's log; never show it to the client that chose the URL. */
  readonly cause?: string;
  readonly durationMs: number;
};

/** The outcome of a request. */
export type EgressResult = EgressAnswer | EgressFailure;

type EgressRequest = {
  readonly headers: Readonly<Record<string, string>>;
  /** Replaces the deadline for this request. */
  readonly timeoutMs?: number;
  /** Aborts the request, for example at shutdown; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

/** A request that sends a body; `BODY_BYTES_KEPT` of the response are kept. */
export type EgressPost = EgressRequest & { readonly body: string | Buffer };

/**
 * A request that sends a body and gets the response as it arrives, at most `bodyBytesMax` bytes of it. `onData` gets the
 * status and each piece; when it returns false, the connection is cut. It must not throw.
 */
export type EgressStream = EgressPost & {
  readonly bodyBytesMax: number;
  readonly onData: (statusCode: number, chunk: Buffer) => boolean;
};

/** A request that reads a document; at most `bodyBytesMax` bytes are read and kept, then the connection is cut. */
export type EgressGet = EgressRequest & { readonly bodyBytesMax: number };

/** Sends guarded requests until closed. */
export type Egress = {
  /**
   * Sends `body` to `url` and reads the response within the limits. Network failures are returned, never thrown.
   *
   * @throws the reason of `signal`, an error of undici for headers that are not valid in HTTP, or for use after close.
   */
  post(url: string, options: EgressPost): Promise<EgressResult>;
  /** Sends `body` in the same way, but gives the response to `onData`; `body` of the result is empty. */
  stream(url: string, options: EgressStream): Promise<EgressResult>;
  /** Reads `url` in the same way. To follow a redirect, call it again, so that each hop is checked. */
  get(url: string, options: EgressGet): Promise<EgressResult>;
  /** Waits for running requests, within their deadline, then closes all sockets. Idempotent. */
  close(): Promise<void>;
};

/** Time limits in milliseconds. */
export type EgressTimeouts = {
  /** From the call to the last byte, including 1xx responses and a slow body. */
  readonly totalMs: number;
  readonly dnsMs: number;
  /** TCP and TLS; ends up to a second late, since undici's timer is coarse. */
  readonly connectMs: number;
  /** Silence before the headers, ended up to a second late; each 1xx response restarts it, within `totalMs`. */
  readonly headersMs: number;
};

/** The parts of an egress. */
export type EgressOptions = {
  readonly rules: EgressRules;
  readonly resolver: Resolver;
  readonly dial?: Dial | undefined;
  /** Called for requests that the operator's settings do not permit. */
  readonly onRefused?: OnRefused | undefined;
  readonly timeouts?: Partial<EgressTimeouts> | undefined;
  /** Sockets to one origin, at least 1; further requests wait for one within their deadline. */
  readonly socketsPerOriginMax?: number;
};

/** Kept of the response to a `post`: enough to recognise any error page, little enough to store for each attempt. */
export const BODY_BYTES_KEPT = 16 * 1024;

/** Kept of the headers, names and values with four bytes of punctuation each. */
export const HEADER_BYTES_KEPT = 8 * 1024;

/** The most header bytes; Node's default, explicit because a flag of Node could raise it. */
const HEADER_BYTES_READ = 16 * 1024;

/** Slow enough for a receiver that wakes up first, fast enough that a dead one does not hold a slot for long. */
const DEFAULT_TIMEOUTS: EgressTimeouts = {
  totalMs: 15_000,
  dnsMs: 3_000,
  connectMs: 5_000,
  headersMs: 10_000,
};

const DEFAULT_SOCKETS_PER_ORIGIN = 8;

/** How long a socket serves after it was opened, which bounds how long an outdated address is used. */
const SOCKET_LIFE_MS = 60_000;

/** Creates an egress. It opens no connection before the first request. */
export function createEgress({ timeouts, socketsPerOriginMax, ...options }: EgressOptions): Egress {
  const { rules, onRefused } = options;
  const checkTarget = createTargetCheck(rules);
  const { totalMs, dnsMs, connectMs, headersMs } = { ...DEFAULT_TIMEOUTS, ...timeouts };
  const open = () => {
    const { Agent } = undici();
    return new Agent({
      connect: createConnector({ ...options, dnsTimeoutMs: dnsMs, connectTimeoutMs: connectMs }),
      connections: socketsPerOriginMax ?? DEFAULT_SOCKETS_PER_ORIGIN,
      clientTtl: SOCKET_LIFE_MS,
      keepAliveMaxTimeout: SOCKET_LIFE_MS,
      // Pipelined requests on one socket would wait for the slowest.
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: HEADER_BYTES_READ,
      headersTimeout: headersMs,
      // This limit measures silence, which a slow body avoids; the deadline covers the whole request.
      bodyTimeout: 0,
    });
  };
  let agent: Agent | undefined;
  let closing: Promise<void> | undefined;

  /** The agent, which refuses requests after `close`. */
  function opened(): Agent {
    if (agent !== undefined) return agent;
    agent = open();
    if (closing !== undefined) closing = agent.close();
    return agent;
  }

  async function send(url: string, request: Sending): Promise<EgressResult> {
    const startedAt = performance.now();
    const durationMs = (): number => performance.now() - startedAt;
    request.signal?.throwIfAborted();
    const target = checkTarget(url);
    if (!target.ok) {
      const refusal = urlRefusal(url, target.code);
      if (refusal !== undefined) onRefused?.(refusal);
      return {
        answered: false,
        errorCode: 'blocked_address',
        permanent: true,
        cause: target.code,
        durationMs: durationMs(),
      };
    }
    try {
      const received = await exchange(opened(), target.url, { timeoutMs: totalMs, ...request });
      return {
        answered: true,
        ...received,
        headers: keepHeaders(received.headers),
        durationMs: durationMs(),
      };
    } catch (error) {
      request.signal?.throwIfAborted();
      const errorCode = errorCodeOf(error);
      if (errorCode === undefined) throw error;
      const cause = codeOf(error instanceof ConnectFailure ? error.cause : error);
      return {
        answered: false,
        errorCode,
        permanent: false,
        ...(cause === '' ? {} : { cause }),
        durationMs: durationMs(),
      };
    }
  }

  return {
    post: (url, options) => send(url, { ...options, method: 'POST', bodyBytesMax: BODY_BYTES_KEPT }),
    stream: (url, options) => send(url, { ...options, method: 'POST' }),
    get: (url, options) => send(url, { ...options, method: 'GET', body: null }),
    close: () => {
      closing ??= agent?.close() ?? Promise.resolve();
      return closing;
    },
  };
}

type Sending = Omit<Exchange, 'timeoutMs'> & { readonly timeoutMs?: number };

/** Fields that do not fit are left out one by one, so that a long one does not cost the short ones after it. */
function keepHeaders(received: Received['headers']): Record<string, string> {
  const headers: [name: string, text: string][] = [];
  let bytes = 0;
  for (const name of Object.keys(received)) {
    const value = received[name] ?? '';
    const text = name === 'set-cookie' ? '[redacted]' : typeof value === 'string' ? value : value.join(', ');
    const size = Buffer.byteLength(name) + Buffer.byteLength(text) + 4;
    if (bytes + size > HEADER_BYTES_KEPT) continue;
    bytes += size;
    headers.push([name, text]);
  }
  // `fromEntries` defines properties, so that a field named `__proto__` is one.
  return Object.fromEntries(headers);
}

/** The code of a network failure, or undefined when the error is a bug of this program. */
function errorCodeOf(error: unknown): EgressErrorCode | undefined {
  if (error instanceof ConnectFailure) return error.errorCode;
  if (error instanceof DeadlinePassed) return 'timeout';
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return 'timeout';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'header_overflow';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'invalid_response';
  // Its code comes from the parser and may be absent.
  if (error instanceof undici().errors.HTTPParserError) return 'invalid_response';
  if (code === 'UND_ERR_SOCKET') return isProtocolViolation(error) ? 'invalid_response' : 'reset';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'tls_error';
  return /^E[A-Z0-9]+$/.test(code) ? 'reset' : undefined;
}

/** undici reports an unasked 100 or 101 with the code of a closed socket; only the message tells them apart. */
function isProtocolViolation(error: unknown): boolean {
  return error instanceof Error && (error.message === 'bad response' || error.message === 'bad upgrade');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
