import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request that arrived whole. */
export type Arrival = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The port it came to. */
  readonly port: number;
  /** When it began to arrive, as `performance.now()` has it. */
  readonly at: number;
};

/** What Confab sends requests to, on a free port of this machine. */
export type Receiver = { readonly url: string; received(): number; close(): void };

/** Starts a receiver that has `answer` answer each request; without it each is taken at once. */
export async function startReceiver(
  answer: (response: ServerResponse, arrival: Arrival) => unknown = take,
): Promise<Receiver> {
  let received = 0;
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const { url: path = '', headers } = request;
    const { localPort: port = 0 } = request.socket;
    // A sender that is killed leaves requests unfinished.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    received += 1;
    await answer(response, { path, headers, body, port, at });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers that a delivery has arrived. */
export function take(response: ServerResponse): void {
  response.writeHead(204).end();
}

/** The guid of a delivery. */
export function guidOf({ headers }: Arrival): string {
  return String(headers['webhook-id']);
}

/** What came under each guid. */
export class Ledger {
  readonly #digests = new Map<string, Set<string>>();

  note(arrival: Arrival): void {
    const [guid, digest] = [guidOf(arrival), createHash('sha1').update(arrival.body).digest('hex')];
    this.#digests.set(guid, (this.#digests.get(guid) ?? new Set()).add(digest));
  }

  /** What is wrong when exactly the deliveries `guids` were to come, each with the same bytes each time. */
  faults(guids: readonly string[]): string[] {
    const known = new Set(guids);
    return [
      ...guids.filter((guid) => !this.#digests.has(guid)).map((guid) => `${guid} never came`),
      ...[...this.#digests].flatMap(([guid, { size }]) => [
        ...(known.has(guid) ? [] : [`${guid} came, and the store does not know it`]),
        ...(size === 1 ? [] : [`${guid} came with different bytes`]),
      ]),
    ];
  }
}
