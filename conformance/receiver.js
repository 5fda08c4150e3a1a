/** A receiver of webhooks, which keeps what it is sent and answers as it is told. */

import { createServer } from 'node:http';

/** The longest body that is kept, in bytes; a longer one is cut off. */
const bytesMax = 1024 * 1024;

/** The most requests that are kept for one path. */
const requestsMax = 1000;

/**
 * @typedef {object} Received
 * @property {string} method
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body
 */

/**
 * @typedef {object} Receiver
 * @property {string} url where the server under test reaches it
 * @property {(path: string) => readonly Received[]} received the requests for a path so far, in their order
 * @property {(path: string, statuses: readonly number[]) => void} answer sets the statuses of the next requests for a
 *   path; afterwards, and by default, it is 200
 * @property {() => Promise<void>} close cuts every connection
 */

/**
 * Starts a receiver.
 * @param {{ host: string, port: number, url?: string | undefined }} options `url` is the address under which the server
 *   reaches it, if that is another than the one on which it listens
 * @returns {Promise<Receiver>}
 */
export async function startReceiver({ host, port, url }) {
  /** @type {Map<string, Received[]>} */
  const ledger = new Map();
  /** @type {Map<string, number[]>} */
  const replies = new Map();
  const server = createServer((request, response) => {
    // An address in front of the receiver may have a path of its own, so the last part of the path counts.
    const path = (request.url ?? '/').replace(/^.*\//, '/');
    /** @type {Buffer[]} */
    const chunks = [];
    let bytes = 0;
    request.on('data', (/** @type {Buffer} */ chunk) => {
      bytes += chunk.length;
      if (bytes > bytesMax) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const requests = ledger.get(path) ?? [];
      if (requests.length < requestsMax)
        requests.push({
          method: request.method ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks),
        });
      ledger.set(path, requests);
      const status = replies.get(path)?.shift() ?? 200;
      // A redirect leads somewhere, so that a server that follows it is noticed.
      response.writeHead(status, status >= 300 && status < 400 ? { location: '/moved' } : {}).end();
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(undefined));
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: url ?? `http://${shown}:${address.port}`,
    received: (path) => ledger.get(path) ?? [],
    answer: (path, statuses) => void replies.set(path, [...statuses]),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
