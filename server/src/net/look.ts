import { request as tlsRequest } from 'node:https';

// As `kernel/node-http.ts` asks for it.
const { request: plainRequest } = process.getBuiltinModule('node:http');

/**
 * Requests an address of the operator, such as the address of this server. The address is a setting and does not come from
 * a client, so no guard checks it.
 */

/** How long the answer may take, in milliseconds. */
const lookMs = 5000;
/** How many bytes of an answer are read. */
const bodyBytesMax = 4096;

/** The response of an address. `date` is its clock in Unix milliseconds, undefined without a valid one. */
export type AddressResponse = {
  readonly status: number;
  readonly date: number | undefined;
  readonly body: string;
};

/** Requests an http or https address and returns the answer, without following a redirect. Throws the error of the network. */
export async function lookAt(url: string): Promise<AddressResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<AddressResponse>();
  const request = url.startsWith('https:') ? tlsRequest : plainRequest;
  const clientRequest = request(url, { agent: false, signal: AbortSignal.timeout(lookMs) }, (answer) => {
    let body = '';
    const end = () => {
      const date = Date.parse(answer.headers.date ?? '');
      resolve({ status: answer.statusCode ?? 0, date: Number.isNaN(date) ? undefined : date, body });
      answer.destroy();
    };
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      body += text;
      if (body.length >= bodyBytesMax) end();
    });
    answer.on('end', end);
    answer.on('error', reject);
  });
  clientRequest.on('error', reject);
  clientRequest.end();
  return await promise;
}
