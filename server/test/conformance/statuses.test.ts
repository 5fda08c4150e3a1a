import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import {
  makeApp,
  makeComment,
  makeDirectory,
  makeFile,
  makePost,
  makeUser,
  makeWebhook,
} from 'confab-testing/fixtures.ts';
import { specifiedOperations, specifiedPairs } from 'confab-testing/operations.ts';
import { before, freshUid, useServer } from 'confab-testing/server.ts';

/** A request that has to be answered with one status. What it leaves out is taken from the world. */
type Row = {
  readonly status: number;
  /** Path parameters that are not those of the world. */
  readonly at?: { readonly [name: string]: string };
  readonly as?: 'manager' | 'reader' | 'outsider';
  /** A string is sent as it stands. */
  readonly body?: unknown;
};

const absent = { app: 'there-is-none', id: '987654321' };
const unreadable = '{"a":';
const hook = { payload_url: 'https://example.com/hook', triggers: ['comments'] };
const text = { text: 'hello' };
const tooLong = { text: 'x'.repeat(64 * 1024 + 1) };

const commenting: readonly Row[] = [
  { status: 201, body: text },
  { status: 400, body: { text: 5 } },
  { status: 403, as: 'reader', body: text },
  { status: 404, at: absent, body: text },
  { status: 422, body: tooLong },
];
const trashing: readonly Row[] = [
  { status: 200, at: { app: 'world-trashed' } },
  { status: 400, body: unreadable },
  { status: 403, as: 'reader' },
  { status: 404, at: absent },
];
const subscribing: readonly Row[] = [
  { status: 200, as: 'reader' },
  { status: 404, as: 'outsider' },
];
const reading: readonly Row[] = [{ status: 200 }, { status: 404, at: absent }];

/** Each status of each operation but 401, which is the same request without a credential. */
const rows: { readonly [operation: string]: readonly Row[] } = {
  createApp: [
    { status: 201, body: { uid: 'world-new', type: 'comments' } },
    { status: 400, body: unreadable },
    { status: 403, as: 'reader', body: { uid: 'world-far', type: 'comments', directory: 'far' } },
    { status: 422, body: {} },
  ],
  getApp: reading,
  updateApp: [
    { status: 200, body: { name: 'changed' } },
    { status: 400, body: { name: 5 } },
    { status: 403, as: 'reader', body: { name: 'changed' } },
    { status: 404, at: absent, body: { name: 'changed' } },
    { status: 422, body: { uid: '5' } },
  ],
  upsertApp: [
    { status: 200, body: { type: 'comments' } },
    { status: 201, at: { uid: 'world-put' }, body: { type: 'comments' } },
    { status: 400, body: [] },
    { status: 403, as: 'outsider', body: { type: 'comments' } },
    { status: 422, body: { type: 'no-such-type' } },
  ],
  listApps: [{ status: 200 }],
  addMember: [
    { status: 204, body: { access: 'read' } },
    { status: 400, body: { access: 'all' } },
    { status: 403, as: 'reader', body: {} },
    { status: 404, at: { user: 'nobody-is-called-so' }, body: {} },
  ],
  addMembers: [
    { status: 204, body: [{ uid: 'world-reader', access: 'read' }] },
    { status: 400, body: {} },
    { status: 403, as: 'reader', body: [] },
    { status: 404, body: [{ uid: 'nobody-is-called-so' }] },
  ],
  listMembers: reading,
  removeMember: [
    { status: 204, at: { user: 'world-outsider' } },
    { status: 400, body: unreadable },
    { status: 403, as: 'reader' },
    { status: 404, at: absent },
  ],
  removeMembers: [
    { status: 204, body: ['world-outsider'] },
    { status: 400, body: {} },
    { status: 403, as: 'reader', body: [] },
    { status: 404, body: ['nobody-is-called-so'] },
  ],
  subscribeApp: subscribing,
  unsubscribeApp: subscribing,
  trashApp: trashing,
  restoreApp: trashing,
  createAppComment: commenting,
  createFileComment: commenting,
  createPostComment: commenting,
  getComment: reading,
  updateComment: [
    { status: 200, body: text },
    { status: 400, body: { text: 5 } },
    { status: 403, as: 'reader', body: text },
    { status: 404, at: absent, body: text },
    { status: 422, body: tooLong },
  ],
  listComments: [{ status: 200 }],
  listAppComments: reading,
  registerWebhook: [
    { status: 201, body: { ...hook, enabled: false } },
    { status: 400, body: { ...hook, triggers: 'comments' } },
    { status: 403, as: 'manager', body: hook },
    { status: 422, body: { ...hook, triggers: ['no-such-group'] } },
  ],
  getWebhook: reading,
  updateWebhook: [
    { status: 200, body: { is_enabled: false } },
    { status: 400, body: { is_enabled: 'yes' } },
    { status: 403, as: 'manager', body: {} },
    { status: 404, at: absent, body: {} },
    { status: 422, body: { payload_url: 'no-url' } },
  ],
  listWebhooks: [{ status: 200 }],
  listDeliveries: reading,
  deleteWebhook: [
    { status: 400, body: unreadable },
    { status: 403, as: 'manager' },
    { status: 404, at: absent },
    { status: 204 },
  ],
};

