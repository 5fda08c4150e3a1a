import assert from 'node:assert/strict';
import {
  makeApp,
  makeComment,
  makeDirectory,
  makeFile,
  makePost,
  makeUser,
} from 'confab-testing/fixtures.ts';
import type { TestServer } from 'confab-testing/server.ts';
import { makeSecret } from '../../src/features/credentials/secret-text.ts';
import type { Access, AppState, Standing } from './policy.ts';

/** Somebody who calls. `headers` is the credential as it is sent. */
export type Caller = Standing & {
  readonly name: string;
  readonly uid?: string;
  readonly headers: Record<string, string>;
  /** Asks for the second form with every request. */
  readonly isOfSecondForm?: true;
};

/** One app of each type in one state, with something in it that can be commented, read and edited. */
export type Place = AppState & {
  readonly name: string;
  readonly app: { readonly id: number; readonly uid: string };
  readonly file: number;
  readonly post: number;
  /** Made by the author, in the app of comments. */
  readonly comment: number;
  readonly apps: readonly string[];
};

/** Everybody and everything of the matrix. */
export type World = {
  readonly callers: readonly Caller[];
  readonly places: readonly Place[];
};

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

/**
 * Creates the 21 callers: nine with an invalid credential, twelve with different relations to an app. `elapse`
 * moves the clock on by a minute, so that a token of a minute is over.
 */
async function makeCallers(server: TestServer, elapse: () => void): Promise<Caller[]> {
  const user = (uid: string, directory?: string) =>
    makeUser(server, directory === undefined ? {} : { directory }, uid);
  const fleeting = await user('w-fleeting');
  const expiring = await server.call('POST', `/api/users/${fleeting.uid}/tokens`, { expires_in: 60 });
  elapse();
  const [revoked, suspended, trashed] = [
    await user('w-revoked'),
    await user('w-suspended'),
    await user('w-trashed'),
  ];
  const revokedKey = await server.running.keys.create('w-revoked');
  const key = (await server.running.keys.list()).find(({ name }) => name === 'w-revoked');
  assert.ok(await server.running.keys.revoke(key?.id ?? 0));
  const people = {
    same: await user('w-same', 'here'),
    other: await user('w-other', 'elsewhere'),
    none: await user('w-none', 'here'),
    reader: await user('w-read', 'here'),
    writer: await user('w-write', 'here'),
    creator: await user('w-creator', 'here'),
    author: await user('w-author', 'here'),
    behalf: await user('w-behalf', 'here'),
    moderator: await user('w-moderator', 'here'),
    staffHere: await user('w-staff-here', 'here'),
    staff: await user('w-staff'),
  };
  for (const { uid } of [people.staffHere, people.staff])
    await server.call('PATCH', `/api/users/${uid}`, { role: 'moderator' });
  const person = (
    name: string,
    { uid, token }: { uid: string; token: string },
    standing: Partial<Standing> = {},
  ) => ({
    name,
    kind: 'token' as const,
    uid,
    headers: bearer(token),
    directory: 'here',
    ...standing,
  });
  const mistyped = `${people.creator.token.slice(0, -1)}${people.creator.token.endsWith('0') ? '1' : '0'}`;
  const nobody = (name: string, headers: Record<string, string>): Caller => ({
    name,
    kind: 'nobody',
    headers,
  });
  // Last, so that they had rights before: suspended and trashed users lose them.
  await server.call('DELETE', `/api/users/${revoked.uid}/tokens`);
  await server.call('PATCH', `/api/users/${suspended.uid}`, { is_suspended: true });
  await server.call('POST', `/api/users/${trashed.uid}/trash`);
  return [
    { ...nobody('no credential', {}), isVisitor: true },
    nobody('a malformed header', { authorization: server.key }),
    nobody('an unknown token', bearer(makeSecret('token'))),
    nobody('a mistyped token', bearer(mistyped)),
    nobody('an expired token', bearer(expiring.body.access_token)),
    nobody('a revoked token', bearer(revoked.token)),
    nobody('a suspended user', bearer(suspended.token)),
    nobody('a trashed user', bearer(trashed.token)),
    nobody('a revoked key', bearer(revokedKey)),
    person('a stranger', people.same),
    person('a stranger of another directory', people.other, { directory: 'elsewhere' }),
    person('a member with none', people.none, { membership: 'none' }),
    person('a member with read', people.reader, { membership: 'read' }),
    person('a member with write', people.writer, { membership: 'write' }),
    person('the creator', people.creator, { membership: 'write', isCreator: true }),
    person('the author, no member any more', people.author, { isAuthor: true }),
    person('a moderator', people.moderator, { membership: 'write', isModerator: true }),
    person('a moderator of a directory', people.staffHere, { isModeratorOfAll: true }),
    {
      name: 'a moderator of the server',
      kind: 'token',
      uid: people.staff.uid,
      headers: bearer(people.staff.token),
      isModeratorOfAll: true,
    },
    { name: 'a key', kind: 'key', headers: bearer(server.key) },
    {
      name: 'a key on behalf of a user',
      kind: 'key',
      uid: people.behalf.uid,
      headers: { ...bearer(server.key), 'x-confab-user': people.behalf.uid },
    },
  ];
}

