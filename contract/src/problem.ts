/** Which operations can return a problem; see `problems`. */
export type ProblemScope = 'any' | 'named' | 'list' | 'keyed' | 'tagged' | 'conditional';

/**
 * Every failure that is reported to callers, with its HTTP status and its message.
 * The code is stable and machine-readable; `/problems/{code}` on the server explains it.
 *
 * `scope` specifies which operations are documented with the code. `any`: every operation, because HTTP
 * itself, strict handling or the state of the server causes the problem. `named`: operations that name the
 * code in the contract. `list`: every list. `keyed`: operations that take an `Idempotency-Key`. `tagged`:
 * operations that take `If-None-Match` or `If-Match`. `conditional`: operations that take `If-Match`. Without
 * a scope, the shape of the operation decides: who may call it, its input, and its declared statuses.
 */
export const problems = {
  malformed_request: { status: 400, title: 'Malformed request' },
  invalid_json: { status: 400, title: 'The body is not readable JSON' },
  wrong_type: { status: 400, title: 'A field has the wrong JSON type' },
  invalid_query: { status: 400, scope: 'any', title: 'A query parameter is not usable' },
  invalid_idempotency_key: { status: 400, scope: 'keyed', title: 'The Idempotency-Key is not usable' },
  invalid_entity_tag: { status: 400, scope: 'tagged', title: 'If-Match or If-None-Match is not usable' },
  embed_failed: { status: 400, scope: 'named', title: 'Nothing to show at this address' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  invalid_credential: { status: 401, title: 'Unauthorized: the credential is not valid' },
  user_required: { status: 401, title: 'Unauthorized: this operation needs the access token of a user' },
  users_only: { status: 401, title: 'Unauthorized: this operation is not for visitors' },
  visitor_required: {
    status: 401,
    title: 'Unauthorized: this operation needs the access token of a visitor',
  },
  key_required: { status: 401, title: 'Unauthorized: this operation needs an API key' },
  key_only: { status: 403, title: 'Only an API key may do this' },
  scope_missing: { status: 403, title: 'The API key lacks a scope' },
  write_forbidden: { status: 403, scope: 'named', title: 'Not allowed to create content here' },
  edit_forbidden: { status: 403, scope: 'named', title: 'Not allowed to change this' },
  moderated: { status: 403, scope: 'named', title: 'Held or put in the trash by a moderator' },
  moderate_forbidden: { status: 403, scope: 'named', title: 'Not allowed to moderate here' },
  locked: { status: 403, scope: 'named', title: 'Locked' },
  own_content: { status: 403, scope: 'named', title: 'One cannot report what one wrote' },
  suspend_forbidden: { status: 403, scope: 'named', title: 'Not allowed to suspend this user' },
  directory_forbidden: { status: 403, scope: 'named', title: 'Not allowed to open an app to this directory' },
  manage_forbidden: { status: 403, scope: 'named', title: 'Not allowed to manage this app' },
  page_forbidden: { status: 403, scope: 'named', title: 'Page not allowed' },
  origin_refused: { status: 403, scope: 'named', title: 'Pages of this origin may not call this' },
  link_expired: { status: 403, scope: 'named', title: 'The address has expired' },
  user_suspended: { status: 403, scope: 'named', title: 'The user is suspended' },
  puzzle_unsolved: { status: 403, scope: 'named', title: 'The puzzle is not solved' },
  address_banned: { status: 403, title: 'The address of this visitor is banned for a while' },
  sign_in_ended: { status: 403, scope: 'named', title: 'The visitor has to sign in again' },
  text_refused: { status: 403, scope: 'named', title: 'The text is not taken' },
  not_found: { status: 404, title: 'Not Found' },
  method_not_allowed: { status: 405, scope: 'any', title: 'Method Not Allowed' },
  request_timeout: { status: 408, scope: 'any', title: 'The request took too long to arrive' },
  name_taken: { status: 409, scope: 'named', title: 'The name is taken' },
  idempotency_key_in_use: {
    status: 409,
    scope: 'keyed',
    title: 'A request with this Idempotency-Key is still running',
  },
  position_gone: { status: 410, scope: 'named', title: 'Events after this position are no longer kept' },
  precondition_failed: {
    status: 412,
    scope: 'conditional',
    title: 'It is not what If-Match or If-None-Match says',
  },
  body_too_large: { status: 413, scope: 'any', title: 'The body is too large' },
  unsupported_media_type: { status: 415, scope: 'any', title: 'The media type is not supported' },
  range_not_satisfiable: { status: 416, title: 'The range cannot be served' },
  expectation_failed: { status: 417, scope: 'any', title: 'The expectation cannot be met' },
  validation_failed: { status: 422, title: 'Validation Failed' },
  storage_quota_reached: { status: 422, title: 'No room for more files' },
  idempotency_key_reused: {
    status: 422,
    scope: 'keyed',
    title: 'The Idempotency-Key belongs to another request',
  },
  rate_limited: { status: 429, scope: 'any', title: 'Too many requests' },
  too_many_connections: { status: 429, scope: 'any', title: 'Too many live connections' },
  upload_quota_reached: { status: 429, scope: 'any', title: 'Too many uploads wait for their use' },
  address_counted: { status: 429, scope: 'named', title: 'This address has counted today' },
  too_many_reports: { status: 429, scope: 'named', title: 'Too many reports are undecided' },
  headers_too_large: { status: 431, scope: 'any', title: 'The request headers are too large' },
  internal_error: { status: 500, scope: 'any', title: 'Something went wrong on the server' },
  storage_unavailable: {
    status: 503,
    scope: 'any',
    title: 'The store cannot take this request at the moment',
  },
  identity_provider_unavailable: {
    status: 503,
    scope: 'any',
    title: 'The identity provider cannot be asked at the moment',
  },
  too_busy: { status: 503, scope: 'any', title: 'Too much is waiting to be done' },
  took_too_long: { status: 503, scope: 'list', title: 'Answering takes too long' },
  shutting_down: { status: 503, scope: 'any', title: 'The server is shutting down' },
} as const satisfies Record<string, { status: number; title: string; scope?: ProblemScope }>;

/** The closed set of problem codes. */
export type ProblemCode = keyof typeof problems;

/** One faulty field or query parameter: exactly one of `pointer` (RFC 6901) and `parameter` is set. */
export type FieldError = {
  pointer?: string;
  parameter?: string;
  code: string;
  message: string;
};

type ProblemOptions = {
  errors?: readonly FieldError[];
  moreErrors?: number;
  headers?: Record<string, string>;
  cause?: unknown;
};

/**
 * A failure that is reported to the caller. Transactions roll back on it; the HTTP layer turns it into an RFC 9457 body.
 * `detail` is public: it never carries internal text.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** The number of faults that `errors` leaves out. */
  readonly moreErrors: number;
  /** Additional response headers; every problem has some headers already. */
  readonly headers: { readonly [name: string]: string };

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.moreErrors = options.moreErrors ?? 0;
    this.headers = options.headers ?? {};
  }

  /** The HTTP status of the code; an operation that declares no 422 responds with 400 instead. */
  get status(): number {
    return problems[this.code].status;
  }
}

/** A 422 about one body field; `pointer` is an RFC 6901 JSON pointer such as `/blobs/0`. */
export function invalidField(pointer: string, code: string, message: string): Problem {
  return new Problem('validation_failed', `${pointer.slice(1) || 'The body'}: ${message}`, {
    errors: [{ pointer, code, message }],
  });
}

/** The 401 for a request that needs a credential and has none. */
export function credentialMissing(): Problem {
  return new Problem(
    'unauthorized',
    'Send the header Authorization: Bearer with an access token or API key.',
  );
}

/** The 404 for resources that do not exist or that the caller may not see; both have the same message. */
export function notFound(what: string): Problem {
  return new Problem('not_found', `No ${what} matches this request.`);
}
