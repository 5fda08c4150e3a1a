import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../harness/random.ts';

/** One request that arrived. Times are on the monotonic clock. */
export type Arrival = {
  readonly guid: string;
  readonly attempt: number;
  readonly sequence: number;
  readonly body: string;
  readonly at: number;
  readonly path: string;
  /** Whether it was answered with a 2xx. */
  readonly isTaken: boolean;
};

/** A receiver that behaves badly as chance has it. */
export type ChaoticReceiver = {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Has it behave from now on. */
  calm(): void;
  close(): void;
};

/** Starts one: of twenty requests it refuses four and cuts one off, and now and then it leaves one unanswered. */
export async function startChaoticReceiver(random: Random): Promise<ChaoticReceiver> {
  const arrivals: Arrival[] = [];
  let isCalm = false;

  function answer(response: ServerResponse): boolean {
    const chance = isCalm ? 20 : random.integer(1, 20);
    if (chance <= 3) response.writeHead(500).end('not now');
    else if (chance === 4) response.writeHead(429, { 'retry-after': '1' }).end();
    else if (chance === 5) response.destroy();
    // The headers come and the body does not, until the sender has had enough or is killed.
    else if (chance === 6 && random.oneIn(40)) response.writeHead(200).write('.');
    else {
      response.writeHead(204).end();
      return true;
    }
    return false;
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.once('end', () => {
      const header = (name: string): string => String(request.headers[name]);
      arrivals.push({
        guid: header('webhook-id'),
        attempt: Number(header('x-weavy-attempt')),
        sequence: Number(header('x-weavy-sequence')),
        body: Buffer.concat(chunks).toString(),
        at: performance.now(),
        path: request.url ?? '',
        isTaken: answer(response),
      });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    calm() {
      isCalm = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
