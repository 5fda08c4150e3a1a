/** Requests with a limit of time and size. */

import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { NoAnswer } from './outcome.js';

/** How many times a request is repeated that the server asks to repeat later. */
const repeatsMax = 5;

/** The longest pause that a server may ask for, in seconds. */
const repeatSecondsMax = 30;

const agent = new http.Agent({ keepAlive: true });
const secureAgent = new https.Agent({ keepAlive: true });

/**
 * @typedef {object} Answer
 * @property {string} method
 * @property {string} path with its query
 * @property {unknown} sent the body of the request
 * @property {number} status
 * @property {Headers} headers
 * @property {string} text
 * @property {any} body the parsed JSON, undefined if there is none
 */

/**
 * @typedef {object} Outgoing
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string | FormData} [body]
 * @property {unknown} [sent] the body as it is shown in reports
 */

/**
 * Makes a function that sends requests to a server. It repeats what is answered 429 or 503 with a `Retry-After`.
 * @param {{ url: string, timeoutMs: number, bytesMax: number }} options
 * @returns {(outgoing: Outgoing) => Promise<Answer>} fails with `NoAnswer`
 */
export function createSender({ url, timeoutMs, bytesMax }) {
  return async (outgoing) => {
    for (let repeats = 0; ; repeats += 1) {
      const answer = await sendOnce(url, outgoing, { timeoutMs, bytesMax });
      const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
      const isLater = answer.status === 429 || answer.status === 503;
      if (!isLater || repeats === repeatsMax || !(seconds >= 0 && seconds <= repeatSecondsMax)) return answer;
      await pause(seconds * 1000);
    }
  };
}

/**
 * @param {string} url
 * @param {Outgoing} outgoing
 * @param {{ timeoutMs: number, bytesMax: number }} limits
 * @returns {Promise<Answer>}
 */
async function sendOnce(url, { method, path, headers, body, sent }, { timeoutMs, bytesMax }) {
  const what = `${method} ${path}`;
  const [bytes, about] = await encoded(body);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await responseTo(
      url + path,
      { method, headers: { ...headers, ...about }, signal },
      bytes,
    );
    const text = await readText(response, bytesMax);
    if (text === undefined) throw new NoAnswer(`${what}: the answer is longer than ${bytesMax} bytes`);
    return {
      ...{ method, path, sent, text },
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      body: parsed(text),
    };
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    const { message, code = message } = /** @type {Error & { code?: string }} */ (error);
    const why = signal.aborted ? `none within ${timeoutMs} ms` : code;
    throw new NoAnswer(`${what}: no answer (${why})`, { cause: error });
  }
}

/**
 * The bytes of a body with the headers that describe them.
 * @param {Outgoing['body']} body
 * @returns {Promise<[Buffer | undefined, Record<string, string>]>}
 */
async function encoded(body) {
  if (body === undefined) return [undefined, {}];
  const form = typeof body === 'string' ? undefined : new Response(body);
  const bytes =
    form === undefined ? Buffer.from(/** @type {string} */ (body)) : Buffer.from(await form.arrayBuffer());
  // By default, Node sends no length of the body of a DELETE.
  const length = { 'content-length': String(bytes.length) };
  return [
    bytes,
    form === undefined ? length : { ...length, 'content-type': form.headers.get('content-type') ?? '' },
  ];
}

/**
 * Sends a request; returns the response when its headers have arrived. `fetch` takes three times as long.
 * @param {string} address
 * @param {import('node:https').RequestOptions} options
 * @param {Buffer | undefined} bytes
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
function responseTo(address, options, bytes) {
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const request = isSecure
    ? https.request(url, { ...options, agent: secureAgent })
    : http.request(url, { ...options, agent });
  return new Promise((resolve, reject) => {
    request
      .on('response', resolve)
      .on('error', (/** @type {Error & { code?: string }} */ error) => {
        // The server has closed the idle connection while the request was on its way.
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve(responseTo(address, options, bytes));
        else reject(error);
      })
      .end(bytes);
  });
}

/** @param {import('node:http').IncomingMessage} response */
function headersOf({ rawHeaders }) {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

/**
 * The text of an answer, or undefined if it is longer than allowed.
 * @param {import('node:http').IncomingMessage} response
 * @param {number} bytesMax
 */
async function readText(response, bytesMax) {
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @param {string} text */
function parsed(text) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
