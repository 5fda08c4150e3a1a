/** Who is let in: the credentials of every operation. */

import { operations } from '../operations.js';
import { decides, says } from '../quotes.js';
import { requests } from '../requests.js';
import { makeApp, makeComment, makeWebhook, person, webhookBody } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: credentialChecks } = declaring('auth');

export { credentialChecks };

/** @typedef {import('../operations.js').OperationId} OperationId */

/** Requests of every operation about one app, comment and webhook. @param {import('../trial.js').Trial} t */
async function targets(t) {
  return await t.session.once('targets of credentials', async () => {
    const app = await makeApp(t);
    const comment = await makeComment(t, app.id);
    const webhook = await makeWebhook(t);
    return { app: app.id, comment: comment.id, webhook: webhook.id };
  });
}

/**
 * The request of an operation, with every parameter of its path.
 * @param {import('../trial.js').Trial} t
 * @param {OperationId} id
 * @returns {Promise<import('../session.js').Call>}
 */
async function requestOf(t, id) {
  const { app, comment, webhook } = await targets(t);
  const ids = id.includes('Webhook') || id === 'listDeliveries' ? webhook : comment;
  const path = { app, id: ids, user: t.name('nobody'), uid: t.name() };
  /** @type {Partial<Record<OperationId, unknown>>} */
  const bodies = {
    createApp: { uid: t.name(), type: 'comments' },
    updateApp: { name: 'Changed' },
    upsertApp: { type: 'comments' },
    addMembers: [{ uid: path.user }],
    removeMembers: [path.user],
    createAppComment: { text: 'A comment' },
    createFileComment: { text: 'A comment' },
    createPostComment: { text: 'A comment' },
    updateComment: { text: 'Changed' },
    registerWebhook: webhookBody(t),
    updateWebhook: webhookBody(t),
  };
  return { path, body: bodies[id] };
}

for (const id of operations.keys()) {
  check(`${id}.none`, says('authStatuses'), async (t) => {
    t.status(await t.call(id, { ...(await requestOf(t, id)), as: null }), 401);
  });
  check(`${id}.invalid`, says('authStatuses'), async (t) => {
    t.status(await t.call(id, { ...(await requestOf(t, id)), as: 'no-credential-of-any-server' }), 401);
  });
}

check('altered', says('authStatuses'), async (t) => {
  const { key } = t.session.options;
  const last = key.endsWith('0') ? '1' : '0';
  t.status(await t.call('listApps', { as: key.slice(0, -1) + last }), 401);
});

check('scheme', says('authHeader'), async (t) => {
  const authorization = `Basic ${t.session.options.key}`;
  t.status(await t.call('listApps', { as: null, headers: { authorization } }), 401);
});

check('query', says('authHeader'), async (t) => {
  t.status(await t.call('listApps', { as: null, query: { access_token: t.session.options.key } }), 401);
});

const ofUsers = ['subscribeApp', 'unsubscribeApp'];
const ofKeys = [
  'registerWebhook',
  'getWebhook',
  'updateWebhook',
  'listWebhooks',
  'listDeliveries',
  'deleteWebhook',
];

for (const { id, method, statuses } of operations.values()) {
  if (ofUsers.includes(id)) {
    check(`${id}.token`, says('authSubscribe'), async (t) => {
      const first = await person(t, 'first');
      await t.expect(id, 200, { ...(await requests[id](t, first)), as: first.token });
    });
    check(`${id}.key`, decides('subscribeKey'), async (t) => {
      t.status(await t.call(id, await requests[id](t)), 401);
    });
  } else if (ofKeys.includes(id)) {
    check(`${id}.key`, says('authWebhooks'), async (t) => {
      const answer = await t.call(id, await requests[id](t));
      t.holds(answer.status < 300, `the status is ${answer.status}, and the API key has every right`);
    });
    check(`${id}.token`, decides('webhookToken'), async (t) => {
      const { token } = await person(t, 'first');
      t.status(await t.call(id, { ...(await requests[id](t)), as: token }), method === 'GET' ? 401 : 403);
    });
  } else {
    check(`${id}.token`, says('authEither'), async (t) => {
      const first = await person(t, 'first');
      const answer = await t.call(id, { ...(await requests[id](t, first)), as: first.token });
      t.holds(answer.status !== 401, 'the access token is answered 401');
      t.status(answer, ...statuses);
    });
    check(`${id}.key`, says('authEither'), async (t) => {
      const answer = await t.call(id, await requests[id](t));
      t.holds(answer.status < 300, `the status is ${answer.status}, and the API key has every right`);
    });
  }
}

for (const id of /** @type {const} */ (['createApp', 'registerWebhook']))
  check(`${id}.weak`, says('authStatuses'), async (t) => {
    const { weakKey } = t.session.options;
    if (weakKey === undefined)
      return t.skip('there is no API key that may only read: give one with --weak-key');
    t.status(await t.call(id, { ...(await requests[id](t)), as: weakKey }), 403);
  });
