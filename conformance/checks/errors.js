/** What is refused, and with which status. */

import { operations } from '../operations.js';
import { decides, says } from '../quotes.js';
import { file, makeApp, makeComment, makeWebhook, person, post, webhookBody } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: errorChecks } = declaring('errors');

export { errorChecks };

/** @typedef {import('../trial.js').Trial} Trial */
/** @typedef {import('../operations.js').OperationId} OperationId */
/** @typedef {import('../session.js').Call} Call */

/** An id that nothing has. */
const nothing = 9_007_199_254_740_000;

/** A body of each operation that has one and lists 404. @type {Partial<Record<OperationId, unknown>>} */
const bodies = {
  updateApp: { name: 'Nobody' },
  addMember: { access: 'read' },
  createAppComment: { text: 'To nobody' },
  createFileComment: { text: 'To nobody' },
  createPostComment: { text: 'To nobody' },
  updateComment: { text: 'Of nobody' },
  updateWebhook: { payload_url: 'https://example.com/nobody', triggers: ['comments'] },
};

for (const { id, path, statuses } of operations.values()) {
  if (!statuses.includes(404)) continue;
  check(`${id}.unknown`, says('status404'), async (t) => {
    const isOfUsers = id === 'subscribeApp' || id === 'unsubscribeApp';
    const needsUser = path.endsWith('/members') && id !== 'listMembers';
    const user = needsUser || path.includes('{user}') ? (await person(t, 'first')).uid : '';
    const body = { ...bodies, addMembers: [{ uid: user }], removeMembers: [user] }[id];
    const call = { path: { app: nothing, id: nothing, user }, ...(body === undefined ? {} : { body }) };
    t.status(
      await t.call(id, { ...call, ...(isOfUsers ? { as: (await person(t, 'first')).token } : {}) }),
      404,
    );
  });
}

check('unknown.uid', says('status404'), async (t) => {
  t.status(await t.call('getApp', { path: { app: t.name('nothing') } }), 404);
});

check('unknown.user', says('status404'), async (t) => {
  const { id: app } = await makeApp(t);
  t.status(await t.call('addMember', { path: { app, user: t.name('nobody') } }), 404);
});

check('unknown.number', decides('pathId'), async (t) => {
  for (const id of ['0', '-1', '1.5', '99999999999999999999999', 'x'])
    t.status(await t.call('getWebhook', { path: { id } }), 404);
});

/**
 * The operations with a body, each with a path that exists.
 * @type {readonly (readonly [OperationId, (t: Trial) => Promise<Call['path']>])[]}
 */
const writes = [
  ['createApp', async () => ({})],
  ['updateApp', async (t) => ({ app: (await makeApp(t)).id })],
  ['upsertApp', async (t) => ({ uid: (await makeApp(t)).uid })],
  ['addMember', async (t) => ({ app: (await makeApp(t)).id, user: (await person(t, 'first')).uid })],
  ['addMembers', async (t) => ({ app: (await makeApp(t)).id })],
  ['removeMembers', async (t) => ({ app: (await makeApp(t)).id })],
  ['createAppComment', async (t) => ({ app: (await makeApp(t)).id })],
  ['createFileComment', async (t) => ({ id: (await file(t)).id })],
  ['createPostComment', async (t) => ({ id: (await post(t)).id })],
  ['updateComment', async (t) => ({ id: (await makeComment(t, (await makeApp(t)).id)).id })],
  ['registerWebhook', async () => ({})],
  ['updateWebhook', async (t) => ({ id: (await makeWebhook(t)).id })],
];

/** A field of each operation with a value of the wrong type. @type {Partial<Record<OperationId, unknown>>} */
const wrongTypes = {
  createApp: { uid: 5, type: 'comments' },
  updateApp: { tags: 'red' },
  upsertApp: { type: 'comments', name: {} },
  addMember: { access: 5 },
  addMembers: [5],
  removeMembers: [{}],
  createAppComment: { text: 5 },
  createFileComment: { tags: 'red' },
  createPostComment: { blobs: 'all' },
  updateComment: { text: ['red'] },
  registerWebhook: { payload_url: 5, triggers: ['comments'] },
  updateWebhook: { triggers: 'comments' },
};

