import { Pool } from 'undici';
import { type ConfabProcess, startConfab } from '../harness/confab-process.ts';

/** What a request was answered, or `unknown` when there was no answer that says what happened. */
export type Answer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Record<string, unknown> }
  | { readonly kind: 'unknown' };

/** How long a client waits for a server that does not answer. */
const patienceMs = 4000;

/** One of the servers on the database of a run: it can be ended and started again. */
export class Node {
  readonly name: string;
  readonly #start: () => Promise<ConfabProcess>;
  #process: ConfabProcess | undefined;
  #pool: Pool | undefined;

  constructor(name: string, start: () => Promise<ConfabProcess>) {
    this.name = name;
    this.#start = start;
  }

  async start(): Promise<void> {
    this.#process = await this.#start();
    this.#pool = new Pool(this.#process.url, {
      connections: 64,
      pipelining: 1,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
    });
  }

  get url(): string {
    return this.#process?.url ?? '';
  }

  signal(name: NodeJS.Signals): void {
    if (this.#process !== undefined) process.kill(this.#process.pid, name);
  }

  /** Ends it as `kill -9` does. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  /** Sends one request. A 503 says nothing about what happened. */
  async send(method: string, path: string, credential: string, body?: unknown): Promise<Answer> {
    try {
      const answer = await this.#pool?.request({
        method: method as 'GET',
        path,
        headers: {
          authorization: `Bearer ${credential}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer === undefined) return { kind: 'unknown' };
      const text = await answer.body.text();
      if (answer.statusCode === 503) return { kind: 'unknown' };
      return {
        kind: 'answer',
        status: answer.statusCode,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
      return { kind: 'unknown' };
    }
  }

  /** Sends what must be answered so. */
  async must(method: string, path: string, credential: string, body?: unknown) {
    const answer = await this.send(method, path, credential, body);
    if (answer.kind === 'unknown') throw new Error(`${method} ${path} got no answer`);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

/** A node as far as requests are sent to it. */
export type Sender = Pick<Node, 'send' | 'must'>;

/** What the nodes of a run have in common. */
export type NodesOptions = {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly key: string;
  /** The module that plants a bug, instead of the server as it is. */
  readonly entry?: readonly [string, ...string[]];
};

/** Two nodes on one database and one folder of blobs. Each names itself in the headers of its deliveries. */
export async function startPair(options: NodesOptions): Promise<readonly [Node, Node]> {
  const { folder, databaseUrl, key, entry } = options;
  const node = (name: string) =>
    new Node(name, () =>
      startConfab({
        folder,
        key,
        logFile: `${folder}/${name}.log`,
        settings: {
          CONFAB_DATABASE_URL: databaseUrl,
          CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
          CONFAB_LOG_LEVEL: 'warn',
          CONFAB_WEBHOOK_HEADER_PREFIX: `X-${name}`,
          CONFAB_PUBLIC_URL: 'http://confab.test',
        },
        ...(entry === undefined ? {} : { entry }),
      }),
    );
  const pair = [node('One'), node('Two')] as const;
  await Promise.all(pair.map((each) => each.start()));
  return pair;
}
