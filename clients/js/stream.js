/**
 * The log of changes as it grows, and the changes of one app. After a break the stream of the log continues behind the last event that it has handed out, so
 * each event comes once, whatever happens to the connection.
 */

import { ConnectionError, ProblemError } from './errors.js';
import { backOff, callerHeaders, wait } from './send.js';

/** The server sends something every 15 seconds; a connection that is silent for longer is lost. */
const silenceMsMax = 45_000;

/**
 * Iterates over events: those after a position, or from now on. Ends when `signal` aborts; throws a `ProblemError` when
 * the server refuses the credential. It reconnects after every other failure, without end.
 */
export async function* readStream(server, { after, signal } = {}) {
  let position = after;
  const pathOf = () =>
    `/api/events/stream${position === undefined ? '' : `?after=${encodeURIComponent(position)}`}`;
  for await (const { id, data } of follow(server, { pathOf, signal })) {
    // One without an id is a comment, and one without data is the position alone.
    if (id === undefined) continue;
    position = id;
    if (data !== undefined) yield JSON.parse(data);
  }
}

/**
 * Iterates over the times at which an app may have changed: now, at each change, and after each break, because there may have
 * been one meanwhile. Where the server has no place for another watch, it asks again after the pause that the server
 * names, and each pause counts as a change. Ends and throws as `readStream`.
 */
export async function* readChanges(server, app, { signal } = {}) {
  const pathOf = () => `/api/apps/${encodeURIComponent(app)}/changes`;
  for await (const { isOpening, event } of follow(server, { pathOf, signal }))
    if (isOpening || event === 'changed') yield;
}

/** The records of connections, one after the other, each of which begins with one that `isOpening`. */
async function* follow(server, { pathOf, signal }) {
  let failures = 0;
  let refused;
  while (signal?.aborted !== true) {
    const credential = await server.credential.get(refused);
    const ending = new AbortController();
    const stop = () => ending.abort(signal.reason);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      for await (const record of records(server, { credential, path: pathOf(), ending })) {
        failures = 0;
        refused = undefined;
        yield record;
      }
      // The server ended the stream: its credential expired, or the server stops.
      await wait(backOff(1), signal).catch(() => undefined);
    } catch (error) {
      if (signal?.aborted) return;
      if (!canReturn(error, server, refused)) throw error;
      if (error.status === 401) refused = credential;
      failures += 1;
      await wait(error.retryAfterMs ?? backOff(failures), signal).catch(() => undefined);
      if (error.code === 'too_many_connections' && !signal?.aborted) yield { isOpening: true };
    } finally {
      signal?.removeEventListener('abort', stop);
      ending.abort();
    }
  }
}

/** Whether a stream that failed can be opened again. A credential is renewed once before a refusal counts. */
function canReturn(error, server, refused) {
  if (!(error instanceof ProblemError)) return error instanceof ConnectionError;
  if (error.status === 401) return server.credential.canRenew && refused === undefined;
  return error.status === 429 || error.status >= 500;
}

/** The records of one connection. The first says that it is open; a comment has no field. */
async function* records(server, { credential, path, ending }) {
  const headers = { accept: 'text/event-stream', ...callerHeaders(credential, server.onBehalfOf) };
  let silence;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => ending.abort(), silenceMsMax);
  };
  try {
    heard();
    const response = await server.fetch(server.url + path, { headers, signal: ending.signal });
    if (!response.ok)
      throw new ProblemError(response.status, await response.json().catch(() => ({})), response.headers);
    yield { isOpening: true };
    let rest = '';
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      heard();
      const parts = (rest + decoder.decode(read.value, { stream: true })).split('\n\n');
      // What follows the last blank line is incomplete.
      rest = parts.pop();
      for (const part of parts) yield recordOf(part);
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ConnectionError('the stream broke', { cause: error });
  } finally {
    clearTimeout(silence);
  }
}

function recordOf(part) {
  const lines = part.split('\n');
  const field = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return { id: field('id'), data: field('data'), event: field('event') };
}
