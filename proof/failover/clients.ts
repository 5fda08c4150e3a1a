import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Body } from 'confab-testing/harness/client.ts';
import { current, type Model, type Tracked } from 'confab-testing/harness/model.ts';
import type { Random } from 'confab-testing/harness/random.ts';
import { Pool } from 'undici';

/** One request as it was seen by the client that sent it, in the time of `performance.now()`. */
type Attempt = {
  readonly kind: 'write' | 'read';
  readonly endedAt: number;
  /** 0 where there was no response. */
  readonly status: number;
};

/** What clients saw in a round. */
export type Seen = {
  /** The longest time in which no request of a kind succeeded, in milliseconds. */
  readonly writesAwayMs: number;
  readonly readsAwayMs: number;
  readonly refused: number;
  readonly unanswered: number;
};

/** How long a client waits for a response, in milliseconds. */
const patienceMs = 10_000;
/** How long it waits before it sends a request again: less than `Retry-After` says, so that outages are measured closely. */
const againMs = 100;
/** How long it goes on sending the same request. */
const goesOnMs = 150_000;

/** The requests of a round. */
export class Attempts {
  /** The responses that no client should get. */
  readonly wrong: string[] = [];
  #attempts: Attempt[] = [];
  #since = performance.now();

  note(kind: Attempt['kind'], status: number): void {
    this.#attempts.push({ kind, endedAt: performance.now(), status });
  }

  /** What has been seen since the last call. */
  take(): Seen {
    const [attempts, since, now] = [this.#attempts, this.#since, performance.now()];
    this.#attempts = [];
    this.#since = now;
    const awayMs = (kind: Attempt['kind']) => {
      const goods = attempts.filter((each) => each.kind === kind && each.status > 0 && each.status < 300);
      const times = [since, ...goods.map(({ endedAt }) => endedAt), now];
      return Math.max(...times.map((time, n) => time - (times[n - 1] ?? time)));
    };
    return {
      writesAwayMs: awayMs('write'),
      readsAwayMs: awayMs('read'),
      refused: attempts.filter(({ status }) => status === 503).length,
      unanswered: attempts.filter(({ status }) => status === 0).length,
    };
  }
}

/** A client of the load balancer that does what the guide says: it repeats what was not answered, with the same key. */
export class PatientClient implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #options: { readonly key: string; readonly attempts: Attempts; readonly paceMs: number };

  /** `from` is the address of the client, by which the balancer chooses a node; it sends no faster than `paceMs` allows. */
  constructor(
    url: string,
    from: string,
    options: { readonly key: string; readonly attempts: Attempts; readonly paceMs: number },
  ) {
    const patience = { headersTimeout: patienceMs, bodyTimeout: patienceMs, connectTimeout: 2000 };
    this.#pool = new Pool(url, { connections: 1, pipelining: 1, localAddress: from, ...patience });
    this.#options = options;
  }

  /** Sends it until there is a response that shows what happened; undefined when there is none for minutes. */
  async send(method: string, path: string, body?: unknown, as?: string): Promise<Answer | undefined> {
    await pause(this.#options.paceMs);
    const key = randomUUID();
    for (const since = performance.now(); performance.now() - since < goesOnMs; await pause(againMs)) {
      const answer = await this.#sendOnce({ method, path, body, as, key });
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** The body of the response. Throws unless the request succeeds. */
  async must(method: string, path: string, body?: unknown, as?: string): Promise<Body> {
    const answer = await this.send(method, path, body, as);
    if (answer !== undefined && answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} answered ${answer?.status}: ${JSON.stringify(answer?.body)}`);
  }

  async #sendOnce({
    method,
    path,
    body,
    as = this.#options.key,
    key,
  }: {
    method: string;
    path: string;
    body: unknown;
    as: string | undefined;
    key: string;
  }): Promise<Answer | undefined> {
    const { attempts } = this.#options;
    const isRead = method === 'GET';
    const kind = isRead ? 'read' : 'write';
    const headers = {
      authorization: `Bearer ${as}`,
      ...(isRead ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    try {
      const response = await this.#pool.request({
        method: method as 'GET',
        path,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      const { statusCode: status } = response;
      attempts.note(kind, status);
      const isTold = status !== 503 || response.headers['retry-after'] !== undefined;
      if (status >= 500 && (status !== 503 || !isTold))
        attempts.wrong.push(`${method} ${path} answered ${status}: ${text.slice(0, 200)}`);
      if (status >= 500) return undefined;
      const found = text === '' ? {} : (JSON.parse(text) as Body);
      return status === 409 && found['code'] === 'idempotency_key_in_use'
        ? undefined
        : { status, body: found };
    } catch (error) {
      if (error instanceof SyntaxError) attempts.wrong.push(`${method} ${path}: ${error.message}`);
      attempts.note(kind, 0);
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Reads comments of which it is known what they say, and the list of an app, until it is stopped. */
export async function readWhile(
  client: PatientClient,
  {
    model,
    random,
    token,
    comments,
    isDone,
  }: {
    model: Model;
    random: Random;
    token: string;
    /** The newest comments that were created. */
    comments: () => readonly Tracked[];
    isDone: () => boolean;
  },
): Promise<void> {
  while (!isDone()) {
    const comment = random.pick(
      comments().filter(({ id, possible }) => id !== undefined && possible.length === 1),
    );
    if (comment === undefined || random.oneIn(4)) {
      const listed = await client.send('GET', '/api/apps/shared/comments?top=10', undefined, token);
      if (listed !== undefined && listed.status !== 200)
        model.violate('answer', `the list of an app answered ${listed.status}`);
      continue;
    }
    const known = current(comment);
    const answer = await client.send('GET', `/api/comments/${comment.id}`, undefined, token);
    const isStill = comment.possible.length === 1 && comment.possible[0] === known;
    if (answer === undefined || !isStill) continue;
    // What an earlier response said is what a later one says, from whichever node and database.
    const text = answer.body['text'];
    if (answer.status !== 200 || text !== known.facts?.['text'])
      model.violate(
        'answer',
        `a read of ${comment.marker} answered ${answer.status} "${text}" after "${known.facts?.['text']}" was acknowledged`,
      );
  }
}
