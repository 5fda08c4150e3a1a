/** Limits of sizes and numbers: the longest value that is taken, and the first that is not. */

import { decides } from '../quotes.js';
import { makeApp, webhookBody } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: limitChecks } = declaring('limits');

export { limitChecks };

/** @typedef {import('../trial.js').Trial} Trial */
/** @typedef {import('../operations.js').OperationId} OperationId */
/** @typedef {import('../session.js').Call} Call */

/**
 * A limit: the operation, the field, the limit, and the request with a value of a size.
 * @type {readonly (readonly [OperationId, string, number, (t: Trial, size: number) => Promise<Call>])[]}
 */
const limits = [
  ['createApp', 'name', 256, async (t, size) => ({ body: app(t, { name: 'n'.repeat(size) }) })],
  [
    'createApp',
    'description',
    4096,
    async (t, size) => ({ body: app(t, { description: 'd'.repeat(size) }) }),
  ],
  ['createApp', 'uid', 256, async (t, size) => ({ body: app(t, { uid: t.name().padEnd(size, 'u') }) })],
  ['createApp', 'tag', 64, async (t, size) => ({ body: app(t, { tags: ['t'.repeat(size)] }) })],
  ['createApp', 'tags', 100, async (t, size) => ({ body: app(t, { tags: many(size, (at) => `t${at}`) }) })],
  ['createApp', 'metadata', 32, async (t, size) => ({ body: app(t, { metadata: nested(size) }) })],
  ['createAppComment', 'text', 65_536, async (t, size) => comment(t, { text: 'x'.repeat(size) })],
  [
    'createAppComment',
    'options',
    50,
    async (t, size) => comment(t, { options: many(size, (at) => ({ text: `o${at}` })) }),
  ],
  [
    'createAppComment',
    'option',
    512,
    async (t, size) => comment(t, { options: [{ text: 'o'.repeat(size) }] }),
  ],
  [
    'registerWebhook',
    'secret',
    256,
    async (t, size) => ({ body: webhookBody(t, { secret: 's'.repeat(size) }) }),
  ],
  [
    'registerWebhook',
    'payload_url',
    2048,
    async (t, size) => ({
      body: webhookBody(t, { payload_url: `https://example.com/${t.name()}/`.padEnd(size, 'p') }),
    }),
  ],
];

/** @param {Trial} t @param {Record<string, unknown>} fields */
function app(t, fields) {
  return { uid: t.name(), type: 'comments', ...fields };
}

/** @param {Trial} t @param {Record<string, unknown>} body */
async function comment(t, body) {
  return { path: { app: (await makeApp(t)).id }, body };
}

/** @template T @param {number} count @param {(at: number) => T} make */
function many(count, make) {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** An object in an object, so many levels deep. @param {number} levels @returns {unknown} */
function nested(levels) {
  return levels === 1 ? {} : { in: nested(levels - 1) };
}

const quotes = {
  uid: decides('uid'),
  tag: decides('tags'),
  tags: decides('tags'),
  metadata: decides('metadata'),
};

for (const [id, field, size, callOf] of limits) {
  const quote = field in quotes ? quotes[/** @type {keyof typeof quotes} */ (field)] : decides('limits');
  check(`${id}.${field}`, quote, async (t) => {
    t.status(await t.call(id, await callOf(t, size)), 201);
  });
  check(`${id}.${field}.beyond`, quote, async (t) => {
    t.status(await t.call(id, await callOf(t, size + 1)), 422);
  });
}

check('body', decides('limitStatuses'), async (t) => {
  const { id } = await makeApp(t);
  const body = { text: 'x', filler: 'f'.repeat(1024 * 1024) };
  t.status(await t.call('createAppComment', { path: { app: id }, body }), 413);
});
