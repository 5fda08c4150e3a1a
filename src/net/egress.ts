/**
 * The one way out: every request to a URL that a user chose goes through here.
 *
 * Players: `checkTarget` judges the URL as text, the connector (connector.ts) judges addresses and opens sockets, an
 * undici agent pools the sockets by origin, and this module keeps the deadline and the caps. Sockets are reused, never
 * across the guard: a pooled socket belongs to one origin and to an address that was permitted when it was opened, and
 * it leaves the pool a minute later, so a change of DNS takes effect then. Redirects are an answer like any other and
 * are never followed; proxy variables of the environment are never read; bodies are never decompressed.
 */
import { Agent, errors } from 'undici';
import { type ConnectErrorCode, ConnectFailure, createConnector, type Dial } from './connector.ts';
import { DeadlinePassed, type Exchange, exchange, type Received } from './exchange.ts';
import { type OnRefused, urlRefusal } from './refusals.ts';
import type { Resolver } from './resolver.ts';
import type { EgressRules } from './rules.ts';
import { checkTarget } from './target.ts';

/**
 * Why there is no answer.
 *
 * `blocked_address`: the guard refused the URL or an address. `connect_refused`: no TCP connection.
 * `connect_timeout`: none, or no TLS, in time. `tls_error`: handshake or certificate. `reset`: the peer closed before
 * the answer was complete. `timeout`: headers or the whole took too long. `invalid_response`: not HTTP/1.1.
 * `header_overflow`: headers beyond 16 KiB. `dns_not_found`: there is no such name. `dns_no_address`: the name is there
 * and has no address. `dns_timeout`: name servers stay silent. `dns_error`: they fail.
 */
export type EgressErrorCode = ConnectErrorCode | 'timeout' | 'invalid_response' | 'header_overflow';

/** The peer answered, with any status. */
export type EgressAnswer = {
  readonly answered: true;
  readonly statusCode: number;
  /** By lower-case name, repeated fields joined by a comma, at most `HEADER_BYTES_KEPT`; cookies are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes as they came: any encoding, perhaps compressed, perhaps not text. */
  readonly body: Buffer;
  /** Whether the body had more bytes than were kept. */
  readonly truncated: boolean;
  /** From the call to the end of reading, on the monotonic clock; includes the wait for a free socket. */
  readonly durationMs: number;
};

/** No complete answer came. */
export type EgressFailure = {
  readonly answered: false;
  readonly errorCode: EgressErrorCode;
  /** True when the URL itself is refused, so that no retry can succeed under the same configuration. */
  readonly permanent: boolean;
  /** The code of Node, OpenSSL or undici, for the operator's log; never for whoever chose the URL. */
  readonly cause?: string;
  readonly durationMs: number;
};

/** What became of a request. */
export type EgressResult = EgressAnswer | EgressFailure;