for (const [id, pathOf] of writes) {
  check(`${id}.malformed`, says('status400'), async (t) => {
    const path = (await pathOf(t)) ?? {};
    t.status(await t.call(id, { path, body: '{"broken": ' }), 400);
  });
  check(`${id}.kind`, decides('wrongType'), async (t) => {
    const path = (await pathOf(t)) ?? {};
    t.status(await t.call(id, { path, body: Array.isArray(wrongTypes[id]) ? { uid: 'x' } : ['x'] }), 400);
  });
  check(`${id}.type`, decides('wrongType'), async (t) => {
    const path = (await pathOf(t)) ?? {};
    t.status(await t.call(id, { path, body: wrongTypes[id] }), 400);
  });
}

/** The operations that take a uid, each with its path and what a body needs besides. */
const uidDoors = /** @type {const} */ ([
  ['createApp', async () => ({}), { type: 'comments' }],
  ['updateApp', async (/** @type {Trial} */ t) => ({ app: (await makeApp(t)).id }), {}],
]);

for (const [id, pathOf, rest] of uidDoors) {
  check(`${id}.uid.space`, says('status422'), async (t) => {
    t.status(await t.call(id, { path: await pathOf(t), body: { ...rest, uid: `${t.name()} x` } }), 422);
  });
  check(`${id}.uid.digits`, says('status422'), async (t) => {
    t.status(await t.call(id, { path: await pathOf(t), body: { ...rest, uid: String(Date.now()) } }), 422);
  });
  check(`${id}.uid.tab`, says('limitUid'), async (t) => {
    t.status(await t.call(id, { path: await pathOf(t), body: { ...rest, uid: `${t.name()}\tx` } }), 422);
  });
}

check('upsertApp.uid.space', says('status422'), async (t) => {
  t.status(await t.call('upsertApp', { path: { uid: `${t.name()} x` }, body: { type: 'comments' } }), 422);
});

check('upsertApp.uid.body', says('limitUid'), async (t) => {
  const { uid } = await makeApp(t);
  t.status(await t.call('upsertApp', { path: { uid }, body: { type: 'comments', uid: `${uid} x` } }), 422);
});

/**
 * Values that break a rule: the operation, a name, the path, the body and the sentence.
 * @type {readonly (readonly [OperationId, string, (t: Trial) => Promise<Call>, import('../index.d.ts').Quote])[]}
 */
