import type { Api, CallOptions, Failure, FieldError, Reply } from './api.ts';
import type { Session } from './connection.ts';
import { parts } from './later.ts';
import { trusted } from './trust.ts';

/** How long the server may take to answer, in milliseconds. */
const patienceMs = 20_000;

const nobody = { token: async () => undefined, refuse: async () => false };

/** The calls to the server at an address that ends with a slash, by default as nobody. */
export function createApi(
  url: string,
  session: Pick<Session, 'token' | 'refuse'> & Partial<Pick<Session, 'user'>> = nobody,
): Api {
  const send: Api['send'] = async (path, options = {}) => {
    const refusal = trusted.has(url) ? undefined : await (await parts.seldom()).untrusted(url);
    if (refusal !== undefined) return refusal;
    const token = await session.token();
    const response = await request(path, options, token);
    if (response.status !== 401 || token === undefined || !(await session.refuse(token))) return response;
    return await request(path, options, await session.token());
  };

  async function request(
    path: string,
    { method = 'GET', body, headers = {}, isFresh = false, as, signal }: Parameters<Api['send']>[1] & object,
    token: string | undefined,
  ): Promise<Response> {
    if (as !== undefined && as !== session.user?.id) return new Response(null, { status: 401 });
    const isJson = body !== undefined && !(body instanceof FormData);
    return await fetch(url + path.slice(1), {
      method,
      // What is taken away when somebody leaves the page goes on without it.
      keepalive: method === 'DELETE',
      headers: {
        ...headers,
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      // The session is in the header; cookies of the server are for its own pages.
      credentials: 'omit',
      cache: isFresh ? 'no-cache' : 'default',
      body: isJson ? JSON.stringify(body) : ((body as FormData | undefined) ?? null),
      signal: signal ?? null,
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
        return response.ok
          ? { ok: true, body, next: nextOf(response), isWritable: isWritable(response) }
          : failureOf(response, body);
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

function isWritable({ headers }: Response): boolean | undefined {
  return headers.get('allow')?.includes('POST');
}

function failureOf({ status, headers }: Response, body: Problem | undefined): Failure {
  const seconds = Number(headers.get('retry-after') ?? '');
  return {
    ok: false,
    status,
    code: body?.code ?? '',
    message: body?.errors?.[0]?.message ?? body?.detail ?? '',
    errors: body?.errors,
    retryAfter: seconds > 0 ? seconds : undefined,
  };
}

type Problem = {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
};
