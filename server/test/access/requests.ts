import { makeWebhook } from 'confab-testing/fixtures.ts';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { freshUid, type TestServer } from 'confab-testing/server.ts';
import type { Place } from './world.ts';

/** A request of one operation on one place. */
export type CellRequest = { readonly method: string; readonly path: string; readonly body?: unknown };

/** An id and a uid that name nothing. */
const absent = { id: 987_654_321, uid: 'w-there-is-none' } as const;

let edits = 0;

/** A body with which the operation changes something each time. */
function bodyOf(id: string): unknown {
  edits += 1;
  const bodies: { readonly [operation: string]: unknown } = {
    createApp: { uid: freshUid('w-new'), type: 'comments' },
    updateApp: { description: `edit ${edits}` },
    upsertApp: { type: 'comments', description: `edit ${edits}` },
    addMember: { access: 'read' },
    addMembers: [{ uid: 'w-spare', access: 'read' }],
    removeMembers: ['w-spare'],
    createAppComment: { text: 'from a cell' },
    createFileComment: { text: 'from a cell' },
    createPostComment: { text: 'from a cell' },
    updateComment: { text: `leaking words, edit ${edits}` },
    registerWebhook: { payload_url: 'https://example.com/hook', triggers: ['comments'], enabled: false },
    updateWebhook: { payload_url: `https://example.com/hook/${edits}` },
  };
  return bodies[id];
}

/** The uid of the app that decides over the operation on the place. */
export function appOf(id: string, place: Place): string {
  const type = { createFileComment: 'files', createPostComment: 'posts' }[id] ?? 'comments';
  const app = place.apps.find((uid) => uid.endsWith(type));
  if (app === undefined) throw new Error(`${place.name} has no app of ${type}`);
  return app;
}

/** The id in the path of an operation on something in the place. */
function idOf(id: string, place: Place, webhook: number): number {
  if (id === 'createFileComment') return place.file;
  if (id === 'createPostComment') return place.post;
  return id.includes('Webhook') || id === 'listDeliveries' ? webhook : place.comment;
}

/** The request of an operation on a place by its id or uid; `isAbsent` puts something in its stead that is not there. */
export function requestOf(
  id: string,
  place: Place,
  options: { ref: 'id' | 'uid'; webhook: number; isAbsent?: boolean },
): CellRequest {
  const operation = specifiedOperations.find((known) => known.id === id);
  if (operation === undefined) throw new Error(`no operation is called ${id}`);
  const app = options.isAbsent === true ? absent : place.app;
  const values: { readonly [name: string]: string } = {
    app: String(app[options.ref]),
    uid: String(app[options.ref]),
    user: 'w-spare',
    id: String(options.isAbsent === true ? absent.id : idOf(id, place, options.webhook)),
  };
  const path = operation.path.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => values[name] ?? '');
  const body = bodyOf(id);
  return { method: operation.method, path, ...(body === undefined ? {} : { body }) };
}

/** Whether `undo` has something to restore after a success, which requests at the same time would miss. */
export function isUndone(id: string): boolean {
  return ['deleteWebhook', 'trashApp', 'restoreApp'].includes(id);
}

/** Restores what a success removed: the state of the place and the webhook. Returns the webhook to continue with. */
export async function undo(server: TestServer, id: string, place: Place, webhook: number): Promise<number> {
  if (id === 'deleteWebhook') return await makeWebhook(server);
  const isMoved = (id === 'trashApp' && !place.isTrashed) || (id === 'restoreApp' && place.isTrashed);
  if (isMoved)
    await server.call('POST', `/api/apps/${place.app.id}/${place.isTrashed ? 'trash' : 'restore'}`);
  return webhook;
}
