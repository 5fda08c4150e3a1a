import assert from 'node:assert/strict';
import { makeApp, makeBlob, makeComment, makeFile, makePost, makeUser, makeWebhook } from '../fixtures.ts';
import { specifiedOperations } from '../operations.ts';
import { type Answer, freshUid, type TestServer } from '../server.ts';

/** The objects for the rows of the catalogue: one of each kind, all created with the API key. */
export type World = {
  readonly server: TestServer;
  readonly app: number;
  readonly user: string;
  readonly token: string;
  /** The id of the object of an operation with `{id}` in its path. */
  readonly ids: { readonly [operation: string]: number };
};

/** Creates the objects of a catalogue. */
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

/** The path of an operation on these objects; `at` replaces parameters, unencoded. */
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

/** A body that each operation with a body accepts; its uids are fresh, so no object is created twice. */
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

/** The status for an accepted body: 201 for an upsert, because its uid is fresh. */
export function successOf(id: string): number {
  return Math.max(...operationNamed(id).success);
}

/** The status for a broken rule: 400 for operations that declare no 422. */
export function invalidOf(id: string): number {
  return operationNamed(id).errors.includes(422) ? 422 : 400;
}

/** How many rows are tried at once: fewer than a caller may have searches waiting. */
const triedMax = 8;

/** What is tried with a row. */
type Attempt<Row> = (row: Row) => Promise<{ expected: number; answer: Pick<Answer, 'status'> }>;

/**
 * Tries each row, several at once, and fails at the end with every row whose status is unexpected, so that one mistake
 * does not hide another. Returns how many rows there were.
 */
export async function assertEach<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  attempt: Attempt<Row>,
): Promise<number> {
  const left = rows.values();
  const wrong: string[] = [];
  const tryRest = async () => {
    for (const row of left) wrong.push(...(await faultOf(row, nameOf, attempt)));
  };
  await Promise.all(Array.from({ length: triedMax }, tryRest));
  assert.deepEqual(wrong, []);
  return rows.length;
}

/** The same, one row after another, where an attempt depends on what others do meanwhile. */
export async function assertInTurn<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  attempt: Attempt<Row>,
): Promise<number> {
  const wrong: string[] = [];
  for (const row of rows) wrong.push(...(await faultOf(row, nameOf, attempt)));
  assert.deepEqual(wrong, []);
  return rows.length;
}

async function faultOf<Row>(
  row: Row,
  nameOf: (row: Row) => string,
  attempt: Attempt<Row>,
): Promise<string[]> {
  try {
    const { expected, answer } = await attempt(row);
    return answer.status === expected ? [] : [`${nameOf(row)}: ${answer.status} instead of ${expected}`];
  } catch (error) {
    return [`${nameOf(row)}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`];
  }
}
