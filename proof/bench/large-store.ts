import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWriter } from 'confab-server/src/db/sqlite/sqlite.ts';
import { searchTables } from 'confab-server/src/db/sqlite/traces.ts';
import { type ConfabProcess, startConfab } from 'confab-testing/harness/confab-process.ts';
import { multiply, Preparation, type World } from '../requests/world.ts';
import { commentTexts } from './comment-texts.ts';
import { Filler } from './store-filler.ts';

/**
 * Makes a store with as many comments as asked for in one app and as many again over 1,000 apps, and with many of
 * everything else: what is little through the interface of a server, what is much straight into its tables.
 */

/** How many there are of each kind that is listed. */
export type Sizes = ReturnType<typeof sizesOf>;

function sizesOf(comments: number) {
  return {
    comments,
    /** Over which the second half of the comments is spread, and all that there are. */
    smallApps: 1000,
    apps: Math.max(1000, comments / 100),
    /** Those that every user may read. */
    openApps: 20,
    users: comments / 10,
    posts: comments / 100,
    postComments: comments / 10,
    /** Below one comment, one below the other, and as threads with three answers each. */
    wideAnswers: comments / 10,
    deepAnswers: comments / 100,
    threads: comments / 100,
    messages: comments / 10,
    rooms: comments / 1000,
    files: comments / 100,
    directories: comments / 1000,
    webhooks: comments / 1000,
    /** Events, notifications of one user and deliveries of one webhook. */
    events: comments / 10,
  } as const;
}

/** How many comments a tiny app has, which are the same whatever else is in the store. */
const tinyComments = 200;
/** How many tiny apps there are. */
const tinyApps = 5;

/** The ids of what the requests that are measured name. */
export type LargeWorld = {
  readonly sizes: Sizes;
  /** The app with most comments, one of the 1,000, those with posts, files and messages, and a room. */
  readonly big: number;
  readonly small: number;
  readonly postsApp: number;
  readonly filesApp: number;
  readonly chat: number;
  readonly room: number;
  /** Apps with one comment that has many answers, with one long chain of them, and with many threads; the two comments. */
  readonly threads: { readonly [app in 'wide' | 'deep' | 'many']: number } & {
    readonly roots: readonly number[];
  };
  readonly tiny: readonly number[];
  readonly webhook: number;
  /** The directory of all users that were made. */
  readonly directory: number;
  /** What the requests at their limits are about (`proof/requests`); nothing where there are no comments. */
  readonly atLimits: World;
};

/** What is made through the interface. */
type Beginnings = Omit<LargeWorld, 'sizes' | 'small' | 'room' | 'threads' | 'atLimits'> & {
  readonly threads: Omit<LargeWorld['threads'], 'roots'>;
  readonly atLimits: World;
  readonly reader: number;
};

