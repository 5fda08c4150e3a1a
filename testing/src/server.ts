import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before as nodeBefore } from 'node:test';
import { type Config, configFrom } from 'confab-server/src/config/config.ts';
import { type Parts, type Running, startServer } from 'confab-server/src/main/main.ts';
import { send } from './client.ts';
import type { BodyAt } from './contract-answers.ts';
import { checkAnswer } from './contract-check.ts';
import { patienceMs } from './poll.ts';
import { ratesOutOfReach } from './rates.ts';
import { createDataFolder, dropDatabaseOf, storeSettings } from './stores/databases.ts';
import { NoMemory } from './stores/no-memory.ts';

// The contract check has verified the shape that a test then reads.
type Parsed = any;

/** A response as tests read it. `body` is parsed JSON, or undefined when there is none. */
export type Answer<T = Parsed> = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  readonly text: string;
};

/** How a request is sent. Without `as` it carries the API key; `null` sends no credential. */
export type Sending = {
  readonly as?: string | null;
  readonly headers?: Record<string, string>;
};

/**
 * A sender of requests: a server with its API key, or a user. Every response is checked against the contract.
 */
export type Caller = {
  /** `body` is sent as JSON, a string or bytes unchanged. */
  call<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    sending?: Sending,
  ): Promise<Answer<BodyAt<Method, Path>>>;
  /** Sends a GET that must be answered 200, and returns the body. */
  read<Path extends string>(path: Path, sending?: Sending): Promise<BodyAt<'GET', Path>>;
  /** Sends a POST that must create an object, with status 201, and returns the object. */
  create<Path extends string>(path: Path, body?: unknown, sending?: Sending): Promise<BodyAt<'POST', Path>>;
};

/** A server on a fresh folder, used over HTTP. It is the caller that sends its API key. */
export type TestServer = Caller & {
  readonly url: string;
  readonly key: string;
  readonly folder: string;
  readonly running: Running;
  /** If true, the server runs no background loops. */
  readonly isQuiet: boolean;
  /** The caller that sends this access token or key, or no credential. */
  as(credential: string | null): Caller;
  /** Creates a user with this uid and returns an access token. */
  token(uid: string, fields?: object): Promise<string>;
  close(): Promise<void>;
};

/** Statements that the loops of a server run at any time; counts of the statements of requests leave them out. */
const ofLoops = new RegExp(
  [
    '"(webhooks|deliveries|leases|nodes|notification_refreshes|redactions)"',
    // Once a minute: removes expired rows and the remains of deleted items.
    'from "blobs" where "expires_at" <=',
    'from "attempts" where "response_body" is not null',
    'from "(kept_answers|recent_texts)" order by "id"',
    'from "apps" where "deleted_at" is not null',
    'from "tallies" where "removed_at" is not null',
    'from "presence" where "node_id" <>',
  ].join('|'),
);

/** Sends requests to a server, by default with its key, and checks the responses. `logged` is shown for a 500. */
function callOf({ url, key }: Pick<TestServer, 'url' | 'key'>, logged: readonly string[]): Caller['call'] {
  return async (method, path, body, sending = {}) => {
    const headers: Record<string, string> = { ...sending.headers };
    if (sending.as !== null) headers.authorization ??= `Bearer ${sending.as ?? key}`;
    if (body !== undefined) headers['content-type'] ??= 'application/json';
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
    if (body instanceof FormData) delete headers['content-type'];
    const response = await send(url + path, {
      method,
      headers,
      body: body === undefined || isRaw ? (body as string | undefined) : JSON.stringify(body),
    });
    const { text } = response;
    if (response.status === 500) throw new Error(`${method} ${path} → 500: ${logged.join('')}`);
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const parsed = isJson && text !== '' ? JSON.parse(text) : undefined;
    checkAnswer(
      {
        ...{ method, path, prefer: headers.prefer, source: headers['x-weavy-source'] },
        isVisitor: headers.authorization === undefined,
        isSignedIn: headers.authorization?.startsWith('Bearer wyv_') === true,
      },
      { status: response.status, headers: response.headers, body: parsed },
    );
    return { status: response.status, headers: response.headers, body: parsed, text };
  };
}

