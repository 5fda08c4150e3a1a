/** A request of each operation that a server has no reason to refuse but who sends it. */

import { file, makeApp, makeComment, makeWebhook, person, post, webhookBody } from './world.js';

/** @typedef {import('./trial.js').Trial} Trial */
/** @typedef {import('./operations.js').OperationId} OperationId */
/** @typedef {import('./session.js').Call} Call */

/**
 * Requests of each operation about things that nothing else uses. They are made with the API key, or by the first
 * person if `maker` is one.
 * @type {Readonly<Record<OperationId, (t: Trial, maker?: { token: string }) => Promise<Call>>>}
 */
export const requests = {
  createApp: async (t) => ({ body: { uid: t.name(), type: 'comments' } }),
  getApp: async (t, maker) => ({ path: await app(t, maker) }),
  updateApp: async (t, maker) => ({ path: await app(t, maker), body: { name: 'Changed' } }),
  upsertApp: async (t) => {
    const uid = t.name();
    return { path: { uid }, body: { type: 'comments' } };
  },
  listApps: async () => ({}),
  addMember: async (t, maker) => ({
    path: { ...(await app(t, maker)), user: (await person(t, 'second')).uid },
  }),
  addMembers: async (t, maker) => ({
    path: await app(t, maker),
    body: [{ uid: (await person(t, 'second')).uid }],
  }),
  listMembers: async (t, maker) => ({ path: await app(t, maker) }),
  removeMember: async (t, maker) => {
    const { uid } = await person(t, 'second');
    const path = await app(t, maker);
    await t.prepare('addMember', { path: { ...path, user: uid } });
    return { path: { ...path, user: uid } };
  },
  removeMembers: async (t, maker) => {
    const { uid } = await person(t, 'second');
    const path = await app(t, maker);
    await t.prepare('addMember', { path: { ...path, user: uid } });
    return { path, body: [uid] };
  },
  subscribeApp: async (t, maker) => ({ path: await app(t, maker) }),
  unsubscribeApp: async (t, maker) => ({ path: await app(t, maker) }),
  trashApp: async (t, maker) => ({ path: await app(t, maker) }),
  restoreApp: async (t, maker) => {
    const path = await app(t, maker);
    await t.prepare('trashApp', { path });
    return { path };
  },
  createAppComment: async (t, maker) => ({ path: await app(t, maker), body: { text: 'A comment' } }),
  createFileComment: async (t) => ({ path: { id: (await file(t)).id }, body: { text: 'A comment' } }),
  createPostComment: async (t) => ({ path: { id: (await post(t)).id }, body: { text: 'A comment' } }),
  getComment: async (t, maker) => ({ path: await comment(t, maker) }),
  updateComment: async (t, maker) => ({ path: await comment(t, maker), body: { text: 'Changed' } }),
  listComments: async () => ({}),
  listAppComments: async (t, maker) => ({ path: await app(t, maker) }),
  registerWebhook: async (t) => ({ body: webhookBody(t) }),
  getWebhook: async (t) => ({ path: await webhook(t) }),
  updateWebhook: async (t) => ({ path: await webhook(t), body: webhookBody(t) }),
  listWebhooks: async () => ({}),
  listDeliveries: async (t) => ({ path: await webhook(t) }),
  deleteWebhook: async (t) => ({ path: await webhook(t) }),
};

/** @param {Trial} t @param {{ token: string }} [maker] */
async function app(t, maker) {
  const made = await makeApp(t, {}, maker?.token);
  return { app: /** @type {number} */ (made.id) };
}

/** @param {Trial} t @param {{ token: string }} [maker] */
async function comment(t, maker) {
  const { app: id } = await app(t, maker);
  return { id: (await makeComment(t, id, maker === undefined ? {} : { as: maker.token })).id };
}

/** @param {Trial} t */
async function webhook(t) {
  return { id: (await makeWebhook(t)).id };
}