/** Creates a page that the creator opens; a key then sets everything that opening does not. */
async function makePage(
  server: TestServer,
  { uid, type, tags }: { uid: string; type: string; tags: string[] },
): Promise<{ id: number; uid: string }> {
  const as = { headers: { 'x-confab-user': 'w-creator' } };
  const { status, body } = await server.call('PUT', `/api/apps/${uid}?page=true`, { type }, as);
  assert.equal(status, 201);
  await server.call('PATCH', `/api/apps/${uid}`, { tags });
  return body;
}

let places = 0;

/** Makes the apps of one state. Their creator, members and author are the callers of those names. */
export async function makePlace(server: TestServer, state: AppState): Promise<Place> {
  places += 1;
  const name = `w${places}-${state.access}-${state.isTrashed ? 'trashed' : 'live'}-${state.directory ?? 'any'}`;
  const asCreator = { headers: { 'x-confab-user': 'w-creator' } };
  const asAuthor = { headers: { 'x-confab-user': 'w-author' } };
  const made: { [type: string]: { id: number; uid: string } } = {};
  for (const type of ['comments', 'files', 'posts']) {
    const fields = {
      uid: `${name}-${type}`,
      type,
      access: state.access,
      tags: ['world'],
      ...(state.directory === undefined ? {} : { directory: state.directory }),
    };
    const app =
      state.isPage === true ? await makePage(server, fields) : await makeApp(server, fields, asCreator);
    const members = [
      { uid: 'w-none', access: 'none' },
      { uid: 'w-read', access: 'read' },
      { uid: 'w-write', access: 'write' },
      { uid: 'w-author', access: 'write' },
      { uid: 'w-moderator', access: 'write', role: 'moderator' },
    ];
    const answer = await server.call('POST', `/api/apps/${app.id}/members`, members);
    assert.equal(answer.status, 204);
    made[type] = app;
  }
  const [app, files, posts] = [made['comments'], made['files'], made['posts']];
  assert.ok(app !== undefined && files !== undefined && posts !== undefined);
  const comment = await makeComment(server, app.id, { text: 'leaking words', tags: ['world'] }, asAuthor);
  const file = await makeFile(server, files.id, asAuthor);
  const post = await makePost(server, posts.id, asAuthor);
  for (const { id } of [app, files, posts]) {
    await server.call('DELETE', `/api/apps/${id}/members/w-author`);
    if (state.isTrashed) await server.call('POST', `/api/apps/${id}/trash`);
  }
  return {
    ...state,
    name,
    app: { id: app.id, uid: app.uid },
    file,
    post,
    comment: comment.id,
    apps: [app.uid, files.uid, posts.uid],
  };
}

/** The world with everybody twice: as they are, and asking for the second form. */
export function inEachForm(world: World): World {
  const second = world.callers.map(
    (caller): Caller => ({
      ...caller,
      name: `${caller.name}, in the second form`,
      headers: { ...caller.headers, 'x-weavy-source': '@weavy/uikit-web@32.2.0' },
      isOfSecondForm: true,
    }),
  );
  return { ...world, callers: [...world.callers, ...second] };
}

/** Makes the world of the matrix: each access, live and in the trash. */
export async function makeWorld(server: TestServer, elapse: () => void): Promise<World> {
  for (const name of ['here', 'elsewhere']) await makeDirectory(server, name);
  await makeUser(server, { directory: 'here' }, 'w-spare');
  const callers = await makeCallers(server, elapse);
  const places: Place[] = [];
  for (const access of ['none', 'read', 'write'] as const satisfies readonly Access[])
    for (const isTrashed of [false, true]) places.push(await makePlace(server, { access, isTrashed }));
  return { callers, places };
}
