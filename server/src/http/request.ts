import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from 'confab-contract/operation.ts';
import type { NeededScope } from 'confab-contract/scopes.ts';
import type { Principal, Via } from '../kernel/principal.ts';
import type { Span } from '../kernel/traces.ts';
import type { Answer } from './answers/answer.ts';
import type { JsonBody } from './bodies/body.ts';

/** The parameters of a path by name, decoded. */
export type PathParams = { readonly [name: string]: string };

/** The header fields of a response, by their names in lower case. */
export type Fields = { [name: string]: string | number };

/** The credential of a request. */
export type Credential = {
  readonly authorization: string | undefined;
  /** The user for whom an API key acts. */
  readonly onBehalfOf: string | undefined;
  /** The session of the console. */
  readonly session?: string | undefined;
  /** The address of the client, to limit how many credentials it can guess. */
  readonly address?: string | undefined;
  /**
   * The id of the user that it identified before. It is refused if it now identifies another user, and never
   * creates one.
   */
  readonly userId?: number | undefined;
};

/**
 * Returns the caller of the Authorization header; throws `unauthorized` or `invalid_credential`. With the address of a
 * client it limits how many credentials that client can guess, and throws `rate_limited`.
 */
export type Authenticate = (credential: Credential) => Promise<Principal>;

/**
 * Checks the credential of a request again, for work that outlasts the first check: live connections, bodies
 * that arrive slowly, exports. Returns the current state of the same user. Throws `invalid_credential` if the
 * credential has ended or identifies another user.
 */
export type Prove = () => Promise<Principal>;

/** How a request ended. */
export type RequestEnd = {
  /** The time until its response was sent, or until its client closed the connection. */
  readonly ms: number;
  /**
   * How many bytes of its response the system accepted before its client closed the connection; undefined for
   * all.
   */
  readonly abortedAtBytes?: number | undefined;
};

/** The handler of a path and a method. */
export type Route = {
  /** In the syntax of the router: `/api/apps/:app`. */
  readonly path: string;
  /** Undefined for a page. */
  readonly operation: Operation | undefined;
  /** The scopes that an API key needs. */
  readonly scopes: readonly NeededScope[];
  /** Whether a path that is not an operation takes JSON. */
  readonly takesJson?: true;
  /**
   * Whether a GET changes something. Then HEAD is not allowed, because it must be safe (RFC 9110, section
   * 9.2.1).
   */
  readonly changes?: true;
  /** Handles a request after its caller and its body are known. */
  readonly answer: (request: HttpRequest) => Answer | Promise<Answer>;
};

/**
 * Sent with every response: unless a page overrides it, a response must not be stored, executed or framed.
 */
export const commonFields = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const noParams: PathParams = {};

/** The first value of a header. */
export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** A request, with the facts that the server has established so far. */
export class HttpRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly method: string;
  /** The path and the query, as they were sent; see `readTarget`. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** By `performance.now()`. */
  readonly startedAt = performance.now();
  /** The header fields of every response to it, including a refusal. */
  fields: Fields;
  /** Undefined if the path does not exist or has no such method. */
  route: Route | undefined = undefined;
  params: PathParams = noParams;
  /** The path in the syntax of the router; undefined if it does not exist. */
  pattern: string | undefined = undefined;
  principal: Principal | undefined = undefined;
  /** The protocol of the client, if the request is made within another protocol. */
  via: Via | undefined = undefined;
  /** The version of the second form that the client asks for; undefined for the first. */
  form: number | undefined = undefined;
  /** The app that a visitor has read. */
  visitedAppId: number | undefined = undefined;
  /** The credential that identified the caller. */
  credential: Credential | undefined = undefined;
  /** Undefined until the caller is known, and for a caller without a credential. */
  prove: Prove | undefined = undefined;
  /** The address under which its client is counted; undefined if it is not counted. */
  clientAddress: string | undefined = undefined;
  /** The kind of body that the operation declares: JSON, or a text. */
  body: JsonBody | string | undefined = undefined;
  /** Whether it counts as load (`limits/load.ts`). */
  isRunning = false;
  /** Present if the request is traced. */
  span: Span | undefined = undefined;

  constructor(raw: IncomingMessage, response: ServerResponse, id: string) {
    this.raw = raw;
    this.response = response;
    this.id = id;
    this.method = raw.method ?? '';
    this.url = raw.url ?? '';
    this.headers = raw.headers;
    this.fields = { ...commonFields, 'x-request-id': id };
  }

  get operation(): Operation | undefined {
    return this.route?.operation;
  }

  /** Forgets what it was found to be while it was answered, and with which fields: it is answered from the beginning. */
  beginAnew(fields: Fields): void {
    this.fields = { ...fields };
    this.principal = undefined;
    this.credential = undefined;
    this.prove = undefined;
    this.visitedAppId = undefined;
  }
}
