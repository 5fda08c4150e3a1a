/** What checks need to be there before they can ask something. */

import { Finding, Skipped } from './outcome.js';

/** @typedef {import('./trial.js').Trial} Trial */

/** @typedef {{ readonly id: number, readonly app?: number }} Place what can be commented on, and its app if that is known */

/** @typedef {{ readonly token: string, readonly uid: string, readonly id: number }} Person */

/**
 * Makes an app, with the API key unless a token is given.
 * @param {Trial} t
 * @param {Record<string, unknown>} [fields]
 * @param {string} [as]
 */
export async function makeApp(t, fields = {}, as) {
  const body = { uid: t.name('app'), type: 'comments', ...fields };
  return await t.prepare('createApp', { body, ...(as === undefined ? {} : { as }) });
}

/**
 * Makes a comment.
 * @param {Trial} t
 * @param {number} app its id
 * @param {{ as?: string, [field: string]: unknown }} [fields]
 */
export async function makeComment(t, app, { as, ...fields } = {}) {
  return await t.prepare('createAppComment', {
    path: { app },
    body: { text: 'A comment', ...fields },
    ...(as === undefined ? {} : { as }),
  });
}

/**
 * Registers a webhook that sends nothing, at an address of nobody.
 * @param {Trial} t
 * @param {Record<string, unknown>} [fields]
 */
export async function makeWebhook(t, fields = {}) {
  return await t.prepare('registerWebhook', { body: webhookBody(t, fields) });
}

/**
 * The body that registers a webhook that sends nothing.
 * @param {Trial} t
 * @param {Record<string, unknown>} [fields]
 */
export function webhookBody(t, fields = {}) {
  return {
    payload_url: `https://example.com/${t.name('hook')}`,
    triggers: ['comments'],
    enabled: false,
    ...fields,
  };
}

/**
 * One of two people. The options name their tokens; otherwise they are made as Confab makes them. A check that needs a
 * person whom nobody can make is skipped.
 * @param {Trial} t
 * @param {'first' | 'second'} which
 * @returns {Promise<Person>}
 */
export function person(t, which) {
  return t.session.once(`person ${which}`, async () => {
    const { token: given, secondToken } = t.session.options;
    const token = (which === 'first' ? given : secondToken) ?? (await makeToken(t, which));
    const { status, body } = await t.call('createApp', {
      as: token,
      body: { uid: t.name('of-person'), type: 'comments' },
    });
    const { id, uid } = body?.created_by ?? {};
    if (status >= 300 || !Number.isInteger(id) || typeof uid !== 'string')
      throw new Skipped(`whose token it is cannot be found out: createApp is answered ${status}`);
    return { token, id, uid };
  });
}

/** @param {Trial} t @param {string} which */
async function makeToken(t, which) {
  const uid = t.name(which);
  const option = which === 'first' ? '--token' : '--second-token';
  const path = `/api/users/${uid}`;
  const { access_token: token } = await t.beyond(
    `there is no access token: give one with ${option}`,
    'POST',
    `${path}/tokens`,
    { body: {} },
  );
  t.session.willRemove(path, ['POST', `${path}/trash`]);
  if (typeof token !== 'string') throw new Skipped(`there is no access token: give one with ${option}`);
  return token;
}

/** An app with both people in it: the first may write, the second read. @param {Trial} t */
export async function makeSharedApp(t) {
  const [first, second] = [await person(t, 'first'), await person(t, 'second')];
  const app = await makeApp(t);
  await t.prepare('addMember', { path: { app: app.id, user: first.uid }, body: { access: 'write' } });
  await t.prepare('addMember', { path: { app: app.id, user: second.uid }, body: { access: 'read' } });
  return { app, writer: first, reader: second };
}

/** A post, which the options name or which is made as Confab makes it. @param {Trial} t @returns {Promise<Place>} */
export function post(t) {
  return t.session.once('post', async () => {
    if (t.session.options.post !== undefined) return { id: t.session.options.post };
    const reason = 'there is no post: give the id of one with --post';
    const app = await t.call('createApp', { body: { uid: t.name('posts'), type: 'posts' } });
    if (app.status >= 300) throw new Skipped(reason);
    const made = await t.beyond(reason, 'POST', `/api/apps/${app.body.id}/posts`, {
      body: { text: 'A post' },
    });
    return { id: made.id, app: app.body.id };
  });
}

/** A file, which the options name or which is made as Confab makes it. @param {Trial} t @returns {Promise<Place>} */
export function file(t) {
  return t.session.once('file', async () => {
    if (t.session.options.file !== undefined) return { id: t.session.options.file };
    const reason = 'there is no file: give the id of one with --file';
    const app = await t.call('createApp', { body: { uid: t.name('files'), type: 'files' } });
    if (app.status >= 300) throw new Skipped(reason);
    const blob = await makeBlob(t, reason);
    const made = await t.beyond(reason, 'POST', `/api/apps/${app.body.id}/files`, {
      body: { blob_id: blob },
    });
    return { id: made.id, app: app.body.id };
  });
}

/** Uploads a small blob as Confab takes it; returns its id. @param {Trial} t @param {string} [reason] */
export async function makeBlob(t, reason = 'there is no way to upload a blob') {
  const form = new FormData();
  form.set('blob', new Blob(['A text in a file\n'], { type: 'text/plain' }), 'note.txt');
  return (await t.beyond(reason, 'POST', '/api/blobs', { body: form })).id;
}

/**
 * A webhook whose deliveries reach the receiver of the run. A check is skipped if the server refuses the address.
 * @param {Trial} t
 * @param {{ replies?: readonly number[], [field: string]: unknown }} [fields] `replies` are the statuses of the first
 *   answers of the receiver
 */
export async function listen(t, { replies = [], ...fields } = {}) {
  const { options } = t.session;
  const isNear = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(options.url).hostname);
  if (!isNear && options.receiverUrl === undefined)
    t.skip('the server cannot reach a receiver on this machine: give its address with --receiver-url');
  const receiver = await t.session.receiver();
  const path = `/${t.name('hook')}`;
  receiver.answer(path, replies);
  const answer = await t.call('registerWebhook', {
    body: { payload_url: receiver.url + path, triggers: ['comments'], enabled: true, ...fields },
  });
  if (answer.status === 422 && /payload_url/.test(answer.text))
    t.skip(`the server refuses the address of the receiver, ${receiver.url}: let it call this address`);
  if (answer.status >= 300)
    throw new Finding(`the check cannot be prepared: registerWebhook is answered ${answer.status}`);
  const webhook = answer.body;
  return {
    id: /** @type {number} */ (webhook.id),
    webhook,
    received: () => receiver.received(path),
    /** Waits for so many requests and returns all that came. @param {number} count */
    arrived: async (count) =>
      await t.wait(`delivery number ${count} at ${receiver.url}${path}`, () => {
        const requests = receiver.received(path);
        return requests.length >= count ? requests : undefined;
      }),
  };
}

/** The recorded deliveries of a webhook, the newest first. @param {Trial} t @param {number} id @returns {Promise<any[]>} */
export async function deliveriesOf(t, id) {
  const answer = await t.call('listDeliveries', { path: { id }, query: { top: 100 } });
  return t.items(answer);
}
