import assert from 'node:assert/strict';
import { makeDirectory, makeUser } from 'confab-testing/fixtures.ts';
import { freshUid, type TestServer } from 'confab-testing/server.ts';
import { upload } from 'confab-testing/uploads.ts';

/** The kinds of things whose events repeat what users wrote. */
const kinds = [
  'comment',
  'comment on a post',
  'comment on a file',
  'post',
  'message',
  'file',
  'reaction',
  'option',
  'app',
] as const;
type Kind = (typeof kinds)[number];

/** What is done to things of every kind, and to some. */
const deedsOfAll = ['nothing', 'edited', 'app trashed', 'app restored', 'app deleted'] as const;
const deedsOfContent = [
  'held',
  'held and approved',
  'edited and held',
  'trashed by its author',
  'trashed by a moderator',
  'trashed and restored',
  'deleted',
] as const;
const deedsBelow = ['parent trashed', 'parent restored', 'parent held', 'parent deleted'] as const;
type Deed =
  | (typeof deedsOfAll)[number]
  | (typeof deedsOfContent)[number]
  | (typeof deedsBelow)[number]
  | 'withdrawn';

function deedsTo(kind: Kind): Deed[] {
  if (kind === 'app') return [...deedsOfAll];
  const deeds: Deed[] = [...deedsOfAll, ...deedsOfContent];
  if (kind.startsWith('comment on')) return [...deeds, ...deedsBelow];
  return kind === 'reaction' ? [...deeds, 'withdrawn'] : deeds;
}

/** Who reads; the `late` user is created after everything was done, and `lost` then loses the access to every app. */
export const readerNames = [
  'author',
  'writer',
  'late',
  'moderator',
  'manager',
  'key',
  'elsewhere',
  'lost',
] as const;
/** One of them. */
export type ReaderName = (typeof readerNames)[number];

/** A reader with a credential. */
export type Reader = { readonly name: ReaderName; readonly uid: string; readonly token: string };

/** A thing with what its events are found and recognised by. */
export type Thing = {
  readonly kind: Kind;
  readonly deed: Deed;
  readonly app: number;
  /** The address at which it is read, without a query. */
  readonly address: string;
  /** The name under which events have it, and its id. */
  readonly entity: string;
  readonly id: number;
  /** The address of what is held, trashed or deleted: the thing itself, or what it is to. */
  readonly target: string;
  readonly parent: string | undefined;
  /** What it said at first, and after it was edited. */
  readonly first: string;
  readonly second: string;
  readonly edit: object;
};

/** The readers who are there before anything is done. */
export async function makeReaders(server: TestServer): Promise<Map<ReaderName, Reader>> {
  for (const name of ['here', 'elsewhere']) await makeDirectory(server, name);
  const readers = new Map<ReaderName, Reader>([['key', { name: 'key', uid: '', token: server.key }]]);
  for (const name of ['author', 'writer', 'moderator', 'manager', 'elsewhere', 'lost'] as const) {
    const { uid, token } = await makeUser(server, { directory: name === 'elsewhere' ? name : 'here' });
    readers.set(name, { name, uid, token });
  }
  return readers;
}

/** A user of the directory of the apps who joins when all is done. */
export async function makeLateReader(server: TestServer): Promise<Reader> {
  const { uid, token } = await makeUser(server, { directory: 'here' });
  return { name: 'late', uid, token };
}

const typeOf = {
  comment: 'comments',
  'comment on a post': 'posts',
  'comment on a file': 'files',
  post: 'posts',
  message: 'chat',
  file: 'files',
  reaction: 'comments',
  option: 'comments',
  app: 'comments',
} as const satisfies { readonly [K in Kind]: string };

/** Makes a thing of each kind for each deed, all of them by the author, each in an app of its own. */
export async function makeThings(
  server: TestServer,
  readers: ReadonlyMap<ReaderName, Reader>,
): Promise<Thing[]> {
  const things: Thing[] = [];
  for (const kind of kinds)
    for (const deed of deedsTo(kind)) things.push(await makeThing(server, readers, { kind, deed }));
  return things;
}

let words = 0;

function freshWord(name: string): string {
  words += 1;
  return `${name}${String(words).padStart(4, '0')}q`;
}

