/** What holds for every answer that the run has seen. These checks run last and ask nothing of their own. */

import { operations, transportStatuses } from '../operations.js';
import { decides, says } from '../quotes.js';
import { makeApp, makeComment } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: answerChecks } = declaring('answers');

export { answerChecks };

for (const { id, statuses, quote } of operations.values())
  check(`${id}.statuses`, quote, async (t) => {
    const seen = [...(t.session.seen.get(id) ?? new Map()).keys()];
    if (seen.length === 0) t.skip('no check of this run has called it');
    const strange = seen.filter(
      (status) => !statuses.includes(status) && !transportStatuses.includes(status),
    );
    t.equal(strange, [], 'the statuses that the operation does not list');
  });

check('errors', decides('problem'), async (t) => {
  if (t.session.errors.length === 0) await t.call('getComment', { path: { id: 'no-number' } });
  for (const answer of t.session.errors) {
    t.last = answer;
    t.holds(
      /^application\/problem\+json/.test(answer.headers.get('content-type') ?? ''),
      'the error is no problem',
    );
    for (const field of ['type', 'title', 'detail', 'instance', 'code', 'request_id'])
      t.holds(typeof answer.body?.[field] === 'string', `the error has no \`${field}\``);
    t.equal(answer.body.status, answer.status, '`status` of the error');
  }
});

/** Everything in a value with the name of its field. @param {any} value @param {string} key @returns {[string, unknown][]} */
function fieldsIn(value, key = '') {
  if (typeof value !== 'object' || value === null) return [[key, value]];
  // Metadata are whatever a client has sent.
  if (key === 'metadata') return [];
  return Object.entries(value).flatMap(([name, inner]) => fieldsIn(inner, Array.isArray(value) ? key : name));
}

/** A comment and its app, with all that they contain. @param {import('../trial.js').Trial} t */
async function everything(t) {
  const { id } = await makeApp(t);
  const comment = await makeComment(t, id, { options: [{ text: 'Yes' }] });
  await t.prepare('updateComment', { path: { id: comment.id }, body: { text: 'Other' } });
  return fieldsIn([
    await t.prepare('getComment', { path: { id: comment.id } }),
    await t.prepare('getApp', { path: { app: id } }),
  ]);
}

check('timestamps', says('timestamps'), async (t) => {
  for (const [key, value] of await everything(t))
    if (key.endsWith('_at'))
      t.holds(typeof value === 'string', `${key} is ${JSON.stringify(value)}, not a string`);
});

check('timestamps.format', decides('timestamps'), async (t) => {
  for (const [key, value] of await everything(t))
    if (key.endsWith('_at'))
      t.holds(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
        `${key} is ${JSON.stringify(value)}`,
      );
});

check('ids', says('ids'), async (t) => {
  for (const [key, value] of await everything(t))
    if (key === 'id') t.holds(Number.isInteger(value), `${key} is ${JSON.stringify(value)}, not an integer`);
});

check('ids.positive', decides('ids'), async (t) => {
  for (const [key, value] of await everything(t))
    if (key === 'id' || key.endsWith('_id'))
      t.holds(Number.isSafeInteger(value) && Number(value) > 0, `${key} is ${JSON.stringify(value)}`);
});

check('absent', decides('absent'), async (t) => {
  for (const [key, value] of await everything(t)) t.holds(value !== null, `${key} is null`);
});

check('flags', decides('flags'), async (t) => {
  const { id } = await makeApp(t);
  const app = await t.prepare('getApp', { path: { app: id } });
  for (const flag of ['is_trashed', 'is_starred', 'is_subscribed'])
    t.holds(typeof app[flag] === 'boolean', `${flag} of an app is ${JSON.stringify(app[flag])}`);
  for (const flag of ['is_bot', 'is_suspended', 'is_trashed'])
    t.holds(
      typeof app.created_by?.[flag] === 'boolean',
      `${flag} of a user is ${JSON.stringify(app.created_by?.[flag])}`,
    );
});

check('json', says('json'), async (t) => {
  const { id } = await makeApp(t);
  const answer = await t.call('getApp', { path: { app: id } });
  t.holds(/\bjson\b/.test(answer.headers.get('content-type') ?? ''), 'the content type is not JSON');
  t.holds(answer.body !== undefined, 'the body is not JSON');
});
