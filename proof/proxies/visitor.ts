import type { IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpStatusHeader } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** A request of a client. */
export type Call = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent with its length, or in chunks where it is several pieces. */
  readonly body?: Buffer | readonly Buffer[];
};

/** The response to a request. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
};

/**
 * Sends a request over HTTP/1.1 and a connection of its own, from an address of this machine where `from` is set. Rejects
 * when the connection ends without a response.
 */
export async function visit(url: string, call: Call, from?: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const { method = 'GET', path, headers = {}, body } = call;
  const request = requestHttps(new URL(path, url), {
    method,
    agent: false,
    family: 4,
    ...(from === undefined ? {} : { localAddress: from }),
    headers: { ...asFields(headers), ...lengthOf(body) },
    // The path goes out as it is written; a URL would normalise it.
    path,
  });
  request.once('response', (response) => {
    buffer(response).then(
      (bytes) =>
        resolve({ status: response.statusCode ?? 0, headers: joined(response.headers), body: bytes }),
      reject,
    );
  });
  // A server that refuses a body responds before it has read all of it.
  request.on('error', reject);
  sendBody(request, body);
  return await promise;
}

/** A client whose requests share one HTTP/2 connection. */
export type Visitor2 = {
  send(call: Call): Promise<Reply>;
  readonly session: ClientHttp2Session;
  close(): void;
};

/** Opens an HTTP/2 connection. Throws where the server does not offer HTTP/2. */
export async function openVisitor2(url: string): Promise<Visitor2> {
  const session = connectHttp2(url, { family: 4 } as object);
  await new Promise<void>((resolve, reject) => {
    session.once('remoteSettings', () => resolve());
    session.once('error', reject);
  });
  session.on('error', () => undefined);
  return { session, send: (call) => send2(session, call), close: () => session.destroy() };
}

async function send2(session: ClientHttp2Session, call: Call): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const { method = 'GET', path, headers = {}, body } = call;
  const stream = session.request({
    ':method': method,
    ':path': path,
    ...asFields(headers),
    ...lengthOf(body),
  });
  let fields: IncomingHttpHeaders & IncomingHttpStatusHeader = {};
  const pieces: Buffer[] = [];
  // As an iterable, a stream that is closed at once loses what has arrived.
  stream.once('response', (received) => {
    fields = received;
  });
  stream.on('data', (piece: Buffer) => void pieces.push(piece));
  stream.once('end', () => {
    const status = fields[':status'];
    if (status !== undefined) resolve({ status, headers: joined(fields), body: Buffer.concat(pieces) });
  });
  stream.on('error', reject);
  stream.once('close', () => reject(new Error(`the stream ended early, with ${stream.rstCode}`)));
  sendBody(stream, body);
  return await promise;
}

function sendBody(target: NodeJS.WritableStream, body: Call['body']): void {
  if (body === undefined) target.end();
  else if (Buffer.isBuffer(body)) target.end(body);
  else Readable.from(body).pipe(target);
}

function lengthOf(body: Call['body']): Record<string, string> {
  return Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {};
}

function asFields(headers: NonNullable<Call['headers']>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}

function joined(headers: IncomingHttpHeaders): Reply['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** The JSON of a response. */
export function jsonOf({ body }: Reply): Readonly<Record<string, unknown>> {
  return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
}

/** The headers and the body of a form with one file, as `POST /api/blobs` takes it. */
export function formOf(name: string, bytes: Buffer): { headers: { 'content-type': string }; body: Buffer } {
  const boundary = 'confab-proxies-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="blob"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
