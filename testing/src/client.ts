import { Agent, type IncomingMessage, request } from 'node:http';

/** A request for `send`: a form is encoded, text and bytes are sent unchanged. */
export type Outgoing = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | FormData | undefined;
};

/** The response. */
export type Incoming = { readonly status: number; readonly headers: Headers; readonly text: string };

const agent = new Agent({ keepAlive: true });

/** The bytes of a body with its headers. */
async function encode(body: NonNullable<Outgoing['body']>): Promise<[Buffer, Record<string, string>]> {
  if (!(body instanceof FormData)) return [Buffer.from(body as string), {}];
  const form = new Response(body);
  return [Buffer.from(await form.bytes()), { 'content-type': form.headers.get('content-type') ?? '' }];
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/**
 * Sends a request and returns the response, even a redirect. It takes a third of the time of `fetch`, and the tests
 * send more than a hundred thousand requests.
 */
export async function send(url: string, { method, headers, body }: Outgoing): Promise<Incoming> {
  const [bytes, about] = body === undefined ? [undefined, {}] : await encode(body);
  // By default, Node sends no length of the body of a DELETE.
  const length = bytes === undefined ? {} : { 'content-length': bytes.length };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(url), { method, agent, headers: { ...headers, ...about, ...length } })
      .on('response', resolve)
      .on('error', reject)
      .end(bytes);
  });
  return {
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    text: await textOf(response),
  };
}