/** Makes the store in `folder`, or finds the one that was made there before with as many comments. */
export async function largeStore(folder: string, comments: number): Promise<LargeWorld> {
  const noted = join(folder, 'world.json');
  if (existsSync(noted)) {
    const world = JSON.parse(readFileSync(noted, 'utf8')) as LargeWorld;
    if (world.sizes.comments === comments) return world;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = await startConfab({
    folder,
    settings: { CONFAB_LOG_LEVEL: 'error', CONFAB_EGRESS_ALLOW: '127.0.0.0/8' },
  });
  const begun = await beginnings(server, comments > 0).finally(() => server.stop());
  const world = comments === 0 ? smallWorld(begun) : fill(join(folder, 'data/confab.db'), begun, comments);
  writeFileSync(noted, JSON.stringify(world));
  return world;
}

function smallWorld({ reader: _reader, ...begun }: Beginnings): LargeWorld {
  const threads = { ...begun.threads, roots: [] };
  return { ...begun, threads, sizes: sizesOf(0), small: 0, room: 0 };
}

/** Makes the tiny apps, the others that requests name, and what requests at their limits are about. */
async function beginnings(server: ConfabProcess, isLarge: boolean): Promise<Beginnings> {
  const preparation = new Preparation(server);
  const made = async (path: string, body: object) => Number((await preparation.call('POST', path, body)).id);
  const directory = await made('/api/directories', { name: 'large' });
  const user = async (uid: string) =>
    Number(
      (await preparation.call('PUT', `/api/users/${uid}`, { name: `The ${uid}`, directory: 'large' })).id,
    );
  // The reader is a member of everything; the guest sees the open apps alone.
  const [reader] = [await user('reader'), await user('guest')];
  const app = async (uid: string, type = 'comments') => {
    const id = await made('/api/apps', { uid: `size-${uid}`, type });
    await preparation.call('PUT', `/api/apps/${id}/members/reader`, { access: 'write' });
    return id;
  };
  const tiny: number[] = [];
  const texts = commentTexts(tinyComments);
  for (let n = 1; n <= tinyApps; n += 1) {
    const id = await app(`tiny-${n}`);
    for (const text of texts) await made(`/api/apps/${id}/comments`, { text, tags: ['t'] });
    tiny.push(id);
  }
  const webhook = await made('/api/webhooks', {
    payload_url: 'http://127.0.0.1:9/',
    triggers: ['comments'],
    enabled: false,
  });
  const begun = {
    ...{ reader, directory, tiny, webhook },
    big: await app('big'),
    postsApp: await app('posts', 'posts'),
    filesApp: await app('files', 'files'),
    chat: await app('chat', 'chat'),
    threads: { wide: await app('wide'), deep: await app('deep'), many: await app('threads') },
    atLimits: isLarge ? await preparation.fill() : {},
  };
  await preparation.close();
  return begun;
}

/** Fills the tables of a store that no server has open. */
function fill(file: string, { reader, ...begun }: Beginnings, comments: number): LargeWorld {
  const sizes = sizesOf(comments);
  const { big, postsApp, filesApp, chat, threads, directory, webhook } = begun;
  const atLimits = multiply(file, begun.atLimits);
  const database = openWriter(file);
  database.exec('pragma synchronous = off');
  database.exec('pragma cache_size = -1048576');
  const people = new Filler(database, []);
  const users = people.users(sizes.users, directory);
  const filler = new Filler(database, users.slice(0, 2000));
  const apps = filler.apps(sizes.apps, { type: 'comments', openMax: sizes.openApps });
  const rooms = filler.apps(sizes.rooms, { type: 'chat_room', openMax: 0 });
  filler.members([...apps, ...rooms], [reader]);
  filler.members(rooms, users.slice(0, 20));
  filler.members([big], users);
  filler.stars(reader, apps);
  const commentOn = (parentType: string, parentId: number, appId = parentId) => ({
    kind: 'comment' as const,
    ...{ appId, parentType, parentId },
  });
  const smallApps = apps.slice(0, sizes.smallApps);
  // Written in turn, as apps are: the comments of one app do not lie next to each other.
  const listed = filler.entries(2 * comments, (n) =>
    commentOn('app', n % 2 === 0 ? big : (filler.random.pick(smallApps) ?? big)),
  );
  filler.places(big, comments / 100);
  const inApp = (appId: number) => ({ appId, parentType: 'app', parentId: appId });
  const posts = filler.entries(sizes.posts, () => ({ kind: 'post', ...inApp(postsApp) }));
  filler.entries(sizes.postComments, (n) => commentOn('post', posts[n % posts.length] ?? 0, postsApp));
  filler.entries(sizes.messages + rooms.length, (n) => ({
    kind: 'message',
    ...inApp(n < rooms.length ? (rooms[n] ?? 0) : chat),
  }));
  const roots = [
    ...filler.threads(threads.wide, { count: 1, answers: sizes.wideAnswers, isChain: false }),
    ...filler.threads(threads.deep, { count: 1, answers: sizes.deepAnswers, isChain: true }),
  ];
  filler.threads(threads.many, { count: sizes.threads, answers: 3, isChain: false });
  filler.files(sizes.files, filesApp);
  filler.directories(sizes.directories);
  filler.webhooks(sizes.webhooks);
  const told = Array.from({ length: sizes.events }, (_, n) => listed[2 * n] ?? 0);
  filler.log(told, { appId: big, userId: reader, webhookId: webhook });
  filler.count();
  // As a move does, which fills a store in the same way.
  for (const table of searchTables) database.exec(`insert into ${table} (${table}) values ('optimize')`);
  database.close();
  return {
    ...begun,
    threads: { ...threads, roots },
    atLimits,
    sizes,
    small: smallApps[0] ?? 0,
    room: rooms[0] ?? 0,
  };
}
