import { type Answer, type Body, Client } from '../harness/client.ts';
import { type ConfabOptions, type ConfabProcess, startConfab } from '../harness/confab-process.ts';

/** How long a client waits for a server that does not respond. */
const patienceMs = 4000;

/**
 * One of the servers on the database of a run; it can be killed and restarted. At the end of a scope with `await using`
 * it is killed if it runs.
 */
export class Node implements AsyncDisposable {
  readonly name: string;
  readonly #start: () => Promise<ConfabProcess>;
  #process: ConfabProcess | undefined;
  #client: Client | undefined;

  constructor(name: string, start: () => Promise<ConfabProcess>) {
    this.name = name;
    this.#start = start;
  }

  async start(): Promise<void> {
    this.#process = await this.#start();
    this.#client = new Client(this.#process, { connections: 64, patienceMs });
  }

  /** The running process. Throws before the start. */
  get process(): ConfabProcess {
    if (this.#process === undefined) throw new Error(`${this.name} was not started`);
    return this.#process;
  }

  /** Kills it, as `kill -9` does; requests get no response from then on. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    await this.#client?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async send(...request: Parameters<Client['send']>): Promise<Answer | undefined> {
    return await this.#client?.send(...request);
  }

  async must(...request: Parameters<Client['must']>): Promise<Body> {
    return (await this.#client?.must(...request)) ?? {};
  }
}

/** A node as clients see it. */
export type Sender = Pick<Client, 'send' | 'must'>;

/** What the nodes of a run share: the database, and the folder of blobs and logs. */
export type NodesOptions = {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly key: string;
  /** The rest of how a node is started, asked for at each start. */
  readonly how?: (node: Node) => Pick<ConfabOptions, 'plant' | 'release'>;
};

/** The two nodes of a run, not yet started. The headers of deliveries identify the node. */
export function makePair({ folder, databaseUrl, key, how }: NodesOptions): readonly [Node, Node] {
  const make = (name: string): Node => {
    const settings = {
      CONFAB_DATABASE_URL: databaseUrl,
      CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
      CONFAB_LOG_LEVEL: 'warn',
      CONFAB_WEBHOOK_HEADER_PREFIX: `X-${name}`,
      CONFAB_PUBLIC_URL: 'http://confab.test',
    };
    const node: Node = new Node(name, () => startConfab({ folder, key, name, settings, ...how?.(node) }));
    return node;
  };
  return [make('One'), make('Two')];
}
