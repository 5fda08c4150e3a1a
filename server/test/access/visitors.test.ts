import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { type AppFields, makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { use, useServer } from 'confab-testing/server.ts';
import { signInGuest } from 'confab-testing/visitors.ts';

/**
 * What visitors may do, without a credential and once they have signed in: every operation, in apps of every kind, with the
 * exact status.
 */

const server = useServer(
  {
    CONFAB_SIGN_IN: 'guest',
    CONFAB_SIGN_IN_PUZZLE: 'no',
    CONFAB_CORS_ORIGINS: 'https://blog.example.com',
    CONFAB_PAGES_VISITORS: 'write',
  },
  { isQuiet: true },
);

/** The operations of visitors. The contract says the same; here it is the intent. */
const ofVisitors: ReadonlySet<string> = new Set([
  'getComment',
  'listAppComments',
  'listAnchors',
  'listReplies',
  'watchApp',
]);
/** Those that are answered for every app, and say nothing of one that is not open. */
const ofAnyApp: ReadonlySet<string> = new Set(['listCounts']);

/** An app, in which visitors read or do not, with a comment. `changed` is a change after it was made. */
type Place = {
  readonly fields: AppFields;
  readonly isOpen: boolean;
  /** Whether visitors who have signed in write in it. */
  readonly isWritable?: true;
  readonly changed?: {
    readonly method: 'POST' | 'PATCH' | 'PUT';
    readonly path: string;
    readonly body?: object;
  };
};

const open = { access: 'write', visitors: 'read' };

const places: { readonly [name: string]: Place } = {
  'is open for reading': { fields: open, isOpen: true },
  'is open for writing': { fields: { ...open, visitors: 'write' }, isOpen: true, isWritable: true },
  'users only read, open for writing': {
    fields: { access: 'read', visitors: 'write' },
    isOpen: true,
  },
  'is locked, open for writing': {
    fields: { ...open, visitors: 'write' },
    isOpen: true,
    changed: { method: 'POST', path: '/lock' },
  },
  'users only read': { fields: { ...open, access: 'read' }, isOpen: true },
  'is locked': { fields: open, isOpen: true, changed: { method: 'POST', path: '/lock' } },
  'is not open': { fields: { access: 'write' }, isOpen: false },
  'was open': {
    fields: open,
    isOpen: false,
    changed: { method: 'PATCH', path: '', body: { visitors: null } },
  },
  'is closed to users': { fields: { ...open, access: 'none' }, isOpen: false },
  'is of a directory': { fields: { ...open, directory: 'visited' }, isOpen: false },
  'is in the trash': { fields: open, isOpen: false, changed: { method: 'POST', path: '/trash' } },
};

const directory = use(() => server.create('/api/directories', { name: 'visited' }));

/** What the operations of signed-in visitors answer: in an app where they write, in one that they read, and elsewhere. */
const ofSignedIn: { readonly [operation: string]: readonly [number, number, number] } = {
  createAppComment: [201, 403, 404],
  // The comment is not theirs.
  updateComment: [403, 403, 404],
  deleteComment: [403, 403, 404],
  addCommentReaction: [204, 403, 404],
  removeCommentReaction: [200, 403, 404],
  reportComment: [200, 200, 404],
  getComment: [200, 200, 404],
  listAppComments: [200, 200, 404],
  listAnchors: [200, 200, 404],
  listReplies: [200, 200, 404],
  watchApp: [200, 200, 404],
  listCounts: [200, 200, 200],
  getCaller: [200, 200, 200],
  typeComment: [204, 403, 404],
  renderText: [200, 200, 200],
  updateVisitor: [200, 200, 200],
  // This server lets visitors add no pictures; server/test/features/visitors/comment-pictures.test.ts has one that does.
  createBlob: [422, 422, 422],
  signOut: [204, 204, 204],
  // No mailbox signs in on this server; server/test/access/signing-in.test.ts has one that does.
  addMailbox: [404, 404, 404],
  confirmMailbox: [404, 404, 404],
  // They name another user.
  exportUser: [404, 404, 404],
  eraseUser: [404, 404, 404],
};
const file = new FormData();
file.set('blob', new Blob(['words']), 'a.png');
const bodies: { readonly [operation: string]: object } = {
  createBlob: file,
  createAppComment: { text: 'words' },
  updateComment: { text: 'other words' },
  addCommentReaction: { content: '👍' },
  reportComment: { reason: 'spam' },
  addMailbox: { email: 'a@example.com', origin: 'https://blog.example.com' },
  confirmMailbox: { ticket: 'x', code: '123456' },
  renderText: { text: 'words' },
};

function pathOf({ path }: Operation, things: { readonly app: number; readonly comment: number }): string {
  return path
    .replace('{app}', String(things.app))
    .replaceAll(/\{\w+\}/g, String(path.startsWith('/api/comments/') ? things.comment : 1));
}

/** Makes a place, with a comment in it. */
async function make({ fields, changed }: Place, uid?: string) {
  const app = await makeApp(server, uid === undefined ? fields : { uid, ...fields });
  const comment = await makeComment(server, app.id, { text: 'words' });
  if (changed !== undefined) {
    const { method, path, body } = changed;
    const { status, text } = await server.call(method, `/api/apps/${app.id}${path}`, body);
    assert.equal(status, 200, text);
  }
  return { app, comment };
}

for (const [name, place] of Object.entries(places))
  test(`visitors of an app that ${name}`, async (t) => {
    const { isOpen } = place;
    assert.ok(directory.id > 0);
    const { app, comment } = await make(place);
    let tried = 0;
    for (const operation of operationList.filter(({ caller }) => caller !== 'anyone')) {
      const path = pathOf(operation, { app: app.id, comment: comment.id });
      const body = operation.method === 'GET' ? undefined : {};
      const isAnswered = ofAnyApp.has(operation.id) || (isOpen && ofVisitors.has(operation.id));
      // A stream has no end.
      const method = isAnswered && operation.media === 'text/event-stream' ? 'HEAD' : operation.method;
      const { status, text } = await server.call(method, path, body, { as: null });
      const expected = isAnswered ? 200 : 401;
      assert.equal(status, expected, `${operation.id}: ${text}`);
      tried += 1;
    }
    const counts = await server.as(null).read(`/api/counts?uid=${app.uid}`);
    assert.deepEqual(counts, { counts: [isOpen ? 1 : 0] });
    t.diagnostic(`${tried} operations`);
  });

for (const [name, place] of Object.entries(places))
  test(`visitors who have signed in, in an app that ${name}`, async (t) => {
    const { isOpen, isWritable } = place;
    const { app, comment } = await make(place);
    const { access_token: token } = await signInGuest(server);
    let tried = 0;
    const all = operationList.filter(({ caller }) => caller !== 'anyone');
    // Signing out ends what the others are tried with.
    for (const operation of all.toSorted((a, b) => Number(a.id === 'signOut') - Number(b.id === 'signOut'))) {
      const { id } = operation;
      const path = pathOf(operation, { app: app.id, comment: comment.id });
      const expected = ofSignedIn[id]?.[isWritable === true ? 0 : isOpen ? 1 : 2] ?? 401;
      const method = expected === 200 && operation.media === 'text/event-stream' ? 'HEAD' : operation.method;
      const body = method === 'GET' || method === 'HEAD' ? undefined : (bodies[id] ?? {});
      const answer = await server.call(method, path, body, { as: token });
      assert.equal(answer.status, expected, `${id}: ${answer.text}`);
      if (expected === 401) assert.equal(answer.body.code, 'users_only', id);
      tried += 1;
    }
    t.diagnostic(`${tried} operations`);
  });

for (const [at, [name, place]] of Object.entries(places).entries())
  test(`visitors who open the page of an app that ${name}`, async () => {
    assert.ok(directory.id > 0);
    const uid = `blog.example.com~${at}`;
    const { app } = await make(place, uid);
    const before = await server.read(`/api/apps/${app.id}?trashed=true`);
    const { access_token: token } = await signInGuest(server);
    for (const [as, expected] of [
      [token, place.isOpen ? 200 : 403],
      [null, 401],
    ] as const) {
      const path = `/api/apps/${uid}?page=true` as const;
      const { status, text } = await server.call('PUT', path, { type: 'comments' }, { as });
      assert.equal(status, expected, text);
    }
    assert.deepEqual(await server.read(`/api/apps/${app.id}?trashed=true`), before);
  });
