/** Requests with a limit of time and size. */

import { setTimeout as pause } from 'node:timers/promises';
import { NoAnswer } from './outcome.js';

/** How many times a request is repeated that the server asks to repeat later. */
const repeatsMax = 5;

/** The longest pause that a server may ask for, in seconds. */
const repeatSecondsMax = 30;

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
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readText(response, bytesMax);
    if (text === undefined) throw new NoAnswer(`${what}: the answer is longer than ${bytesMax} bytes`);
    return {
      method,
      path,
      sent,
      status: response.status,
      headers: response.headers,
      text,
      body: parsed(text),
    };
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    const { name, message, cause } = /** @type {Error & { cause?: Error & { code?: string } }} */ (error);
    const why =
      name === 'TimeoutError' ? `none within ${timeoutMs} ms` : (cause?.code ?? cause?.message ?? message);
    throw new NoAnswer(`${what}: no answer (${why})`, { cause: error });
  }
}

/**
 * The text of an answer, or undefined if it is longer than allowed.
 * @param {Response} response
 * @param {number} bytesMax
 */
async function readText(response, bytesMax) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
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
