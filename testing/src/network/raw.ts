import { connect, type Socket } from 'node:net';
import { poll } from '../poll.ts';

/** A response as received from a socket. `status` is 0 when the server closed without one. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** All received bytes, for several responses. */
  readonly text: string;
  readonly elapsedMs: number;
};

/**
 * Sends bytes that no HTTP client would send. Returns what arrives until the server closes, or until a complete
 * response with a Content-Length has arrived.
 */
export async function exchange(url: string, ...pieces: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      for (const piece of pieces)
        socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    });
    socket.on('data', (data: string) => {
      received += data;
      if (isWhole(received)) finish();
    });
    socket.on('end', finish);
    socket.on('close', finish);
    // A server that closes while bytes are in flight causes a reset; its earlier bytes have arrived.
    socket.on('error', (error: Error & { code?: string }) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish() : reject(error),
    );
  });
  return { ...parse(text), elapsedMs: performance.now() - started };
}

function isWhole(text: string): boolean {
  const { status, headers, body } = parse(text);
  if (status < 200 || headers.size === 0) return false;
  const length = headers.get('content-length');
  if (length === undefined) return status === 204 || status === 304;
  return body.length >= Number(length);
}

function parse(text: string): Omit<RawAnswer, 'elapsedMs'> {
  // An interim response (100 Continue) comes before the final one.
  const start = text.startsWith('HTTP/1.1 100') ? text.indexOf('\r\n\r\n') + 4 : 0;
  const end = text.indexOf('\r\n\r\n', start);
  if (end === -1) return { status: 0, headers: new Map(), body: '', text };
  const [first = '', ...lines] = text.slice(start, end).split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(end + 4), text };
}

/** One request as text, so that nothing in it is corrected on the way. */
export type RawRequest = {
  readonly method: string;
  /** The request target in the request line. */
  readonly target: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
};

/** The bytes of a request with its Host, and with a Content-Length where there is a body. */
export function requestBytes(request: RawRequest): Buffer {
  const body = Buffer.from(request.body ?? '');
  const lines = [
    `${request.method} ${request.target} HTTP/1.1`,
    'Host: confab.test',
    ...(request.headers ?? []),
    ...(request.body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** A request with only its headers and half of its body. */
export async function halfRequest(
  url: string,
  key: string,
): Promise<{ socket: Socket; answer: () => string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.write(
    `POST /api/apps HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
      `expect: 100-continue\r\ncontent-length: 32\r\n\r\n{"uid":"late",`,
  );
  await poll('the go-ahead', () => (answer.includes('100 Continue') ? true : undefined));
  return { socket, answer: () => answer };
}
