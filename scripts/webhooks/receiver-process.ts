/**
 * Receivers of webhooks in a process of their own, so that what they cost is not taken from the one that measures. The
 * arguments are how many ports answer at once and how many never do. It is asked over its channel what it has received.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was received: the port, the time in milliseconds since 1970, and the guid and the body of the delivery. */
export type Receipt = {
  readonly port: number;
  readonly at: number;
  readonly guid: string;
  readonly body: string;
};

/** What is said over the channel: where it listens, and what it has received when it was asked. */
export type Said =
  | { readonly ports: readonly number[]; readonly deadPorts: readonly number[] }
  | {
      readonly count: number;
      readonly firstAt: number;
      readonly lastAt: number;
      readonly receipts: readonly Receipt[];
    };

const now = (): number => performance.timeOrigin + performance.now();

let receipts: Receipt[] = [];
let count = 0;
let firstAt = 0;
let lastAt = 0;
let keepsBodies = true;

function receive(request: IncomingMessage, response: ServerResponse): void {
  const at = now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.once('end', () => {
    if (count === 0) firstAt = at;
    count += 1;
    lastAt = at;
    const { localPort: port = 0 } = request.socket;
    if (keepsBodies)
      receipts.push({
        port,
        at,
        guid: String(request.headers['webhook-id']),
        body: Buffer.concat(chunks).toString(),
      });
    response.writeHead(204).end();
  });
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

const [, , answering = '1', dead = '0'] = process.argv;
const ports = await Promise.all(Array.from({ length: Number(answering) }, () => listen(receive)));
const deadPorts = await Promise.all(Array.from({ length: Number(dead) }, () => listen(() => undefined)));
process.on('message', (message: { readonly ask: 'count' | 'all' | 'clear' }) => {
  if (message.ask === 'clear') {
    receipts = [];
    count = 0;
    keepsBodies = false;
  }
  process.send?.({ count, firstAt, lastAt, receipts: message.ask === 'all' ? receipts : [] } satisfies Said);
  if (message.ask === 'all') receipts = [];
});
process.send?.({ ports, deadPorts } satisfies Said);