type EgressRequest = {
  readonly headers: Readonly<Record<string, string>>;
  /** Replaces the deadline for this request. */
  readonly timeoutMs?: number;
  /** Gives the request up, as at shutdown: the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

/** A request that sends something; `BODY_BYTES_KEPT` of the answer are kept. */
export type EgressPost = EgressRequest & { readonly body: string | Buffer };

/** A request that reads something; at most `bodyBytesMax` bytes are read and kept, then the connection is cut. */
export type EgressGet = EgressRequest & { readonly bodyBytesMax: number };

/** Sends guarded requests until closed. */
export type Egress = {
  /**
   * Sends `body` to `url` and reads the answer within the caps. What the network does is a result and never thrown.
   *
   * @throws the reason of `signal`, an error of undici for headers that are not valid in HTTP, or for use after close.
   */
  post(url: string, options: EgressPost): Promise<EgressResult>;
  /** Reads `url` in the same way. A redirect is an answer: who follows it calls again, so that each hop is judged. */
  get(url: string, options: EgressGet): Promise<EgressResult>;
  /** Lets requests in flight end, within their deadline, then closes all sockets. Closing twice is closing once. */
  close(): Promise<void>;
};

/** Time limits in milliseconds. */
export type EgressTimeouts = {
  /** From the call to the last byte, 1xx answers and a slow body included. */
  readonly totalMs: number;
  readonly dnsMs: number;
  /** TCP and TLS; ends up to a second late, since undici's timer is coarse. */
  readonly connectMs: number;
  /** Silence before the headers, ended up to a second late; a 1xx answer starts it anew, which only `totalMs` ends. */
  readonly headersMs: number;
};

/** What the way out is made of. */
export type EgressOptions = {
  readonly rules: EgressRules;
  readonly resolver: Resolver;
  readonly dial?: Dial | undefined;
  /** Is told of what the operator's settings do not permit. */
  readonly onRefused?: OnRefused | undefined;
  readonly timeouts?: Partial<EgressTimeouts> | undefined;
  /** Sockets to one origin, at least 1; further requests wait for one within their deadline. */
  readonly socketsPerOriginMax?: number;
};

/** Kept of the answer to a `post`: enough to recognise any error page, little enough to store for each attempt. */
export const BODY_BYTES_KEPT = 16 * 1024;

/** Kept of the headers, names and values with four bytes of punctuation each. */
export const HEADER_BYTES_KEPT = 8 * 1024;

/** Read of the headers before giving up; the default of Node, said outright since a flag of Node could raise it. */
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

/** Opens the way out. Nothing connects before the first `post`. */
export function createEgress({ timeouts, socketsPerOriginMax, ...options }: EgressOptions): Egress {
  const { rules, onRefused } = options;
  const { totalMs, dnsMs, connectMs, headersMs } = { ...DEFAULT_TIMEOUTS, ...timeouts };
  const agent = new Agent({
    connect: createConnector({ ...options, dnsTimeoutMs: dnsMs, connectTimeoutMs: connectMs }),
    connections: socketsPerOriginMax ?? DEFAULT_SOCKETS_PER_ORIGIN,
    clientTtl: SOCKET_LIFE_MS,
    keepAliveMaxTimeout: SOCKET_LIFE_MS,
    // Several requests on one socket at once would wait for the slowest.
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_READ,
    headersTimeout: headersMs,
    // It measures silence, which a slow body never lets pass; the deadline measures all.
    bodyTimeout: 0,
  });
  let closing: Promise<void> | undefined;

  async function send(url: string, request: Sending): Promise<EgressResult> {
    const startedAt = performance.now();
    const durationMs = (): number => performance.now() - startedAt;
    request.signal?.throwIfAborted();
    const target = checkTarget(url, rules);
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
      const received = await exchange(agent, target.url, { timeoutMs: totalMs, ...request });
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
    get: (url, options) => send(url, { ...options, method: 'GET', body: null }),
    close: () => {
      closing ??= agent.close();
      return closing;
    },
  };
}

type Sending = Omit<Exchange, 'timeoutMs'> & { readonly timeoutMs?: number };

/** Fields that do not fit are left out one by one, so that a long one does not cost the short ones after it. */
function keepHeaders(received: Received['headers']): Record<string, string> {
  const kept = new Map<string, string>();
  let bytes = 0;
  for (const [name, value] of Object.entries(received)) {
    const text = name === 'set-cookie' ? '[redacted]' : [value ?? ''].flat().join(', ');
    const size = Buffer.byteLength(name) + Buffer.byteLength(text) + 4;
    if (bytes + size > HEADER_BYTES_KEPT) continue;
    bytes += size;
    kept.set(name, text);
  }
  // `fromEntries` defines properties, so that a field named `__proto__` is one.
  return Object.fromEntries(kept);
}

/** The word for a failure of the network, or undefined when the error is not one and so is a mistake in this program. */
function errorCodeOf(error: unknown): EgressErrorCode | undefined {
  if (error instanceof ConnectFailure) return error.errorCode;
  if (error instanceof DeadlinePassed) return 'timeout';
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return 'timeout';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'header_overflow';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'invalid_response';
  // Its code is that of the parser, and at times none.
  if (error instanceof errors.HTTPParserError) return 'invalid_response';
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
