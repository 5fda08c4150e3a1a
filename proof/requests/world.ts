import { DatabaseSync } from 'node:sqlite';
import { type Body, Client } from 'confab-testing/harness/client.ts';
import type { ConfabProcess } from 'confab-testing/harness/confab-process.ts';
import { inParallel } from 'confab-testing/harness/parallel.ts';

/** How much there is in the store: more than most have, so that what grows with it is seen. */
export const sizes = {
  colleagues: 5000,
  openApps: 4000,
  comments: 8000,
  posts: 2000,
  messages: 2000,
  files: 1000,
  longComments: 100,
  rooms: 100,
} as const;

/** The most members that one request adds. */
const membersAtOnce = 1000;
/** How many requests prepare the store at a time. */
const atOnce = 50;
/** The directory of everyone. */
export const directory = 'acme';
/** The user whose requests are measured. */
export const me = 'ada';

/** The ids of what requests are about, by kind. The first of a kind has the most to it. */
export type World = { readonly [kind: string]: number[] };

/** Calls the server while it is prepared, many requests at a time. */
export class Preparation {
  readonly #server: ConfabProcess;
  /** By the user on whose behalf it sends requests; with the API key alone under the empty name. */
  readonly #clients = new Map<string, Client>();

  constructor(server: ConfabProcess) {
    this.#server = server;
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
  }

  /** Sends one request with the API key, on behalf of a user if one is named; throws unless it succeeds. */
  async call(method: 'POST' | 'PUT', path: string, body: unknown, user = ''): Promise<Body> {
    const client = this.#clients.get(user) ?? new Client(this.#server, { connections: atOnce, user });
    this.#clients.set(user, client);
    return await client.must(method, path, body);
  }

  /** An access token of the user whose requests are measured. */
  async token(): Promise<string> {
    const issued = await this.call('POST', `/api/users/${me}/tokens`, { expires_in: 86_400 });
    return String(issued['access_token']);
  }

  /** Makes so many of something; returns their ids in ascending order. */
  async #many(count: number, make: (n: number) => Promise<Body>): Promise<number[]> {
    const made = await inParallel({ count, atOnce }, (number) => make(number + 1));
    return made.map(({ id }) => Number(id)).sort((a, b) => a - b);
  }

  /** Makes everything but the rows of `multiply`. */
  async fill(): Promise<World> {
    await this.call('PUT', `/api/users/${me}`, { name: 'Ada Lovelace', directory, tags: ['t'] });
    const app = async (uid: string, type: string, more: Body = {}) =>
      Number((await this.call('POST', '/api/apps', { uid, type, directory, ...more }, me)).id);
    await this.#many(sizes.colleagues, (n) =>
      this.call('PUT', `/api/users/colleague-${n}`, { name: `Colleague ${n} c`, directory, tags: ['t'] }),
    );
    const [own, long, posts, files] = [
      await app('own', 'comments', { access: 'write', tags: ['t'] }),
      await app('long', 'comments'),
      await app('posts', 'posts'),
      await app('files', 'files'),
    ];
    const chat = await app('chat', 'chat', { access: 'write' });
    await this.#many(sizes.openApps, (n) =>
      this.call('POST', '/api/apps', {
        uid: `open-${n}`,
        type: 'comments',
        name: `Open ${n} c`,
        access: 'write',
        directory,
        tags: ['t'],
      }),
    );
    const rooms = await this.#many(sizes.rooms, (n) =>
      this.call('POST', '/api/apps', { uid: `room-${n}`, type: 'chat_room' }, me),
    );
    for (let from = 1; from <= sizes.colleagues; from += membersAtOnce)
      await this.call(
        'POST',
        `/api/apps/${rooms[0]}/members`,
        Array.from({ length: membersAtOnce }, (_, n) => ({ uid: `colleague-${from + n}` })),
      );
    const entry = (path: string, count: number, text: (n: number) => string, user = me) =>
      this.#many(count, (n) => this.call('POST', path, { text: text(n), tags: ['t'] }, user));
    const options = Array.from({ length: 50 }, (_, n) => ({ text: `${n} `.padEnd(512, 'o') }));
    const poll = await this.call('POST', `/api/apps/${own}/comments`, { text: 'A poll', options }, me);
    const comments = await entry(`/api/apps/${own}/comments`, sizes.comments, (n) => `c comment ${n}`);
    // Each of these signs becomes six characters of HTML.
    await entry(`/api/apps/${long}/comments`, sizes.longComments, () => '"'.repeat(64 * 1024));
    return {
      app: [own, rooms[1] ?? 0],
      room: rooms,
      chat: [chat],
      postsApp: [posts],
      filesApp: [files],
      long: [long],
      comment: [Number(poll.id), ...comments],
      option: (poll.options as { id: number }[]).map(({ id }) => id),
      post: await entry(`/api/apps/${posts}/posts`, sizes.posts, (n) => `c post ${n}`),
      message: await entry(
        `/api/apps/${chat}/messages`,
        sizes.messages,
        (n) => `c message ${n}`,
        'colleague-1',
      ),
      file: await this.#many(sizes.files, async (n) => {
        const link = `https://files.example.com/${n}`;
        const blob = await this.call(
          'POST',
          '/api/blobs/external',
          { provider: 'p', link, name: `c ${n}.txt` },
          me,
        );
        return await this.call('POST', `/api/apps/${files}/files`, { blob_id: blob.id, tags: ['t'] }, me);
      }),
    };
  }
}

/**
 * Puts rows into a store that no server has open, where making them by requests would take minutes: the members of the
 * first room into every other, a vote of every colleague for the first option, and a reaction of each to the first
 * comment.
 */
export function multiply(file: string, world: World): World {
  const database = new DatabaseSync(file);
  const [room, comment, option] = [
    world['room']?.[0] ?? 0,
    world['comment']?.[0] ?? 0,
    world['option']?.[0] ?? 0,
  ];
  const colleagues = `select id from users where uid like 'colleague-%'`;
  database.exec(`
    begin;
    insert into members (app_id, user_id, access, created_at)
      select apps.id, members.user_id, members.access, members.created_at from apps, members
      where apps.type = 'chat_room' and members.app_id = ${room} on conflict do nothing;
    update tallies set live = (select count(*) from members where app_id = ${room})
      where parent_type = 'app' and kind = 'member' and parent_id in (select id from apps where type = 'chat_room');
    insert into votes (entry_id, user_id, option_id, created_at)
      select ${comment}, id, ${option}, created_at from users where id in (${colleagues});
    update options set vote_count = (select count(*) from votes where option_id = ${option}) where id = ${option};
    insert into reactions (entry_id, content, created_at, created_by_id)
      select ${comment}, '👍', created_at, id from users where id in (${colleagues});
    update entries set reaction_count = ${sizes.colleagues} where id = ${comment};
    commit;`);
  const reaction = database.prepare('select min(id) as id from reactions').get() as { id: number };
  const notification = database.prepare('select id from notifications limit 100').all() as { id: number }[];
  database.close();
  return { ...world, reaction: [reaction.id], notification: notification.map(({ id }) => id) };
}
