import type { Body } from '../harness/client.ts';

/** Sends a request to one node, with an API key. An empty body is `{}`, and a missing tag is empty. */
export type Caller = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly tag: string; readonly body: Body }>;

/** The caller of a server that runs as a process of its own. */
export function callerOf({ url, key }: { readonly url: string; readonly key: string }): Caller {
  return async (method, path, body, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      tag: answer.headers.get('etag') ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Body),
    };
  };
}
