/** Runs checks one after the other and reports what they find. */

import { operations } from './operations.js';
import { CannotRun, Finding, Interrupted, Skipped } from './outcome.js';
import { createSession } from './session.js';
import { Trial } from './trial.js';

/** @typedef {import('./checks/declare.js').Declared} Check */
/** @typedef {import('./index.d.ts').Options} Options */
/** @typedef {import('./index.d.ts').Result} Result */
/** @typedef {import('./index.d.ts').Report} Report */

/** The most characters of a body that a report shows. */
const shownMax = 2000;

/**
 * Runs the checks that the options select and removes everything that they have made.
 * @param {readonly Check[]} all
 * @param {Options} options
 * @returns {Promise<Report>} fails with `CannotRun` if the server does not answer or does not accept the key
 */
export async function runChecks(all, options) {
  const startedAt = performance.now();
  const checks = selected(all, options);
  const session = createSession(options);
  /** @type {Result[]} */
  const results = [];
  /** @type {string | undefined} */
  let stopped;
  /** @type {string[]} */
  let leftBehind = [];
  await probe(session);
  options.onStart?.(checks.length);
  try {
    for (const check of checks) {
      const result = await runCheck(check, session);
      results.push(result);
      options.onResult?.(result);
    }
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof CannotRun)) throw error;
    stopped = error.message;
  } finally {
    leftBehind = await session.close();
  }
  return {
    url: options.url,
    isComplete: stopped === undefined,
    ...(stopped === undefined ? {} : { stopped }),
    seconds: Number(((performance.now() - startedAt) / 1000).toFixed(3)),
    passed: countOf(results, 'passed'),
    failed: countOf(results, 'failed'),
    skipped: countOf(results, 'skipped'),
    results,
    operations: [...operations.values()].map(({ id, method, path, statuses }) => ({
      id,
      method,
      path,
      statuses,
      seen: Object.fromEntries(session.seen.get(id) ?? []),
    })),
    leftBehind,
  };
}

/** @param {readonly Check[]} all @param {Options} options */
function selected(all, { only, isSpecificationOnly = false }) {
  const areas = new Set(all.map(({ area }) => area));
  const unknown = only?.find((name) => !areas.has(name) && !all.some(({ id }) => id === name));
  if (unknown !== undefined)
    throw new CannotRun(`there is no area or check "${unknown}"; the areas are ${[...areas].join(', ')}`);
  return all.filter(
    ({ id, area, quote }) =>
      (only === undefined || only.includes(area) || only.includes(id)) &&
      !(isSpecificationOnly && quote.isDecision),
  );
}

/** @param {readonly Result[]} results @param {Result['outcome']} outcome */
function countOf(results, outcome) {
  return results.filter((result) => result.outcome === outcome).length;
}

/** Fails unless the server answers and accepts the key. @param {import('./session.js').Session} session */
async function probe(session) {
  try {
    const { status } = await session.request('GET', '/api/apps', { query: { top: 1 } });
    if (status === 401 || status === 403)
      throw new CannotRun(`the server does not accept the key: GET /api/apps is answered ${status}`);
  } catch (error) {
    if (error instanceof Finding) throw new CannotRun(error.message, { cause: error });
    throw error;
  }
}

/**
 * @param {Check} check
 * @param {import('./session.js').Session} session
 * @returns {Promise<Result>}
 */
async function runCheck(check, session) {
  const startedAt = performance.now();
  const trial = new Trial(session);
  const { id, area, quote } = check;
  const ended = (/** @type {Pick<Result, 'outcome'> & Partial<Result>} */ rest) => ({
    ...{ id, area, quote },
    ms: Math.round(performance.now() - startedAt),
    ...rest,
  });
  try {
    session.goOn();
    await check.run(trial);
    return ended({ outcome: 'passed' });
  } catch (error) {
    if (error instanceof Skipped) return ended({ outcome: 'skipped', message: error.message });
    // The steps read what the specification promises; an answer without it can end them anywhere.
    const finding =
      error instanceof TypeError ? new Finding(`the answer cannot be read: ${error.message}`) : error;
    if (!(finding instanceof Finding)) throw error;
    const { message, quote: exact = quote } = finding;
    return ended({
      outcome: 'failed',
      ...{ message, quote: exact },
      ...(trial.last === undefined ? {} : { exchange: exchangeOf(trial.last) }),
    });
  }
}

/** An answer as a report shows it, without credentials. @param {import('./send.js').Answer} answer */
function exchangeOf({ method, path, sent, status, text }) {
  const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
  return {
    request: `${method} ${path}`,
    ...(body === undefined ? {} : { sent: body.slice(0, shownMax) }),
    status,
    answer: text.slice(0, shownMax),
  };
}
