import type { Operation } from 'confab-contract/operation.ts';
import { secondFormOperationList } from 'confab-contract/second-form/operations.ts';
import { freshUid } from 'confab-testing/server.ts';
import { type Neighbour, neighbours, type Supply } from './neighbours.ts';
import { expectedStatus, type Policy } from './policy.ts';
import type { Caller, Place } from './world.ts';

/** The values in the path of a request. */
export type PathValues = { readonly [name: string]: string | number };

/** The intent of one operation of the second form. */
export type Row = {
  /** What it is about in a place. */
  readonly of: (place: Place, supply: Supply) => PathValues;
  readonly expected: (caller: Caller, place: Place) => number;
  readonly body?: () => unknown;
  /** Whether the place matters; the others are tried once. */
  readonly isPlaced: boolean;
  /** Whether each success changes something, also when it is repeated. */
  readonly alwaysChanges?: true;
  /** What of the place a success removes. */
  readonly ends?: Neighbour['thing'];
};

/** The agent that the rows are about; it is made again after a success that deletes it. */
export const agentUid = 'w-agent';

/** One about what is in a place. */
function inPlace(row: Neighbour): Row {
  const { thing, body, isEnd, alwaysChanges } = row;
  return {
    of: (place, supply) => ({ id: supply.of(place)[thing], app: supply.of(place)[thing] }),
    expected: (caller, place) => expectedStatus(row, caller, place, 'id'),
    body: () => body,
    isPlaced: true,
    ...(alwaysChanges === true && { alwaysChanges }),
    ...(isEnd === true && { ends: thing }),
  };
}

/** One about the apps of places. */
function inApp(policy: Policy, body?: unknown, type = 'comments'): Row {
  const appOf = ({ apps }: Place) => apps.find((uid) => uid.endsWith(type)) ?? '';
  return {
    of: (place) => ({ app: appOf(place), uid: appOf(place), user: 'w-spare' }),
    expected: (caller, place) => expectedStatus(policy, caller, place, 'uid'),
    body: () => body,
    isPlaced: true,
    ...(policy.alwaysChanges === true && { alwaysChanges: true }),
  };
}

/** One about no place, with what keys and users get. */
function anywhere(
  { key, token }: { key: number; token: number | ((caller: Caller) => number) },
  { of = {}, body }: { of?: PathValues; body?: () => unknown } = {},
): Row {
  const ofToken = (caller: Caller) => (typeof token === 'number' ? token : token(caller));
  return {
    of: () => of,
    expected: (caller) => ({ nobody: () => 401, key: () => key, token: ofToken })[caller.kind](caller),
    ...(body !== undefined && { body }),
    isPlaced: false,
  };
}

/** What users of the directory get, and others. */
const here = (there: number, absent: number) => (caller: Caller) =>
  caller.directory === 'here' ? there : absent;

const read = { need: 'read', success: 200, hidden: 404, inTrash: 'gone' } as const;
const manage = { need: 'manage', success: 204, hidden: 404, refused: 403, inTrash: 'gone' } as const;
const ofChat = { ...read, success: 204, isForUsers: true, thing: 'chat' } as const;
const spare = { of: { user: 'w-spare' } } as const;
const agent = { user: agentUid } as const;
const edited = { of: agent, body: () => ({ instructions: 'Be brief.' }) } as const;

function neighbour(id: string): Row {
  const row = neighbours[id];
  if (row === undefined) throw new Error(`${id} has no row`);
  return inPlace(row);
}

/** The table: each operation of the second form has a row. */
export const rows: { readonly [operation: string]: Row } = {
  getUserInSecondForm: anywhere({ key: 200, token: here(200, 404) }, spare),
  followUser: anywhere({ key: 401, token: here(204, 404) }, spare),
  unfollowUser: anywhere({ key: 401, token: here(204, 404) }, spare),
  getConfiguration: anywhere({ key: 200, token: 200 }),
  listPostsInSecondForm: neighbour('listPosts'),
  listAppPostsInSecondForm: neighbour('listAppPosts'),
  listAppFilesInSecondForm: inApp(read, undefined, 'files'),
  listFileVersionsInSecondForm: inPlace({ ...read, thing: 'file' }),
  listAppsInSecondForm: anywhere({ key: 200, token: 200 }),
  createAppInSecondForm: anywhere(
    { key: 201, token: 201 },
    { body: () => ({ uid: freshUid('w-made'), type: 'comments' }) },
  ),
  getAppInSecondForm: inApp(read),
  updateAppInSecondForm: inApp({ ...manage, success: 200 }, { description: 'edited' }),
  upsertAppInSecondForm: inApp(
    { ...manage, success: 200, hidden: 403, inTrash: 'there' },
    { type: 'comments', description: 'put' },
  ),
  markApp: inPlace(ofChat),
  markConversationInSecondForm: inPlace({ ...ofChat, success: 200 }),
  unmarkApp: inPlace(ofChat),
  pinApp: inPlace(ofChat),
  unpinApp: inPlace(ofChat),
  typeInApp: inPlace(ofChat),
  // Who may leave is decided as it is for removing oneself as a member: of an app that is no conversation, a manager.
  leaveApp: inPlace({ ...manage, isForUsers: true, thing: 'chat' }),
  listMembersInSecondForm: inApp(read),
  putMembers: inApp(manage, [{ id: 'w-spare', access: 'read' }]),
  addMemberInSecondForm: inApp(manage, { access: 'read' }),
  listUsersInSecondForm: anywhere({ key: 200, token: 200 }),
  listNotificationsInSecondForm: anywhere({ key: 401, token: 200 }),
  createNotification: anywhere(
    { key: 201, token: 403 },
    { body: () => ({ user: 'w-spare', template: 'The order was sent.' }) },
  ),
  listAppNotifications: inApp({ ...read, isForUsers: true }),
  markAppNotifications: inApp({ ...read, isForUsers: true }),
  markDirectoryNotifications: anywhere({ key: 401, token: here(200, 404) }, { of: { directory: 'here' } }),
  // Without an address, so that nothing is fetched: who has a credential is told that it lacks.
  embedAddress: anywhere({ key: 422, token: 422 }),
  createEmbedInSecondForm: anywhere(
    { key: 201, token: 201 },
    { body: () => ({ type: 'link', title: 'Plan', url: 'https://example.com/plan' }) },
  ),
  createMeetingAt: anywhere({ key: 401, token: 201 }, { of: { provider: 'zoom' } }),
  listAgents: anywhere({ key: 200, token: 401 }),
  getAgent: anywhere({ key: 200, token: 403 }, { of: agent }),
  upsertAgent: anywhere({ key: 200, token: 403 }, edited),
  updateAgent: anywhere({ key: 200, token: 403 }, edited),
  deleteAgent: anywhere({ key: 204, token: 403 }, { of: agent }),
  startAgentChat: anywhere({ key: 401, token: here(201, 422) }, { of: agent, body: () => ({}) }),
  createMessageToAgent: neighbour('createMessage'),
};

/** An operation of the second form by its id. */
export function secondFormOperation(id: string): Operation {
  const operation = secondFormOperationList.find((known) => known.id === id);
  if (operation === undefined) throw new Error(`no operation of the second form is called ${id}`);
  return operation;
}