const invalid = [
  ['createApp', 'noUid', async () => ({ body: { type: 'comments' } }), decides('brokenRule')],
  ['createApp', 'noType', async (t) => ({ body: { uid: t.name() } }), decides('brokenRule')],
  [
    'createApp',
    'unknownType',
    async (t) => ({ body: { uid: t.name(), type: 'no-such-type' } }),
    decides('unknownType'),
  ],
  [
    'createApp',
    'access',
    async (t) => ({ body: { uid: t.name(), type: 'comments', access: 'all' } }),
    says('status422'),
  ],
  [
    'createApp',
    'tag',
    async (t) => ({ body: { uid: t.name(), type: 'comments', tags: [''] } }),
    decides('tags'),
  ],
  [
    'updateApp',
    'access',
    async (t) => ({ path: { app: (await makeApp(t)).id }, body: { access: 'all' } }),
    says('status422'),
  ],
  ['upsertApp', 'noType', async (t) => ({ path: { uid: t.name() }, body: {} }), decides('brokenRule')],
  [
    'upsertApp',
    'access',
    async (t) => ({ path: { uid: t.name() }, body: { type: 'comments', access: 'all' } }),
    says('status422'),
  ],
  ...['createAppComment', 'createFileComment', 'createPostComment', 'updateComment'].flatMap((name) => {
    const id = /** @type {OperationId} */ (name);
    const pathOf = async (/** @type {Trial} */ t) => (await writes.find(([one]) => one === id)?.[1](t)) ?? {};
    return /** @type {const} */ ([
      [
        id,
        'blob',
        async (/** @type {Trial} */ t) => ({ path: await pathOf(t), body: { blobs: [nothing] } }),
        decides('references'),
      ],
      [
        id,
        'meeting',
        async (/** @type {Trial} */ t) => ({ path: await pathOf(t), body: { meeting_id: nothing } }),
        decides('references'),
      ],
    ]);
  }),
  [
    'registerWebhook',
    'url',
    async (t) => ({ body: webhookBody(t, { payload_url: 'no address' }) }),
    says('status422'),
  ],
  [
    'registerWebhook',
    'scheme',
    async (t) => ({ body: webhookBody(t, { payload_url: 'ftp://example.com/' }) }),
    says('status422'),
  ],
  ['registerWebhook', 'noUrl', async () => ({ body: { triggers: ['comments'] } }), decides('brokenRule')],
  [
    'registerWebhook',
    'noTriggers',
    async (t) => ({ body: webhookBody(t, { triggers: undefined }) }),
    decides('brokenRule'),
  ],
  [
    'registerWebhook',
    'triggers',
    async (t) => ({ body: webhookBody(t, { triggers: [] }) }),
    decides('webhookTriggers'),
  ],
  [
    'registerWebhook',
    'trigger',
    async (t) => ({ body: webhookBody(t, { triggers: ['no_such_group'] }) }),
    decides('webhookTriggers'),
  ],
  [
    'updateWebhook',
    'url',
    async (t) => ({
      path: { id: (await makeWebhook(t)).id },
      body: webhookBody(t, { payload_url: 'no address' }),
    }),
    says('status422'),
  ],
  [
    'updateWebhook',
    'triggers',
    async (t) => ({ path: { id: (await makeWebhook(t)).id }, body: webhookBody(t, { triggers: [] }) }),
    decides('webhookPatch'),
  ],
];

for (const [id, name, callOf, quote] of invalid)
  check(`${id}.${name}`, quote, async (t) => {
    t.status(await t.call(id, await callOf(t)), 422);
  });

check('createApp.all', decides('allFaults'), async (t) => {
  const answer = await t.call('createApp', { body: { uid: 'a b', type: 'no-such-type', access: 'all' } });
  t.status(answer, 422);
  const places = (answer.body?.errors ?? []).map((/** @type {any} */ fault) => fault.pointer);
  t.equal([...new Set(places)].sort(), ['/access', '/type', '/uid'], 'the places of the faults');
});

check('createApp.nothing', says('status422'), async (t) => {
  const uid = `${t.name()} x`;
  await t.call('createApp', { body: { uid, type: 'comments' } });
  t.status(await t.call('getApp', { path: { app: uid } }), 404);
});

for (const { id } of operations.values())
  if (id === 'trashApp' || id === 'restoreApp' || id === 'removeMember' || id === 'deleteWebhook')
    check(`${id}.malformed`, says('status400'), async (t) => {
      const app = id === 'deleteWebhook' ? 0 : (await makeApp(t)).id;
      const user = id === 'removeMember' ? (await person(t, 'first')).uid : '';
      if (id === 'removeMember') await t.prepare('addMember', { path: { app, user } });
      const hook = id === 'deleteWebhook' ? (await makeWebhook(t)).id : 0;
      const answer = await t.call(id, { path: { app, user, id: hook }, body: '{"broken": ' });
      // The operation takes no body, so a server may as well not read one.
      t.holds(answer.status === 400 || answer.status < 300, `the status is ${answer.status}, not 400`);
    });

check('method', decides('method'), async (t) => {
  const answer = await t.session.request('PUT', '/api/apps', { body: {} });
  t.last = answer;
  t.status(answer, 405);
  t.holds(answer.headers.get('allow') !== null, 'there is no header Allow');
});
