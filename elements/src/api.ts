/**
 * Calls of the server, which `calls.ts` makes. Requests of somebody who has not signed in carry no header of ours, so they
 * need no preflight and caches may answer them. What fails is returned, not thrown, with what the server says about it.
 */

/** What is wrong with a field: where it is (a JSON pointer such as `/name`), a code such as `taken`, and what the server says. */
export type FieldError = { readonly pointer: string; readonly code: string; readonly message: string };

/** Why there is no answer. */
export type Failure = {
  readonly ok: false;
  /** The status of the refusal; 0 where the server did not answer. */
  readonly status: number;
  /** The code of the problem, such as `rate_limited`. Empty where the server did not answer. */
  readonly code: string;
  /** What the server says, in English. Empty where it did not answer. */
  readonly message: string;
  /** What is wrong with the fields of the body, where something is. */
  readonly errors?: readonly FieldError[] | undefined;
  /** The seconds after which to try again, where the server names them. */
  readonly retryAfter: number | undefined;
};

/** An answer. `next` is the cursor of the next page, where there is one. */
export type Reply<T> =
  | {
      readonly ok: true;
      readonly body: T;
      readonly next: string | undefined;
      /** Whether the list takes new items, of callers who have signed in; undefined where there is no such list. */
      readonly isWritable?: boolean | undefined;
    }
  | Failure;

/** What a call has besides its path. */
export type CallOptions = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON, a form as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Asks whether there is something newer than what the browser has kept. */
  readonly isFresh?: boolean;
  /** The id of the only person as whom it is sent. It is 401 where another one is signed in by then. */
  readonly as?: number | undefined;
};

/** Calls one server, as the person who is signed in. */
export type Api = {
  /** Calls a path, such as `/api/user`. */
  call<T>(path: string, options?: CallOptions): Promise<Reply<T>>;
  /** Sends a request and resolves to the response as it is, for what is no JSON. Rejects where the server does not answer. */
  send(path: string, options?: CallOptions & { readonly signal?: AbortSignal }): Promise<Response>;
};
