/**
 * Calls a Confab server: plain JavaScript without dependencies, for browsers, Node, Deno and Bun. The types of every
 * operation are in index.d.ts, which is made from the contract of the server, as is the table in operations.js.
 */

import { operations } from './operations.js';
import { send } from './send.js';
import { readChanges, readStream } from './stream.js';

export { ConnectionError, ProblemError } from './errors.js';
export { pageUid } from './page-uid.js';

/** Attempts of a request, the first one included, unless the caller specifies another number. */
const attemptsDefault = 5;
/** How long an attempt may take until its response is complete, in milliseconds. */
const timeoutMsDefault = 30_000;

/**
 * Creates a client with a method for each operation: `client.createAppComment('page-1', { text: 'Hello' })`. A method
 * takes the parameters of the path in their order, then the body or, where it takes one, the query, then options.
 * @param {object} options
 */
export function createClient({
  url,
  token,
  onBehalfOf,
  fetch = globalThis.fetch,
  attempts = attemptsDefault,
  timeoutMs = timeoutMsDefault,
}) {
  const server = {
    url: String(url).replace(/\/+$/, ''),
    onBehalfOf,
    fetch: (...args) => fetch(...args),
    attempts,
    timeoutMs,
    credential: credentialOf(token),
  };
  const client = {
    request: (method, path, options = {}) => send(server, { method, path, ...options }).then(bodyOf),
    events: (options) => readStream(server, options),
    changes: (app, options) => readChanges(server, app, options),
    // Few need it: it is loaded when it is called.
    renderThread: async (uid, options) => {
      const { renderThread } = await import('./render.js');
      return await renderThread(client, uid, { ...options, isVisitor: token === undefined });
    },
  };
  for (const [id, line] of Object.entries(operations)) {
    const operation = parse(line);
    client[id] = (...args) => call(server, operation, args);
  }
  return client;
}

/**
 * The credential of requests: a text, or what a function returns. All requests share one call of the function, until one
 * of them is refused.
 */
function credentialOf(token) {
  if (typeof token !== 'function') return { get: async () => token, canRenew: false };
  let current;
  return {
    canRenew: true,
    /** Returns a credential other than `refused`. */
    async get(refused) {
      if (
        current === undefined ||
        (refused !== undefined && (await current.catch(() => refused)) === refused)
      ) {
        const asked = Promise.resolve().then(() => token({ refresh: refused !== undefined }));
        current = asked;
        // A failure is not kept: the next request asks again.
        asked.catch(() => {
          if (current === asked) current = undefined;
        });
      }
      return current;
    },
  };
}

/** An operation out of its line in the table: method, path, and a letter for each thing that is special about it. */
function parse(line) {
  const [method, path, marks = ''] = line.split(' ');
  const has = (mark) => marks.includes(mark);
  return {
    method,
    path,
    takesBody: has('b'),
    takesFile: has('f'),
    takesKey: has('k'),
    isList: has('l'),
    isStream: has('s'),
    takesQuery: has('q'),
  };
}

function call(server, { method, path, takesBody, takesFile, takesKey, takesQuery, isList, isStream }, args) {
  const rest = [...args];
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = rest.shift();
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is missing`);
    return encodeURIComponent(value);
  });
  const takesContent = takesBody || takesFile;
  const content = takesContent ? rest.shift() : undefined;
  const query = takesQuery ? rest.shift() : undefined;
  const request = { method, path: filled, query, takesKey, isStream, ...rest[0] };
  if (takesBody) request.body = content;
  if (takesFile) request.file = content;
  return isList ? pagesOf(server, request) : send(server, request).then(bodyOf);
}

/** A promise of the first page of a list that is also an iterator over the items of all pages. */
function pagesOf(server, request) {
  function pages() {
    let query = request.query;
    return {
      // No generator, which a failure would end: the next call requests the page that failed again.
      async next() {
        if (query === undefined) return { done: true, value: undefined };
        const { body, headers } = await send(server, { ...request, query });
        query = nextQuery(headers.get('link'));
        // The first page said it, and to count can take longer than to read a page.
        query?.set('count', 'false');
        return { done: false, value: body };
      },
      async return() {
        query = undefined;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
  async function* items() {
    for await (const page of pages()) yield* page.data;
  }
  let first;
  const begin = () => {
    first ??= send(server, request).then(bodyOf);
    return first;
  };
  request.query ??= {};
  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting a list requests its first page, iterating it requests all
    then: (resolve, reject) => begin().then(resolve, reject),
    catch: (reject) => begin().catch(reject),
    finally: (done) => begin().finally(done),
    pages,
    [Symbol.asyncIterator]: items,
  };
}

/** The query of the next page in a `Link` header; undefined on the last page. */
function nextQuery(link) {
  const address = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '')?.[1];
  if (address === undefined) return undefined;
  return new URLSearchParams(address.slice(address.indexOf('?') + 1));
}

function bodyOf({ body }) {
  return body;
}