async function makeThing(
  server: TestServer,
  readers: ReadonlyMap<ReaderName, Reader>,
  { kind, deed }: Pick<Thing, 'kind' | 'deed'>,
): Promise<Thing> {
  const as = { as: tokenOf(readers, 'author') };
  const [first, second] = [freshWord('first'), freshWord('second')];
  const uid = freshUid('app');
  const app = await server.create('/api/apps', {
    uid,
    type: typeOf[kind],
    access: 'write',
    directory: 'here',
    ...(kind === 'app' ? { name: first } : {}),
  });
  const members = (['author', 'writer', 'moderator', 'manager', 'lost'] as const).map((name) => ({
    uid: readers.get(name)?.uid,
    access: 'write',
    ...(name === 'moderator' || name === 'manager' ? { role: name } : {}),
  }));
  const { status } = await server.call('POST', `/api/apps/${app.id}/members`, members);
  assert.equal(status, 204);
  const made = { kind, deed, app: app.id, first, second, parent: undefined, edit: { text: second } };
  const at = (entity: string, id: number) => {
    const address = `/api/${entity}s/${id}`;
    return { entity, id, address, target: address };
  };
  const fileNamed = async (name: string) => {
    const blob = await upload(server, { name: `${name}.txt` }, as);
    return (await server.create(`/api/apps/${app.id}/files`, { blob_id: blob.id }, as)).id;
  };
  if (kind === 'app') return { ...made, ...at('app', app.id), edit: { name: second } };
  if (kind === 'file')
    return { ...made, ...at('file', await fileNamed(first)), edit: { name: `${second}.txt` } };
  if (kind === 'post' || kind === 'message') {
    const { id } = await server.create(
      `/api/apps/${app.id}/${kind}s` as '/api/apps/1/posts',
      { text: first },
      as,
    );
    return { ...made, ...at(kind, id) };
  }
  if (kind === 'comment on a post' || kind === 'comment on a file') {
    const parent =
      kind === 'comment on a post'
        ? `/api/posts/${(await server.create(`/api/apps/${app.id}/posts`, { text: 'a post' }, as)).id}`
        : `/api/files/${await fileNamed(freshUid('file'))}`;
    const { id } = await server.create(`${parent}/comments` as '/api/posts/1/comments', { text: first }, as);
    return { ...made, parent, ...at('comment', id) };
  }
  const options = kind === 'option' ? { options: [{ text: first }] } : {};
  const text = kind === 'comment' ? first : 'something to react to';
  const comment = await server.create(`/api/apps/${app.id}/comments`, { text, ...options }, as);
  const target = `/api/comments/${comment.id}`;
  if (kind === 'comment') return { ...made, ...at('comment', comment.id) };
  if (kind === 'option') {
    const id = comment.options[0]?.id ?? 0;
    await server.call('POST', `/api/options/${id}/vote`, undefined, as);
    return { ...made, ...at('option', id), target, edit: { options: [{ id, text: second }] } };
  }
  const emoji = '🦄';
  await server.call('POST', `${target}/reactions` as '/api/comments/1/reactions', { content: emoji }, as);
  const { body } = await server.call('GET', target as '/api/comments/1');
  const id = body.reactions[0]?.id ?? 0;
  return { ...made, ...at('reaction', id), target, first: emoji, edit: { text: 'another text' } };
}

function tokenOf(readers: ReadonlyMap<ReaderName, Reader>, name: ReaderName): string {
  return readers.get(name)?.token ?? '';
}

/** Does to a thing what it is for. */
export async function doDeed(
  server: TestServer,
  readers: ReadonlyMap<ReaderName, Reader>,
  thing: Thing,
): Promise<void> {
  const { deed, target, parent, app, kind } = thing;
  const call = async (method: string, path: string, by: ReaderName, body?: unknown) => {
    const { status, text } = await server.call(method, path, body, { as: tokenOf(readers, by) });
    assert.ok(status < 300, `${method} ${path} for ${kind} ${deed}: ${status} ${text}`);
  };
  const editor = kind === 'app' ? 'manager' : 'author';
  const edit = () => call('PATCH', target, editor, thing.edit);
  const steps: { readonly [D in Deed]: () => Promise<void> } = {
    nothing: async () => {},
    edited: edit,
    held: () => call('POST', `${target}/hold`, 'moderator'),
    'held and approved': async () => {
      await call('POST', `${target}/hold`, 'moderator');
      await call('POST', `${target}/approve`, 'moderator');
    },
    'edited and held': async () => {
      await edit();
      await call('POST', `${target}/hold`, 'moderator');
    },
    'trashed by its author': () => call('POST', `${target}/trash`, 'author'),
    'trashed by a moderator': () => call('POST', `${target}/trash`, 'moderator'),
    'trashed and restored': async () => {
      await call('POST', `${target}/trash`, 'author');
      await call('POST', `${target}/restore`, 'author');
    },
    deleted: () => call('DELETE', target, 'author'),
    withdrawn: () => call('DELETE', thing.address, 'author'),
    'app trashed': () => call('POST', `/api/apps/${app}/trash`, 'key'),
    'app restored': async () => {
      await call('POST', `/api/apps/${app}/trash`, 'key');
      await call('POST', `/api/apps/${app}/restore`, 'key');
    },
    'app deleted': () => call('DELETE', `/api/apps/${app}`, 'key'),
    'parent trashed': () => call('POST', `${parent}/trash`, 'moderator'),
    'parent restored': async () => {
      await call('POST', `${parent}/trash`, 'moderator');
      await call('POST', `${parent}/restore`, 'moderator');
    },
    'parent held': () => call('POST', `${parent}/hold`, 'moderator'),
    'parent deleted': () => call('DELETE', `${parent}`, 'author'),
  };
  await steps[deed]();
}

/** Whether a thing or all that it is in was deleted permanently. */
export function isDeleted({ deed }: Thing): boolean {
  return deed === 'withdrawn' || deed.endsWith('deleted');
}
