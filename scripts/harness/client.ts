import { FormData, Pool } from 'undici';

/** A JSON object of an answer. */
export type Body = { readonly [name: string]: unknown };

/** What a server answered; an empty body is `{}`. */
export type Answer = { readonly status: number; readonly body: Body };

/** The connections of clients to one server, whose requests carry its key unless they name another credential. */
export class Client {
  readonly #pool: Pool;
  readonly #key: string;

  constructor(
    { url, key }: { readonly url: string; readonly key: string },
    { connections = 50, patienceMs = 20_000 } = {},
  ) {
    const patience = { headersTimeout: patienceMs, bodyTimeout: patienceMs };
    this.#pool = new Pool(url, { connections, pipelining: 1, ...patience });
    this.#key = key;
  }

  /** Sends JSON, a form or nothing. Undefined when no answer says what happened: there is none, or it is a 503. */
  async send(method: string, path: string, body?: unknown, as = this.#key): Promise<Answer | undefined> {
    let status: number;
    let text: string;
    try {
      const isJson = body !== undefined && !(body instanceof FormData);
      const answer = await this.#pool.request({
        method: method as 'GET',
        path,
        headers: { authorization: `Bearer ${as}`, ...(isJson ? { 'content-type': 'application/json' } : {}) },
        ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
      });
      [status, text] = [answer.statusCode, await answer.body.text()];
    } catch {
      return undefined;
    }
    return status === 503 ? undefined : { status, body: text === '' ? {} : (JSON.parse(text) as Body) };
  }

  /** The body of the answer to a request. Throws unless it succeeds. */
  async must(method: string, path: string, body?: unknown, as?: string): Promise<Body> {
    const answer = await this.send(method, path, body, as);
    if (answer === undefined) throw new Error(`${method} ${path} got no answer`);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** Drops what is still under way. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** A file to upload, as the form of `POST /api/blobs`. */
export function uploadOf(name: string, text: string): FormData {
  const form = new FormData();
  form.set('blob', new Blob([text], { type: 'text/plain' }), name);
  return form;
}
