import assert from 'node:assert/strict';
import { specifiedOperations } from '../conformance/operations.ts';
import {
  makeApp,
  makeBlob,
  makeComment,
  makeFile,
  makePost,
  makeUser,
  makeWebhook,
} from '../support/fixtures.ts';
import { type Answer, freshUid, type TestServer } from '../support/server.ts';

/** What the rows of the catalogue are tried on: one thing of each kind, all made with the API key. */
export type World = {
  readonly server: TestServer;
  readonly app: number;
  readonly user: string;
  readonly token: string;
  /** The id that an operation with `{id}` in its path is about. */
  readonly ids: { readonly [operation: string]: number };
};

/** Makes the world of a catalogue. */
export async function makeWorld(server: TestServer): Promise<World> {
  const app = (await makeApp(server)).id;
  const user = await makeUser(server);
  const comment = (await makeComment(server, app, { text: 'x', blobs: [await makeBlob(server)] })).id;
  const files = (await makeApp(server, { type: 'files' })).id;
  const posts = (await makeApp(server, { type: 'posts' })).id;
  const webhook = await makeWebhook(server);
  const ids = {
    getComment: comment,
    updateComment: comment,
    createFileComment: await makeFile(server, files),
    createPostComment: await makePost(server, posts),
    getWebhook: webhook,
    updateWebhook: webhook,
    listDeliveries: webhook,
    deleteWebhook: webhook,
  };
  return { server, app, user: user.uid, token: user.token, ids };
}

/** An operation of the specification by its id. */
export function operationNamed(id: string) {
  const operation = specifiedOperations.find((known) => known.id === id);
  if (operation === undefined) throw new Error(`no operation is called ${id}`);
  return operation;
}

/** The path of an operation in the world; `at` replaces parameters and is taken as it stands. */
export function pathOf(world: World, id: string, at: { readonly [name: string]: string } = {}): string {
  const values: { readonly [name: string]: string } = {
    app: String(world.app),
    uid: freshUid('put'),
    user: world.user,
    id: String(world.ids[id] ?? ''),
    ...at,
  };
  return operationNamed(id).path.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => values[name] ?? '');
}

/** A body that each operation with a body accepts; it makes nothing twice, because uids are fresh. */
export function acceptedBody(world: World, id: string): unknown {
  const bodies: { readonly [operation: string]: unknown } = {
    createApp: { uid: freshUid('app'), type: 'comments' },
    updateApp: {},
    upsertApp: { type: 'comments' },
    addMember: {},
    addMembers: [{ uid: world.user }],
    removeMembers: [],
    createAppComment: {},
    createFileComment: {},
    createPostComment: {},
    updateComment: {},
    registerWebhook: { payload_url: 'https://example.com/hook', triggers: ['comments'], enabled: false },
    updateWebhook: {},
  };
  return bodies[id];
}

/** The operations that take a body. */
export const withBody = [
  'createApp',
  'updateApp',
  'upsertApp',
  'addMember',
  'addMembers',
  'removeMembers',
  'createAppComment',
  'createFileComment',
  'createPostComment',
  'updateComment',
  'registerWebhook',
  'updateWebhook',
] as const;

/** The status of success of an accepted body: the create of an upsert, because its uid is fresh. */
export function successOf(id: string): number {
  return Math.max(...operationNamed(id).success);
}

/** The status that a broken rule has: operations that list no 422 answer 400. */
export function invalidOf(id: string): number {
  return operationNamed(id).errors.includes(422) ? 422 : 400;
}

/**
 * Tries rows one after the other and fails at the end with every row whose status is not the expected one, so that
 * one mistake does not hide another. Answers how many rows there were.
 */
export async function assertEach<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  attempt: (row: Row) => Promise<{ expected: number; answer: Pick<Answer, 'status'> }>,
): Promise<number> {
  const wrong: string[] = [];
  for (const row of rows) {
    try {
      const { expected, answer } = await attempt(row);
      if (answer.status !== expected) wrong.push(`${nameOf(row)}: ${answer.status} instead of ${expected}`);
    } catch (error) {
      wrong.push(`${nameOf(row)}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`);
    }
  }
  assert.deepEqual(wrong, []);
  return rows.length;
}
