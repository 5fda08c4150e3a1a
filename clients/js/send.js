/** Sends one request, again where that is safe, and reads its response. */

import { ConnectionError, ProblemError } from './errors.js';
import { upload } from './upload.js';

/** The entity tags of bodies that the server has sent, for `ifMatch`. */
const tags = new WeakMap();

/** Statuses after which the same request can succeed. */
const passing = new Set([408, 425, 429, 502, 503, 504]);
/** The first wait before another attempt, which doubles each time, and the longest, in milliseconds. */
const waitMsFirst = 200;
const waitMsMax = 10_000;

/** Resolves to `{ status, headers, body }` of a success; rejects with a `ProblemError` or a `ConnectionError`. */
export async function send(server, request) {
  const { method, signal, idempotencyKey } = request;
  const key = idempotencyKey ?? (request.takesKey ? crypto.randomUUID() : undefined);
  // PUT and DELETE can be repeated as they are (RFC 9110), POST and PATCH with a key.
  const isRepeatable = !/^(POST|PATCH)$/.test(method) || key !== undefined;
  let credential = await server.credential.get();
  let isRenewed = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(server, { ...request, key, credential });
    } catch (error) {
      signal?.throwIfAborted();
      if (error.status === 401 && server.credential.canRenew && !isRenewed) {
        isRenewed = true;
        credential = await server.credential.get(credential);
        continue;
      }
      if (attempt >= server.attempts || !canPass(error, isRepeatable)) throw error;
      await wait(error.retryAfterMs ?? backOff(attempt), signal);
    }
  }
}

/** Whether another attempt can succeed and does not repeat a change. */
function canPass(error, isRepeatable) {
  if (error instanceof ConnectionError) return isRepeatable;
  // A request that was refused for its rate was not carried out.
  if (error.status === 429) return error.retryAfterMs !== undefined;
  return isRepeatable && (passing.has(error.status) || error.code === 'idempotency_key_in_use');
}

async function attemptOnce(
  server,
  { method, path, query, body, file, isStream, onProgress, key, credential, ...rest },
) {
  const { signal, timeoutMs = server.timeoutMs, onBehalfOf = server.onBehalfOf } = rest;
  const headers = { ...rest.headers, ...conditionHeaders(rest), ...callerHeaders(credential, onBehalfOf) };
  if (key !== undefined) headers['idempotency-key'] = `"${key}"`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const address = `${server.url}${path}${queryText(query)}`;
  const sent = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  // An upload takes as long as its file needs, and a stream as long as its reader; the server bounds both.
  const limit = file === undefined && !isStream ? AbortSignal.timeout(timeoutMs) : undefined;
  sent.signal = AbortSignal.any([signal, limit].filter((each) => each !== undefined));
  try {
    const response =
      file === undefined
        ? await server.fetch(address, sent)
        : await upload(server.fetch, address, { ...sent, file, onProgress });
    if (response.ok && isStream)
      return { status: response.status, headers: response.headers, body: response.body };
    const text = await response.text();
    if (response.ok) return received(response, parsed(text));
    throw new ProblemError(response.status, problemOf(response, text), response.headers);
  } catch (error) {
    if (error instanceof ProblemError || signal?.aborted) throw error;
    const what = limit?.aborted ? `took longer than ${timeoutMs} ms` : 'got no complete response';
    throw new ConnectionError(`${method} ${path} ${what}`, { cause: error });
  }
}

function received({ status, headers }, body) {
  const tag = headers.get('etag');
  if (tag !== null && typeof body === 'object') tags.set(body, tag);
  return { status, headers, body };
}

/** The headers of a change that depends on what is there. */
function conditionHeaders({ ifMatch, ifNoneMatch }) {
  const tag = typeof ifMatch === 'object' ? tags.get(ifMatch) : ifMatch;
  if (ifMatch !== undefined && tag === undefined)
    throw new TypeError('ifMatch is neither a response of this client that has a tag nor a tag');
  return {
    ...(tag === undefined ? {} : { 'if-match': tag }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  };
}

/** The headers that tell the server who calls. */
export function callerHeaders(credential, onBehalfOf) {
  return {
    ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    ...(onBehalfOf === undefined ? {} : { 'x-confab-user': encodeURIComponent(onBehalfOf) }),
  };
}

function parsed(text) {
  return text === '' ? undefined : JSON.parse(text);
}

/** The problem in a response; an empty one where something between client and server wrote the response. */
function problemOf(response, text) {
  const isProblem = /^application\/problem\+json\b/.test(response.headers.get('content-type') ?? '');
  return isProblem ? JSON.parse(text) : {};
}

function queryText(query) {
  if (query instanceof URLSearchParams) return `?${query}`;
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

/** A random time of at most the back-off, so that clients that failed together do not return together. */
export function backOff(attempt) {
  return Math.random() * Math.min(waitMsFirst * 2 ** (attempt - 1), waitMsMax);
}

/** Resolves after a time; rejects with the reason of the signal when it aborts. */
export async function wait(ms, signal) {
  await new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
