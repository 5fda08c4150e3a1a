/** What the steps of a check can do: call operations, make what they need, and say what must hold. */

import { setTimeout as pause } from 'node:timers/promises';
import { Finding, Skipped } from './outcome.js';
import { checkShape } from './shapes.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./session.js').Call} Call */
/** @typedef {import('./operations.js').OperationId} OperationId */
/** @typedef {import('./send.js').Answer} Answer */
/** @typedef {Trial} Steps */

/** The pause between two looks at a state, in milliseconds: the first, and the longest to which it doubles. */
const lookMs = { first: 2, longest: 100 };

/** The steps of one check. */
export class Trial {
  /** @type {Answer | undefined} the last answer, which a finding shows */
  last;

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
  }

  /** A name that nothing else has. @param {string} [kind] */
  name(kind) {
    return this.session.freshName(kind);
  }

  /**
   * Sends a request of an operation.
   * @param {OperationId} id
   * @param {Call} [call]
   */
  async call(id, call) {
    this.last = await this.session.call(id, call);
    return this.last;
  }

  /**
   * Sends a request that must be answered with a status, and returns the body.
   * @param {OperationId} id
   * @param {number} status
   * @param {Call} [call]
   */
  async expect(id, status, call) {
    const answer = await this.call(id, call);
    this.status(answer, status);
    return answer.body;
  }

  /**
   * Sends a request of an operation that only prepares a check: any success will do.
   * @param {OperationId} id
   * @param {Call} [call]
   */
  async prepare(id, call) {
    const answer = await this.call(id, call);
    if (answer.status >= 300)
      throw new Finding(
        `the check cannot be prepared: ${id} is answered ${answer.status}, which is no success`,
      );
    return answer.body;
  }

  /** Sends a request beyond the 27 operations; the check is skipped unless it succeeds. @param {string} what @param {string} method @param {string} path @param {Omit<Call, 'path'>} call */
  async beyond(what, method, path, call) {
    this.session.goOn();
    const answer = await this.session.request(method, path, call);
    if (answer.status >= 300) throw new Skipped(`${what} (${method} ${path} is answered ${answer.status})`);
    return answer.body;
  }

  /** Fails unless an answer has one of the statuses. @param {Answer} answer @param {...number} statuses */
  status({ status }, ...statuses) {
    if (!statuses.includes(status))
      throw new Finding(`the status is ${status}, not ${statuses.join(' or ')}`);
  }

  /** Fails unless something holds. @param {unknown} isSo @param {string} otherwise what is wrong if it does not */
  holds(isSo, otherwise) {
    if (!isSo) throw new Finding(otherwise);
  }

  /** Fails unless two JSON values are equal. @param {unknown} found @param {unknown} wanted @param {string} what */
  equal(found, wanted, what) {
    const [one, other] = [found, wanted].map((value) => canonical(value));
    if (one !== other) throw new Finding(`${what} is ${one?.slice(0, 300)}, not ${other?.slice(0, 300)}`);
  }

  /** Fails unless a value has the shape of the specification. @param {unknown} value @param {import('./shapes.js').ShapeName} name */
  shape(value, name) {
    checkShape(value, name);
  }

  /** Fails unless the body is an envelope; returns its items. @param {Answer} answer @returns {any[]} */
  items(answer) {
    this.status(answer, 200);
    const { data, start, end, count } = answer.body ?? {};
    this.holds(Array.isArray(data), 'the answer has no array `data`');
    for (const [key, value] of Object.entries({ start, end, count }))
      this.holds(Number.isInteger(value), `\`${key}\` is ${JSON.stringify(value)}, not an integer`);
    return data;
  }

  /** Leaves the check out. @param {string} reason @returns {never} */
  skip(reason) {
    throw new Skipped(reason);
  }

  /**
   * Waits for a state, as long as the run has patience.
   * @template T
   * @param {string} what
   * @param {() => Promise<T | undefined> | T | undefined} state
   * @returns {Promise<T>}
   */
  async wait(what, state) {
    const patienceMs = this.session.options.patienceMs ?? 30_000;
    const end = performance.now() + patienceMs;
    for (let pauseMs = lookMs.first; ; pauseMs = Math.min(2 * pauseMs, lookMs.longest)) {
      const value = await state();
      if (value !== undefined) return value;
      this.session.goOn();
      if (performance.now() > end) throw new Finding(`${what}: not within ${patienceMs / 1000} s`);
      await pause(pauseMs);
    }
  }
}

/**
 * The JSON of a value with its keys in order.
 * @param {unknown} value
 * @returns {string | undefined}
 */
function canonical(value) {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
