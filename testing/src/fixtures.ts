import assert from 'node:assert/strict';
import type { App } from 'confab-contract/apps.ts';
import type { Comment } from 'confab-contract/comments.ts';
import type { ImportState } from 'confab-contract/imports.ts';
import { insertRun } from 'confab-server/src/features/imports/import-runs.store.ts';
import { nothingMade } from 'confab-server/src/features/imports/import-runs.ts';
import { type Caller, freshUid, type Sending, type TestServer, use } from './server.ts';

/** A user, who sends requests with an access token. */
export type Person = Caller & { readonly uid: string; readonly id: number; readonly token: string };

/** Creates a user, by default with a fresh uid. */
export async function makeUser(
  server: TestServer,
  fields: object = {},
  uid = freshUid('user'),
): Promise<Person> {
  const token = await server.token(uid, fields);
  const { id } = await server.read(`/api/users/${encodeURIComponent(uid)}`);
  return { ...server.as(token), uid, id, token };
}

/** Creates a user whose token is valid for 30 days, for tests that move the clock. */
export async function makeLastingUser(server: TestServer, fields: object = {}): Promise<Person> {
  const user = await makeUser(server, fields);
  const path = `/api/users/${user.uid}/tokens` as const;
  const { body } = await server.call('POST', path, { expires_in: 30 * 86_400 });
  return { ...user, ...server.as(body.access_token), token: body.access_token };
}

/** Users with these names for the tests of the file or of the enclosing `describe`, created before them in this order. */
export function usePeople<const Names extends readonly string[]>(
  server: TestServer,
  ...names: Names
): { [Index in keyof Names]: Person } {
  const people = names.map((name) => use(() => makeUser(server, { name })));
  return people as { [Index in keyof Names]: Person };
}

/** Users by what they may do in an app. A moderator or manager also writes. */
export type Members = {
  readonly [Level in 'none' | 'read' | 'write' | 'moderator' | 'manager']?: readonly {
    readonly uid: string;
  }[];
};

/** Makes users members of an app, or changes what members may do. */
export async function addMembers(by: Caller, app: string | number, members: Members): Promise<void> {
  for (const [level, users] of Object.entries(members))
    for (const { uid } of users) {
      const fields = ['moderator', 'manager'].includes(level) ? { role: level } : { access: level };
      const path = `/api/apps/${app}/members/${encodeURIComponent(uid)}` as const;
      const answer = await by.call('PUT', path, fields);
      assert.equal(answer.status, 204, answer.text);
    }
}

/** The fields of an app; `members` are added after it is created. */
export type AppFields = { readonly members?: Members; readonly [field: string]: unknown };

/** Creates an app with a fresh uid, by default a comments app, and adds its members. */
export async function makeApp(
  by: Caller,
  { members = {}, ...fields }: AppFields = {},
  sending: Sending = {},
): Promise<App> {
  const body = { uid: freshUid('app'), type: 'comments', ...fields };
  const app = await by.create('/api/apps', body, sending);
  await addMembers(by, app.id, members);
  return app;
}

/** Creates a comment in an app. */
export async function makeComment(
  by: Caller,
  app: string | number,
  fields: object = { text: 'hello' },
  sending: Sending = {},
): Promise<Comment> {
  return await by.create(`/api/apps/${app}/comments`, fields, sending);
}

/** Creates a directory and returns its id. */
export async function makeDirectory(by: Caller, name: string): Promise<number> {
  return (await by.create('/api/directories', { name })).id;
}

/** Uploads a small text and returns the id of its blob. */
export async function makeBlob(by: Caller, sending: Sending = {}): Promise<number> {
  const form = new FormData();
  form.set('blob', new Blob(['some text'], { type: 'text/plain' }), `${freshUid('note')}.txt`);
  return (await by.create('/api/blobs', form, sending)).id;
}

/** Records an import that has no file and created nothing; returns its id. */
export async function makeImport(
  server: TestServer,
  state: ImportState,
  name = 'disqus.xml',
): Promise<number> {
  const at = Date.now();
  const hasRun = !['reading', 'ready'].includes(state);
  const row = {
    kind: 'disqus',
    name,
    blobId: null,
    keepsEmails: 0,
    replies: 'thread',
    site: null,
    state,
    planned: null,
    made: JSON.stringify(nothingMade),
    createdAt: at,
    apiKeyId: null,
    startedAt: hasRun ? at : null,
    finishedAt: hasRun ? at : null,
  };
  return await server.running.db.write((tx) => tx.insert(insertRun, row));
}

/** Creates a file in a files app and returns its id. */
export async function makeFile(by: Caller, app: string | number, sending: Sending = {}): Promise<number> {
  const blob_id = await makeBlob(by, sending);
  return (await by.create(`/api/apps/${app}/files`, { blob_id }, sending)).id;
}

/** Creates a post in a posts app and returns its id. */
export async function makePost(by: Caller, app: string | number, sending: Sending = {}): Promise<number> {
  return (await by.create(`/api/apps/${app}/posts`, { text: 'a post' }, sending)).id;
}

/** Registers a disabled webhook, so that nothing is sent, and returns its id. */
export async function makeWebhook(server: TestServer): Promise<number> {
  const body = { payload_url: 'http://127.0.0.1:9/hook', triggers: ['comments'], enabled: false };
  return (await server.create('/api/webhooks', body)).id;
}
