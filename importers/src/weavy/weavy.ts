/**
 * Pulls everything that Confab can hold from a running Weavy server, by its documented interface and with one of its API
 * keys. Source: weavy.com/docs/reference, and the requests of `@weavy/uikit-web` 21 and 32, which stand for the two forms
 * in which servers answer; the fields of both are read, whichever come.
 *
 * It asks for nothing but pages of JSON, one after another, so that a server that is in use is not held up. The bytes of
 * files are read when they are written.
 */
import { type WeavyFields, weavyFields } from './weavy-fields.ts';
import { readAppFile, readEntry, type WeavyPlace, type WeavyReading } from './weavy-items.ts';
import { type AskWeavy, createWeavyLists } from './weavy-lists.ts';
import { readApps, readDirectories, readUser } from './weavy-people.ts';
import type {
  WeavyApp,
  WeavyAppFile,
  WeavyEntry,
  WeavyExport,
  WeavyLeftOut,
  WeavyUser,
} from './weavy-records.ts';

/** The server to read: `address` is where it is, without a slash at the end. */
export type WeavyServer = {
  readonly address: string;
  readonly ask: AskWeavy;
  /** Is told from time to time how much was read. */
  readonly onProgress?: (words: string) => void;
};

/** Reads the whole server. Throws an `ImportError` where it cannot go on; nothing is written until all is read. */
export async function readWeavy(server: WeavyServer): Promise<WeavyExport> {
  const { address, ask, onProgress = () => {} } = server;
  const lists = createWeavyLists(ask, address);
  const rest: WeavyLeftOut = { embeds: 0, meetings: 0, versions: 0, pictures: 0, unlisted: 0 };
  const reading: WeavyReading = { lists, address, rest, named: new Map() };
  const directories = await readDirectories(lists);
  const readListed = (fields: WeavyFields) => {
    if (fields.id('picture_id') !== undefined || fields.text('avatar_url') !== undefined) rest.pictures += 1;
    return readUser(fields, directories);
  };
  const query = { trashed: 'null', suspended: 'null' };
  const users = (await lists.all({ path: '/api/users', what: 'user', query }, readListed)) ?? [];
  onProgress(`${users.length} users`);
  const apps = await readApps(lists, directories);
  const items: WeavyExport['items'][number][] = [];
  for (const app of apps) {
    if (app.type === undefined || app.isTrashed) continue;
    for await (const item of itemsOf(reading, app)) items.push(item);
    onProgress(`${items.length} items of ${apps.length} apps`);
  }
  for (const { members } of apps) for (const { userId } of members) addNamed(reading, userId);
  return {
    source: `weavy:${address.replace(/^https?:\/\//i, '').toLowerCase()}`,
    users: [...users, ...(await readNamed(reading, users))],
    apps,
    items,
    unreadable: lists.unreadable,
    rest,
    notes: lists.notes,
  };
}

function addNamed({ named }: WeavyReading, id: string): void {
  if (!named.has(id)) named.set(id, undefined);
}

/** The users that something names and no list has, such as deleted ones. */
async function readNamed(reading: WeavyReading, listed: readonly WeavyUser[]): Promise<WeavyUser[]> {
  const { named, lists } = reading;
  for (const { id } of listed) named.delete(id);
  const found: WeavyUser[] = [];
  for (const [id, user] of named) {
    const asked =
      user === undefined && /^[1-9]/.test(id)
        ? await lists.get(`/api/users/${encodeURIComponent(id)}`)
        : undefined;
    const read =
      asked === undefined ? user : lists.one(`user ${id}`, () => readUser(weavyFields(asked, 'the user')));
    found.push(read ?? goneUser(id));
  }
  return found;
}

/** A user of whom nothing but the id is left. */
function goneUser(id: string): WeavyUser {
  const nothing = { uid: undefined, email: undefined, directory: undefined, metadata: undefined, tags: [] };
  return { id, name: 'Deleted user', ...nothing, isBot: false, isSuspended: true, isTrashed: false };
}

/** The list of the items of an app of each type. */
const listOf = {
  chat: ['message', 'messages'],
  chat_room: ['message', 'messages'],
  private_chat: ['message', 'messages'],
  agent_chat: ['message', 'messages'],
  comments: ['comment', 'comments'],
  posts: ['post', 'posts'],
} as const;

/** Everything that an app holds, what comments are on before them. */
async function* itemsOf(reading: WeavyReading, app: WeavyApp): AsyncGenerator<WeavyEntry | WeavyAppFile> {
  const { id, type } = app;
  if (type === undefined) return;
  const path = `/api/apps/${encodeURIComponent(id)}`;
  const found =
    type === 'files'
      ? await filesOf(reading, id, `${path}/files`)
      : await entriesOf(
          reading,
          { appId: id, parent: undefined, kind: listOf[type][0] },
          `${path}/${listOf[type][1]}`,
        );
  yield* found.map(({ item }) => item);
  for (const { item, comments } of found) {
    if (item.isTrashed || comments === 0 || (item.kind !== 'post' && item.kind !== 'file')) continue;
    const place = { appId: id, parent: { kind: item.kind, id: item.id }, kind: 'comment' } as const;
    const below = await entriesOf(
      reading,
      place,
      `/api/${item.kind}s/${encodeURIComponent(item.id)}/comments`,
    );
    yield* below.map((each) => each.item);
  }
}

/** An item, and how many comments it says that it has. */
type Found = { readonly item: WeavyEntry | WeavyAppFile; readonly comments: number | undefined };

async function entriesOf(
  reading: WeavyReading,
  place: WeavyPlace & { readonly kind: WeavyEntry['kind'] },
  path: string,
): Promise<Found[]> {
  const list = { path, what: place.kind, query: { trashed: 'null', order_by: 'id' } };
  const found = await reading.lists.all(list, async (fields) => ({
    item: await readEntry(reading, fields, place),
    comments: fields.count('comment_count', 'comments'),
  }));
  return found ?? [];
}

async function filesOf(reading: WeavyReading, appId: string, path: string): Promise<Found[]> {
  const list = { path, what: 'file', query: { trashed: 'null', order_by: 'name' } };
  const found = await reading.lists.all(list, (fields) => {
    return { item: readAppFile(reading, fields, appId), comments: fields.count('comment_count', 'comments') };
  });
  return found ?? [];
}