/** A caller whose requests `call` sends. */
function callerOf(call: Caller['call']): Caller {
  return {
    call,
    async read(path, sending) {
      const answer = await call('GET', path, undefined, sending);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
    async create(path, body, sending) {
      const answer = await call('POST', path, body, sending);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
  };
}

let uids = 0;

/** A uid that no other test of this process uses. */
export function freshUid(prefix = 'x'): string {
  uids += 1;
  return `${prefix}-${uids}`;
}

async function removeDataFolder(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await dropDatabaseOf(folder);
}

/**
 * Starts a server on a fresh folder (or on `folder`) and a free port, with the real store on the engine of this run.
 * Its log is shown when a request fails with a 500.
 */
export async function startTestServer(
  settings: Record<string, string> = {},
  parts: Parts & { folder?: string } = {},
): Promise<TestServer> {
  const folder = parts.folder ?? (await createDataFolder());
  const config: Config = configFrom({
    CONFAB_DATA_DIR: folder,
    CONFAB_PORT: '0',
    CONFAB_LOG_LEVEL: 'error',
    CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
    ...ratesOutOfReach,
    ...(await storeSettings(folder)),
    ...settings,
  });
  // Kept for a response that refers to the log.
  const logged: string[] = [];
  const logTo = parts.logTo ?? { write: (line: string) => void logged.push(line) };
  const { onStatement } = parts;
  const running = await startServer(config, {
    ...parts,
    logTo,
    // On a busy machine a search can take long, so it gets as long as a test waits for anything.
    longReadLimits: { runningMsMax: patienceMs, waitingMsMax: patienceMs, ...parts.longReadLimits },
    // Gives a request the same number of statements each time, and on both engines.
    ...(onStatement === undefined ? {} : { memory: NoMemory }),
    ...(onStatement === undefined || parts.isQuiet !== true
      ? {}
      : { onStatement: (sql: string) => void (ofLoops.test(sql) || onStatement(sql)) }),
  });
  const key = running.firstKey ?? (await running.keys.create('test'));
  const call = callOf({ url: running.url, key }, logged);
  const server: TestServer = {
    url: running.url,
    key,
    folder,
    running,
    isQuiet: parts.isQuiet === true,
    ...callerOf(call),
    as(credential) {
      return callerOf((method, path, body, sending) =>
        call(method, path, body, { as: credential, ...sending }),
      );
    },
    async token(uid, fields = {}) {
      await call('PUT', `/api/users/${encodeURIComponent(uid)}`, fields);
      const { body } = await call('POST', `/api/users/${encodeURIComponent(uid)}/tokens`);
      return body.access_token;
    },
    async close() {
      await running.close();
      if (parts.folder === undefined) await removeDataFolder(folder);
    },
  };
  return server;
}

let earlier: Promise<unknown> = Promise.resolve();

/** Like `before` of node:test, which starts all hooks of a file at once; this one waits for the earlier ones. */
export function before(prepare: () => unknown): void {
  nodeBefore(async () => {
    const prepared = earlier.then(prepare);
    // A failure does not affect the next hook, which may belong to another file in the same process.
    earlier = prepared.catch(() => undefined);
    await prepared;
  });
}

/**
 * Creates something before the tests of the file or of the enclosing `describe`. The returned object is empty until
 * then and afterwards has the properties of the created one, so it can be a constant.
 */
export function use<T extends object>(make: () => Promise<T>): T {
  const made = {} as T;
  before(async () => Object.assign(made, await make()));
  return made;
}

/** A server that its tests can start again. */
export type LastingServer = TestServer & {
  /** Stops the server, calls `meanwhile`, and starts a server with `changed` settings on the same folder. */
  restart(meanwhile?: () => unknown, changed?: Record<string, string>): Promise<void>;
};

/** A server for the tests of the file or of the enclosing `describe`: started before them, closed after them. */
export function useServer(settings: Record<string, string> = {}, parts: Parts = {}): LastingServer {
  const server = use(async () => {
    const folder = await createDataFolder();
    return { ...(await startTestServer(settings, { ...parts, folder })), restart };
  });
  async function restart(meanwhile: () => unknown = () => undefined, changed: Record<string, string> = {}) {
    await server.close();
    await meanwhile();
    Object.assign(
      server,
      await startTestServer({ ...settings, ...changed }, { ...parts, folder: server.folder }),
    );
  }
  after(async () => {
    await server.close();
    await removeDataFolder(server.folder);
  });
  return server;
}
