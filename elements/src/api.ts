import type { Session } from './session.ts';

/**
 * Calls the server. Requests of somebody who has not signed in carry no header of ours, so they need no preflight and
 * caches may answer them. What fails is returned, not thrown, with what the server says about it.
 */

/** How long the server may take to answer, in milliseconds. */
const patienceMs = 20_000;

/** Why there is no answer. */
export type Failure = {
  readonly ok: false;
  /** The status of the refusal; 0 where the server did not answer. */
  readonly status: number;
  /** The code of the problem, such as `rate_limited`. Empty where the server did not answer. */
  readonly code: string;
  /** What the server says, in English. Empty where it did not answer. */
  readonly message: string;
  /** The seconds after which to try again, where the server names them. */
  readonly retryAfter: number | undefined;
};

/** An answer. `next` is the cursor of the next page, where there is one. */
export type Reply<T> = { readonly ok: true; readonly body: T; readonly next: string | undefined } | Failure;

/** What a call has besides its path. */
export type CallOptions = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON, a form as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Asks whether there is something newer than what the browser has kept. */
  readonly isFresh?: boolean;
};

/** Calls one server, as whoever is signed in. */
export type Api = {
  /** Calls a path, such as `/api/user`. */
  call<T>(path: string, options?: CallOptions): Promise<Reply<T>>;
  /** Sends a request and resolves to the response as it is, for what is no JSON. Rejects where the server does not answer. */
  send(path: string, options?: CallOptions & { readonly signal?: AbortSignal }): Promise<Response>;
};

/** The calls to the server at an address that ends with a slash. */
export function createApi(url: string, session: Pick<Session, 'token' | 'refuse'>): Api {
  const send: Api['send'] = async (path, options = {}) => {
    const token = await session.token();
    const response = await request(path, options, token);
    if (response.status !== 401 || token === undefined || !(await session.refuse(token))) return response;
    return await request(path, options, await session.token());
  };

  function request(
    path: string,
    { method = 'GET', body, headers = {}, isFresh = false, signal }: Parameters<Api['send']>[1] & object,
    token: string | undefined,
  ): Promise<Response> {
    const isJson = body !== undefined && !(body instanceof FormData);
    return fetch(url + path.slice(1), {
      method,
      headers: {
        ...headers,
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      // The session is in the header; cookies of the server are for its own pages.
      credentials: 'omit',
      ...(isFresh ? { cache: 'no-cache' } : {}),
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  return {
    send,
    async call<T>(path: string, options: CallOptions = {}): Promise<Reply<T>> {
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(), patienceMs);
      try {
        const response = await send(path, { ...options, signal: ending.signal });
        const text = await response.text();
        const body = text === '' ? undefined : JSON.parse(text);
        return response.ok ? { ok: true, body, next: nextOf(response) } : failureOf(response, body);
      } catch {
        return { ok: false, status: 0, code: '', message: '', retryAfter: undefined };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function nextOf({ headers }: Response): string | undefined {
  const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return (link && new URL(link).searchParams.get('after')) || undefined;
}

function failureOf({ status, headers }: Response, body: Problem | undefined): Failure {
  const seconds = Number(headers.get('retry-after') ?? '');
  return {
    ok: false,
    status,
    code: body?.code ?? '',
    message: body?.errors?.[0]?.message ?? body?.detail ?? '',
    retryAfter: seconds > 0 ? seconds : undefined,
  };
}

type Problem = {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly message: string }[];
};
