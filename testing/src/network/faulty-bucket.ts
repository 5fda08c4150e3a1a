import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a store treats one request; everything but `pass` is a fault. */
export type Treatment =
  | 'pass'
  /** Breaks the connection before any response. */
  | 'break'
  /** Accepts the request and never responds. */
  | 'silence'
  /** Responds with a server error. */
  | 'fail'
  /**
   * Responds as the store does, for this many bytes of a body, and then breaks the connection or sends nothing more.
   */
  | { readonly cutAfter: number }
  | { readonly stallAfter: number };

/** A received request. */
export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
};

/** A proxy in front of an S3 server that injects the faults of a test. */
export type FaultyBucket = {
  readonly url: string;
  /** Every received request, in order. */
  readonly seen: SeenRequest[];
  /** How many requests are unfinished. */
  open(): number;
  close(): void;
  /** Called for the treatment of each request. */
  treat: (seen: SeenRequest) => Treatment;
};

/** Starts one in front of `target`. */
export async function startFaultyBucket(target: string): Promise<FaultyBucket> {
  const seen: SeenRequest[] = [];
  let open = 0;
  const server = createServer((incoming, outgoing) => {
    const one = { method: String(incoming.method), path: String(incoming.url), headers: incoming.headers };
    seen.push(one);
    open += 1;
    outgoing.once('close', () => {
      open -= 1;
    });
    serve({ incoming, outgoing, target, treatment: faulty.treat(one) });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const faulty: FaultyBucket = {
    url: `http://127.0.0.1:${port}`,
    seen,
    open: () => open,
    treat: () => 'pass',
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return faulty;
}

function serve({
  incoming,
  outgoing,
  target,
  treatment,
}: {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  target: string;
  treatment: Treatment;
}): void {
  incoming.on('error', () => undefined);
  if (treatment === 'silence') return;
  if (treatment === 'break') return void incoming.socket.destroy();
  if (treatment === 'fail') {
    incoming.resume();
    outgoing.writeHead(500, { 'content-type': 'application/xml' });
    return void outgoing.end('<Error><Code>InternalError</Code><Message>We are at fault.</Message></Error>');
  }
  const { hostname, port } = new URL(target);
  const { url: path, method, headers } = incoming;
  const asked = request({ hostname, port, path, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (treatment === 'pass') return void answer.pipe(outgoing);
    const most = 'cutAfter' in treatment ? treatment.cutAfter : treatment.stallAfter;
    let sent = 0;
    answer.on('data', (piece: Buffer) => {
      outgoing.write(piece.subarray(0, Math.max(most - sent, 0)));
      sent += piece.length;
    });
    answer.on('end', () => {
      if ('cutAfter' in treatment) outgoing.write('', () => outgoing.destroy());
    });
  });
  // A store that is down breaks every connection.
  asked.on('error', () => incoming.socket.destroy());
  incoming.pipe(asked);
}
