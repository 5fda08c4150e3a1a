import { FormData, Pool } from 'undici';

/** A JSON object in a response. */
export type Body = { readonly [name: string]: unknown };

/** The response of a server; an empty body is `{}`. */
export type Answer = { readonly status: number; readonly body: Body };

/**
 * The connections of clients to one server. Requests carry the key of the server unless they name another
 * credential. At the end of a scope with `await using` the connections are closed.
 */
export class Client implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #key: string;
  readonly #headers: { readonly [name: string]: string };

  /** Waits `patienceMs` for a response. With `user` the requests act for that user. */
  constructor(
    { url, key }: { readonly url: string; readonly key: string },
    { connections = 50, patienceMs = 60_000, user = '' } = {},
  ) {
    const patience = { headersTimeout: patienceMs, bodyTimeout: patienceMs };
    this.#pool = new Pool(url, { connections, pipelining: 1, ...patience });
    this.#key = key;
    this.#headers = user === '' ? {} : { 'x-confab-user': user };
  }

  /**
   * Sends JSON, a form or nothing. Returns undefined when the outcome is unknown: there is no response, or a
   * 503.
   */
  async send(...request: Parameters<Client['must']>): Promise<Answer | undefined> {
    try {
      const answer = await this.#request(...request);
      return answer.status === 503 ? undefined : answer;
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
      return undefined;
    }
  }

  /** The body of the response. `key` is the Idempotency-Key. Throws unless the request succeeds. */
  async must(method: string, path: string, body?: unknown, as?: string, key?: string): Promise<Body> {
    const answer = await this.#request(method, path, body, as, key);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** Creates something with a POST and returns its id. Throws unless the request succeeds. */
  async create(path: string, body: unknown, as?: string): Promise<number> {
    return Number((await this.must('POST', path, body, as))['id']);
  }

  async #request(...[method, path, body, as = this.#key, key]: Parameters<Client['must']>): Promise<Answer> {
    const isJson = body !== undefined && !(body instanceof FormData);
    const type = isJson ? { 'content-type': 'application/json' } : {};
    const marked = key === undefined ? {} : { 'idempotency-key': key };
    const answer = await this.#pool.request({
      method: method as 'GET',
      path,
      headers: { authorization: `Bearer ${as}`, ...type, ...marked, ...this.#headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text === '' ? {} : (JSON.parse(text) as Body) };
  }

  /** Aborts the running requests. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** A sender of requests that must all succeed. */
export type Sender = Pick<Client, 'must'>;

/** Issues an access token that is valid for `seconds`, by default a day. It creates the user if there is none. */
export async function issueToken(sender: Sender, uid: string, seconds = 86_400): Promise<string> {
  const issued = await sender.must('POST', `/api/users/${uid}/tokens`, { expires_in: seconds });
  return String(issued['access_token']);
}

/** A file to upload, as the form of `POST /api/blobs`. */
export function uploadOf(name: string, text: string): FormData {
  const form = new FormData();
  form.set('blob', new Blob([text], { type: 'text/plain' }), name);
  return form;
}
