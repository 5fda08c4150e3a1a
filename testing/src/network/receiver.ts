import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { payloadFault } from '../payload-check.ts';
import { poll } from '../poll.ts';
import { use } from '../server.ts';

/** How a receiver responds: with a status, or by misbehaving. */
export type Reply =
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string | Uint8Array;
      /** The response waits for this. */
      readonly after?: Promise<unknown>;
    }
  /** Never responds. */
  | 'hang'
  /** Cuts the connection. */
  | 'reset'
  /** Responds with 200 and then one byte at a time, without end. */
  | 'trickle';

/** One received request. */
export type Received = {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** On the monotonic clock. */
  readonly at: number;
};

/**
 * A receiver of webhooks on loopback with a ledger of its requests. Every delivery is checked against the catalogue of
 * events; after one that does not match, the next reading of the ledger fails.
 */
export type Receiver = {
  readonly url: string;
  /**
   * Sets the responses to requests for `path`: the first reply for the first one and so on, the last one for all
   * others.
   */
  answer(path: string, ...replies: Reply[]): void;
  /** Sets the response to each request for `path` by its content. */
  decide(path: string, reply: (request: Received) => Reply): void;
  /** The requests for `path` so far, in order. */
  ledger(path: string): readonly Received[];
  /** All requests so far, in order. */
  all(): readonly Received[];
  /** Waits until `count` requests have reached `path`; returns all of them. */
  received(path: string, count: number): Promise<readonly Received[]>;
  /** Cuts every connection and stops. */
  close(): Promise<void>;
};

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function trickle(response: ServerResponse): Promise<void> {
  response.writeHead(200);
  while (!response.destroyed) {
    response.write('.');
    const start = performance.now();
    await poll('the next byte', () => performance.now() - start > 50 || undefined);
  }
}

/** Starts a receiver. A path without replies responds with 200. */
export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  const replies = new Map<string, Reply[]>();
  const decisions = new Map<string, (request: Received) => Reply>();
  const faults: string[] = [];
  const server = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await readBody(request);
    const received: Received = {
      path,
      headers: request.headers as Record<string, string>,
      rawHeaders: request.rawHeaders,
      body,
      at: performance.now(),
    };
    requests.push(received);
    if ('webhook-id' in request.headers) faults.push(...payloadFault(body));
    const queue = replies.get(path) ?? [];
    const next = queue.length > 1 ? queue.shift() : queue[0];
    const reply = decisions.get(path)?.(received) ?? next ?? { status: 200 };
    if (reply === 'hang') return;
    if (reply === 'reset') request.socket.resetAndDestroy();
    else if (reply === 'trickle') await trickle(response);
    else {
      await reply.after;
      response.writeHead(reply.status, reply.headers).end(reply.body);
    }
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const ledger = (path: string): Received[] => {
    assert.deepEqual(faults, []);
    return requests.filter((request) => request.path === path);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (path, ...list) => void replies.set(path, list),
    decide: (path, reply) => void decisions.set(path, reply),
    ledger,
    all: () => requests,
    received: (path, count) =>
      poll(`${count} requests for ${path}`, () => (ledger(path).length >= count ? ledger(path) : undefined)),
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
      assert.deepEqual(faults, []);
    },
  };
}

/** A receiver for the tests of the file or of the enclosing `describe`. */
export function useReceiver(): Receiver {
  const receiver = use(startReceiver);
  after(() => receiver.close());
  return receiver;
}
