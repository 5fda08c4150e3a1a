/**
 * One run against one server: who it calls as, what it has seen of each operation, and what it has made. Everything that
 * a run makes is removed when the session is closed, however its checks end: whatever an answer names is remembered
 * when it arrives, and things whose answers were lost are found by the name of the run, which all of them carry.
 */

import { randomBytes } from 'node:crypto';
import { operationOf } from './operations.js';
import { CannotRun, Interrupted, NoAnswer } from './outcome.js';
import { startReceiver } from './receiver.js';
import { createSender } from './send.js';

/** @typedef {import('./operations.js').OperationId} OperationId */
/** @typedef {import('./send.js').Answer} Answer */
/** @typedef {Required<Pick<import('./index.d.ts').Options, 'url' | 'key'>> & import('./index.d.ts').Options} Options */

/** The longest answer that is read, in bytes. */
const answerBytesMax = 8 * 1024 * 1024;

/** So many requests in a row without an answer end the run. */
const silenceMax = 5;

/**
 * @typedef {object} Call
 * @property {Record<string, string | number>} [path] the parameters of the path
 * @property {Record<string, string | number | boolean>} [query]
 * @property {unknown} [body] sent as JSON; a string is sent as it is
 * @property {string | null} [as] the credential; the API key by default, null for none
 * @property {Record<string, string>} [headers]
 */

/** @typedef {ReturnType<typeof createSession>} Session */

/** The items of a list, none if the answer is no list. @param {Answer} answer @returns {any[]} */
function arrayOf({ body }) {
  return Array.isArray(body?.data) ? body.data.filter((/** @type {unknown} */ item) => item !== null) : [];
}

/** @param {Options} options */
export function createSession(options) {
  const name = `conformance-${randomBytes(5).toString('hex')}`;
  const send = createSender({
    url: options.url.replace(/\/+$/, ''),
    timeoutMs: options.timeoutMs ?? 10_000,
    bytesMax: answerBytesMax,
  });
  /** @type {Map<OperationId, Map<number, number>>} */
  const seen = new Map();
  /** @type {Answer[]} */
  const errors = [];
  /** Paths to delete, the newest last; `or` is tried where the first is not known to the server. */
  /** @type {Map<string, { remove: [string, string], or?: [string, string] }>} */
  const made = new Map();
  /** @type {Map<string, Promise<unknown>>} */
  const kept = new Map();
  /** @type {Promise<import('./receiver.js').Receiver> | undefined} */
  let receiving;
  let silence = 0;
  let names = 0;

  /**
   * @param {string} method
   * @param {string} path
   * @param {Omit<Call, 'path'>} call
   * @returns {Promise<Answer>}
   */
  async function request(method, path, { query = {}, body, as = options.key, headers = {} }) {
    const asked = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) asked.set(key, String(value));
    const isForm = body instanceof FormData;
    const outgoing = {
      method,
      path: asked.size === 0 ? path : `${path}?${asked}`,
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
      sent: isForm ? 'a form' : body,
    };
    try {
      const answer = await send(outgoing);
      silence = 0;
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) silence += 1;
      if (silence >= silenceMax)
        throw new CannotRun(`${silence} requests in a row had no answer; the last: ${String(error)}`, {
          cause: error,
        });
      throw error;
    }
  }

  /** Remembers what an answer says was made. @param {OperationId} id @param {Answer} answer */
  function remember(id, { status, body }) {
    if (status >= 300 || !Number.isInteger(body?.id)) return;
    if (id === 'createApp' || id === 'upsertApp')
      willRemove(`/api/apps/${body.id}`, ['POST', `/api/apps/${body.id}/trash`]);
    if (id === 'registerWebhook') willRemove(`/api/webhooks/${body.id}`);
  }

  /** @param {string} path @param {[string, string]} [or] */
  function willRemove(path, or) {
    made.set(path, { remove: ['DELETE', path], ...(or === undefined ? {} : { or }) });
  }

  /** Removes one thing; returns whether it is gone. @param {{ remove: [string, string], or?: [string, string] }} thing */
  async function removed({ remove, or }) {
    const first = await request(...remove, {});
    if (first.status < 300 || first.status === 410) return true;
    // A server without this operation answers 404 or 405, as for a thing that is not there.
    if (or === undefined) return first.status === 404;
    return (await request(...or, {})).status < 300;
  }

  /** Finds what bears the name of the run, although no answer named it. */
  async function findLost() {
    const apps = await request('GET', '/api/apps', { query: { trashed: 'null', q: name, top: 100 } });
    for (const app of arrayOf(apps))
      if (String(app.uid).includes(name) && !made.has(`/api/apps/${app.id}`) && !app.is_trashed)
        willRemove(`/api/apps/${app.id}`, ['POST', `/api/apps/${app.id}/trash`]);
    const webhooks = await request('GET', '/api/webhooks', { query: { q: name, top: 100 } });
    for (const webhook of arrayOf(webhooks))
      if (String(webhook.payload_url).includes(name)) willRemove(`/api/webhooks/${webhook.id}`);
  }

  return {
    options,
    /** The name of the run: uids begin with it and addresses contain it. */
    name,
    seen,
    errors,
    request,
    willRemove,

    /** A name that nothing else has. @param {string} [kind] */
    freshName(kind = 'x') {
      names += 1;
      return `${name}-${kind}-${names}`;
    },

    /** Fails once the run was told to stop. */
    goOn() {
      if (options.signal?.aborted) throw new Interrupted('the run was told to stop');
    },

    /**
     * Sends a request of an operation.
     * @param {OperationId} id
     * @param {Call} [call]
     * @returns {Promise<Answer>}
     */
    async call(id, { path: parameters = {}, ...rest } = {}) {
      this.goOn();
      const { method, path } = operationOf(id);
      const filled = path.replace(/\{(\w+)\}/g, (_, parameter) =>
        encodeURIComponent(String(parameters[parameter] ?? `no-${parameter}`)),
      );
      const answer = await request(method, filled, rest);
      remember(id, answer);
      const statuses = seen.get(id) ?? new Map();
      seen.set(id, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1));
      if (answer.status >= 400) errors.push(answer);
      return answer;
    },

    /**
     * Makes something once in a run, for all checks that only read it.
     * @template T
     * @param {string} key
     * @param {() => Promise<T>} make
     * @returns {Promise<T>}
     */
    once(key, make) {
      const one = kept.get(key) ?? make();
      kept.set(key, one);
      return /** @type {Promise<T>} */ (one);
    },

    /** The receiver of webhooks, which the first use starts. */
    async receiver() {
      receiving ??= startReceiver({
        host: options.receiverHost ?? '127.0.0.1',
        port: options.receiverPort ?? 0,
        url: options.receiverUrl,
      });
      return await receiving;
    },

    /** Removes everything that the run has made. Returns what could not be removed, as methods and paths. */
    async close() {
      await (await receiving)?.close();
      silence = 0;
      try {
        await findLost();
        for (const [path, thing] of [...made].reverse()) if (await removed(thing)) made.delete(path);
      } catch (error) {
        if (!(error instanceof NoAnswer || error instanceof CannotRun)) throw error;
      }
      return [...made.values()].map(({ remove }) => remove.join(' '));
    },
  };
}
