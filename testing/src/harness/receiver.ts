import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that arrived completely. */
export type Arrival = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The port at which it arrived. */
  readonly port: number;
  /** When it began to arrive, in the time of `performance.now()`. */
  readonly at: number;
};

/**
 * A receiver of Confab's requests, on a free port of this machine. At the end of a scope with `using` it is closed with
 * its connections.
 */
export type Receiver = Disposable & { readonly url: string; received(): number; close(): void };

/** Starts a receiver that responds with `answer`; without it, each request is accepted at once. */
export async function startReceiver(
  answer: (response: ServerResponse, arrival: Arrival) => unknown = take,
): Promise<Receiver> {
  let received = 0;
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const { url: path = '', headers } = request;
    const { localPort: port = 0 } = request.socket;
    // A killed sender leaves requests unfinished.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    received += 1;
    await answer(response, { path, headers, body, port, at });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  function close(): void {
    server.closeAllConnections();
    server.close();
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    close,
    [Symbol.dispose]: close,
  };
}

/** Responds that a delivery has arrived. */
export function take(response: ServerResponse): void {
  response.writeHead(204).end();
}

/** The guid of a delivery. */
export function guidOf({ headers }: Arrival): string {
  return String(headers['webhook-id']);
}

/** The bodies received under each guid. */
export class Ledger {
  readonly #digests = new Map<string, Set<string>>();

  note(arrival: Arrival): void {
    const [guid, digest] = [guidOf(arrival), createHash('sha1').update(arrival.body).digest('hex')];
    this.#digests.set(guid, (this.#digests.get(guid) ?? new Set()).add(digest));
  }

  /** The violations if exactly the deliveries `guids` were expected, each with the same bytes every time. */
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