function pathWith(path: string, values: { readonly [name: string]: string }): string {
  return path.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => values[name] ?? '');
}

// The contract and the specification are written down apart, and the contract lists nothing else for these operations.
describe('the contract', () => {
  for (const specified of specifiedOperations)
    test(`declares ${specified.id} as specified`, () => {
      const declared = operationList.find(({ id }) => id === specified.id);
      assert.equal(declared?.method, specified.method);
      // A path parameter may be named otherwise: clients see its place only.
      assert.equal(
        declared.path.replaceAll(/\{[a-z]+\}/g, '{}'),
        specified.path.replaceAll(/\{[a-z]+\}/g, '{}'),
      );
      assert.deepEqual(Object.keys(declared.success).map(Number), specified.success);
      assert.deepEqual([...declared.errors], specified.errors);
    });

  test('has a request here for each specified status', () => {
    const listed = Object.entries(rows).flatMap(([id, list]) => [
      ...list.map(({ status }) => `${id} ${status}`),
      `${id} 401`,
    ]);
    assert.deepEqual(listed.sort(), [...specifiedPairs].sort());
  });
});

// Every status that the specification lists for an operation is one that a request can get.
describe('each specified status', () => {
  const tokens = { manager: '', reader: '', outsider: '' };
  const ids: { [operation: string]: string } = {};

  const server = useServer();
  before(async () => {
    await makeDirectory(server, 'far');
    tokens.manager = (await makeUser(server, {}, 'world-manager')).token;
    tokens.reader = (await makeUser(server, {}, 'world-reader')).token;
    tokens.outsider = (await makeUser(server, {}, 'world-outsider')).token;
    const manager = { as: tokens.manager };
    const apps = { comments: 'world', files: 'world-files', posts: 'world-posts' };
    for (const [type, uid] of Object.entries(apps)) {
      await makeApp(server, { uid, type }, manager);
      await server.call('PUT', `/api/apps/${uid}/members/world-reader`, { access: 'read' }, manager);
    }
    await makeApp(server, { uid: 'world-trashed' });
    const comment = String((await makeComment(server, 'world', text, manager)).id);
    ids['getComment'] = comment;
    ids['updateComment'] = comment;
    ids['createFileComment'] = String(await makeFile(server, 'world-files', manager));
    ids['createPostComment'] = String(await makePost(server, 'world-posts', manager));
  });
  for (const { id, method, path } of specifiedOperations) {
    for (const { status, at, as, body } of rows[id] ?? [])
      test(`${id} answers ${status}`, async () => {
        if (path.startsWith('/api/webhooks/')) ids[id] = String(await makeWebhook(server));
        const world = { app: 'world', uid: 'world', user: 'world-reader', id: ids[id] ?? '' };
        const credential = as === undefined ? {} : { as: tokens[as] };
        const answer = await server.call(method, pathWith(path, { ...world, ...at }), body, credential);
        assert.equal(answer.status, status, answer.text);
      });

    test(`${id} answers 401 without a credential`, async () => {
      const where = pathWith(path, { app: freshUid(), uid: freshUid(), user: 'u', id: '1' });
      const answer = await server.call(
        method,
        where,
        unreadable.slice(0, method === 'GET' ? 0 : undefined) || undefined,
        { as: null },
      );
      assert.equal(answer.status, 401, answer.text);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    });
  }
});
