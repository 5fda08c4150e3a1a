import { type Answer, type Body, Client } from '../harness/client.ts';
import { type ConfabProcess, startConfab } from '../harness/confab-process.ts';

/** How long a client waits for a server that does not respond. */
const patienceMs = 4000;

/** One of the servers on the database of a run; it can be killed and restarted. */
export class Node {
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

  async send(...request: Parameters<Client['send']>): Promise<Answer | undefined> {
    return await this.#client?.send(...request);
  }

  async must(...request: Parameters<Client['must']>): Promise<Body> {
    return (await this.#client?.must(...request)) ?? {};
  }
}

/** A node as clients see it. */
export type Sender = Pick<Client, 'send' | 'must'>;

/** What the nodes of a run share. */
export type NodesOptions = {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly key: string;
  /** The bug planted in both. */
  readonly bug: string | undefined;
};

/** Two nodes on one database and one folder of blobs. The headers of deliveries identify the node. */
export async function startPair(options: NodesOptions): Promise<readonly [Node, Node]> {
  const { folder, databaseUrl, key, bug } = options;
  const plant = bug === undefined ? undefined : [bug];
  const node = (name: string) => {
    const settings = {
      CONFAB_DATABASE_URL: databaseUrl,
      CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
      CONFAB_LOG_LEVEL: 'warn',
      CONFAB_WEBHOOK_HEADER_PREFIX: `X-${name}`,
      CONFAB_PUBLIC_URL: 'http://confab.test',
    };
    return new Node(name, () => startConfab({ folder, key, name, plant, settings }));
  };
  const pair = [node('One'), node('Two')] as const;
  await Promise.all(pair.map((each) => each.start()));
  return pair;
}
