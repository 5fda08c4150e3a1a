/**
 * The log of changes as it grows. After a break the stream continues behind the last event that it has handed out, so
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
  let failures = 0;
  let refused;
  while (signal?.aborted !== true) {
    const credential = await server.credential.get(refused);
    const ending = new AbortController();
    const stop = () => ending.abort(signal.reason);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      for await (const { id, data } of records(server, { credential, position, ending })) {
        failures = 0;
        refused = undefined;
        position = id;
        if (data !== undefined) yield JSON.parse(data);
      }
      // The server ended the stream: its credential expired, or the server stops.
      await wait(backOff(1), signal).catch(() => undefined);
    } catch (error) {
      if (signal?.aborted) return;
      if (!canReturn(error, server, refused)) throw error;
      if (error.status === 401) refused = credential;
      failures += 1;
      await wait(error.retryAfterMs ?? backOff(failures), signal).catch(() => undefined);
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

/** The records of one connection, each with its position. One without data is the position alone. */
async function* records(server, { credential, position, ending }) {
  const headers = { accept: 'text/event-stream', ...callerHeaders(credential, server.onBehalfOf) };
  const query = position === undefined ? '' : `?after=${encodeURIComponent(position)}`;
  let silence;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => ending.abort(), silenceMsMax);
  };
  try {
    heard();
    const response = await server.fetch(`${server.url}/api/events/stream${query}`, {
      headers,
      signal: ending.signal,
    });
    if (!response.ok)
      throw new ProblemError(response.status, await response.json().catch(() => ({})), response.headers);
    let rest = '';
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      heard();
      const parts = (rest + decoder.decode(read.value, { stream: true })).split('\n\n');
      // What follows the last blank line is incomplete.
      rest = parts.pop();
      for (const part of parts) {
        const record = recordOf(part);
        if (record.id !== undefined) yield record;
      }
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ConnectionError('the stream of events broke', { cause: error });
  } finally {
    clearTimeout(silence);
  }
}

function recordOf(part) {
  const lines = part.split('\n');
  const field = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return { id: field('id'), data: field('data') };
}
