import type { App } from '../../src/contract/apps.ts';
import type { Comment } from '../../src/contract/comments.ts';
import type { ImportState } from '../../src/contract/imports.ts';
import { insertRun } from '../../src/features/imports/import-runs.store.ts';
import { nothingMade } from '../../src/features/imports/import-runs.ts';
import { freshUid, type Sending, type TestServer } from './server.ts';

/** Creates an app with a fresh uid; by default a comments app. */
export async function makeApp(server: TestServer, fields: object = {}, sending: Sending = {}): Promise<App> {
  const body = { uid: freshUid('app'), type: 'comments', ...fields };
  return await server.create('/api/apps', body, sending);
}

/** Creates a comment in an app. */
export async function makeComment(
  server: TestServer,
  app: string | number,
  fields: object = { text: 'hello' },
  sending: Sending = {},
): Promise<Comment> {
  return await server.create(`/api/apps/${app}/comments`, fields, sending);
}

/** Creates a user with a fresh uid and returns the uid, the id and an access token. */
export async function makeUser(
  server: TestServer,
  fields: object = {},
  uid = freshUid('user'),
): Promise<{ uid: string; id: number; token: string }> {
  const token = await server.token(uid, fields);
  const { body } = await server.call('GET', `/api/users/${encodeURIComponent(uid)}`);
  return { uid, id: body.id, token };
}

/** Creates a directory and returns its id. */
export async function makeDirectory(server: TestServer, name: string): Promise<number> {
  return (await server.create('/api/directories', { name })).id;
}

/** Uploads a small text and returns the id of its blob. */
export async function makeBlob(server: TestServer, sending: Sending = {}): Promise<number> {
  const form = new FormData();
  form.set('blob', new Blob(['some text'], { type: 'text/plain' }), `${freshUid('note')}.txt`);
  return (await server.create('/api/blobs', form, sending)).id;
}

/** Records an import without a file, which made nothing, and returns its id. */
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
    quotesReplies: 1,
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
export async function makeFile(
  server: TestServer,
  app: string | number,
  sending: Sending = {},
): Promise<number> {
  const blob_id = await makeBlob(server, sending);
  return (await server.create(`/api/apps/${app}/files`, { blob_id }, sending)).id;
}

/** Creates a post in a posts app and returns its id. */
export async function makePost(
  server: TestServer,
  app: string | number,
  sending: Sending = {},
): Promise<number> {
  return (await server.create(`/api/apps/${app}/posts`, { text: 'a post' }, sending)).id;
}

/** Registers a disabled webhook, so that nothing is sent, and returns its id. */
export async function makeWebhook(server: TestServer): Promise<number> {
  const body = { payload_url: 'http://127.0.0.1:9/hook', triggers: ['comments'], enabled: false };
  return (await server.create('/api/webhooks', body)).id;
}
