/**
 * The second form of the interface, which newer versions of the reference client ask for by a header. A server that has
 * one form answers as without the header, and then these checks are left out.
 */

import { decides } from '../quotes.js';
import { makeApp, makeComment } from '../world.js';
import { declaring } from './declare.js';

/** @typedef {import('../trial.js').Trial} Trial */

const { check, checks: formChecks } = declaring('forms');

export { formChecks };

/** The header of a version of the reference client. @param {string} [version] */
const source = (version = '32.2.0') => ({ 'x-weavy-source': `@weavy/uikit-web@${version}` });

/**
 * An app with a comment that has a poll and was edited, as the key gets it with some headers.
 * @param {Trial} t
 */
async function comment(t) {
  const app = await makeApp(t);
  const { id } = await makeComment(t, app.id, { options: [{ text: 'Yes' }, { text: 'No' }] });
  await t.prepare('updateComment', { path: { id }, body: { text: 'Other' } });
  /** @param {Record<string, string>} [headers] */
  const get = (headers) => t.expect('getComment', 200, { path: { id }, ...(headers && { headers }) });
  /** @param {Record<string, string>} headers */
  const list = async (headers) => {
    const answer = await t.call('listAppComments', { path: { app: app.id }, headers });
    return t.items(answer);
  };
  return { app, id, get, list };
}

/** Whether an answer has the second form: what is a list in the first is an object with its count. @param {any} value */
const isSecond = (value) => typeof value?.options?.count === 'number' && Array.isArray(value.options.data);

/** Leaves a check out where the server has one form. @param {Trial} t @param {any} value what was got with the header */
function needSecond(t, value) {
  if (!isSecond(value)) t.skip('the server has no second form');
}

check('first', decides('firstForm'), async (t) => {
  const { get } = await comment(t);
  needSecond(t, await get(source()));
  const plain = await get();
  t.holds(Array.isArray(plain.options), '`options` is no array without the header');
  t.holds(!('app' in plain), 'an answer without the header has `app`');
  for (const version of ['22.9.9', '21.1.2', '0.0.1', 'x'])
    t.equal(await get(source(version)), plain, `the answer to version ${version}`);
  t.equal(await get({ 'x-weavy-source': 'something' }), plain, 'the answer to what is no version');
});

check('versions', decides('secondForm'), async (t) => {
  const { get } = await comment(t);
  const newest = await get(source());
  needSecond(t, newest);
  for (const version of ['23.0.0', '26.1.0', '32.2.0', '99.0.0'])
    t.holds(isSecond(await get(source(version))), `version ${version} does not get the second form`);
  t.equal(await get(source('2030.1.0')), newest, 'the answer to a later version');
});

check('adds', decides('bothFields'), async (t) => {
  const { get } = await comment(t);
  const second = await get(source());
  needSecond(t, second);
  const missing = Object.keys(await get()).filter((name) => !(name in second));
  t.equal(missing, [], 'the fields of the first form that the second lacks');
});

check('comment', decides('secondShapes'), async (t) => {
  const { app, get, list } = await comment(t);
  const one = await get(source());
  needSecond(t, one);
  for (const item of [one, ...(await list(source()))]) {
    for (const name of ['attachments', 'options', 'reactions']) {
      t.holds(Number.isInteger(item[name]?.count), `\`${name}\` has no count`);
      t.holds(Array.isArray(item[name]?.data), `\`${name}\` has no data`);
    }
    t.equal(item.app?.id, app.id, '`app.id`');
    t.equal(item.updated_at, item.modified_at, '`updated_at`');
    t.holds(typeof item.created_by?.name === 'string', 'the author has no name');
    t.holds(typeof item.created_by?.is_agent === 'boolean', 'the author has no `is_agent`');
  }
  t.equal(one.options.count, 2, 'the count of options');
});

check('created', decides('secondShapes'), async (t) => {
  const app = await makeApp(t);
  const made = await t.expect('createAppComment', 201, {
    path: { app: app.id },
    headers: source(),
    body: { text: 'A comment', options: [{ text: 'Yes' }] },
  });
  needSecond(t, made);
  t.equal(made.options.data[0].text, 'Yes', 'the text of the option');
  const edited = await t.expect('updateComment', 200, {
    path: { id: made.id },
    headers: source(),
    body: { text: 'Other' },
  });
  t.holds(isSecond(edited), 'the answer to an edit has the first form');
});

check('errors', decides('bothFields'), async (t) => {
  const { get } = await comment(t);
  needSecond(t, await get(source()));
  const path = { id: 987_654_321 };
  const [first, second] = [
    await t.call('getComment', { path }),
    await t.call('getComment', { path, headers: source() }),
  ];
  t.equal([second.status, second.body?.code], [first.status, first.body?.code], 'the refusal');
});
