import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openWriter } from '../../src/db/sqlite.ts';
import { entryWords } from '../../src/features/entries/entry-index.ts';
import { renderContent } from '../../src/features/entries/entry-json.ts';
import { fileWords } from '../../src/features/files/file-words.ts';
import { sortKey } from '../../src/kernel/fold.ts';
import { Client } from '../harness/client.ts';
import { startConfab } from '../harness/confab-process.ts';
import { seededRandom } from '../harness/random.ts';
import { drawWords, vocabularySize, wordOfRank } from './comment-texts.ts';

/**
 * Makes a store with as many comments as asked for in one app and as many again over 1,000 apps: what is little through
 * the interface of a server, what is much straight into its tables.
 */

/** What the requests that are measured name. */
export type LargeWorld = {
  readonly comments: number;
  /** The app with most comments, one of the 1,000, and those with posts, files and messages. */
  readonly big: number;
  readonly small: number;
  readonly postsApp: number;
  readonly filesApp: number;
  readonly chat: number;
  readonly webhook: number;
};

/** How many there are of what does not grow with the comments. */
const counts = { apps: 1000, openApps: 20, users: 2000 } as const;

const seed = 7;
const perTransaction = 2000;
const wordsPerText = { from: 10, to: 60 } as const;
/** One in so many comments is in the trash, was edited, has the tag. */
const oneIn = { trashed: 100, modified: 20, tagged: 50 } as const;
const firstAt = Date.UTC(2024, 0, 1);
/** Time between two comments, in milliseconds. */
const stepMs = 10_000;

/** Makes the store in `folder`, or finds the one that was made there before with as many comments. */
export async function largeStore(folder: string, comments: number): Promise<LargeWorld> {
  const noted = join(folder, 'world.json');
  if (existsSync(noted)) {
    const world = JSON.parse(readFileSync(noted, 'utf8')) as LargeWorld;
    if (world.comments === comments) return world;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const world = await beginnings(folder, comments);
  const database = openWriter(join(folder, 'data/confab.db'));
  database.exec('pragma synchronous = off');
  const filler = new Filler(database, world);
  filler.fill();
  database.close();
  writeFileSync(noted, JSON.stringify(world));
  return world;
}

/** Makes users, apps and their members through the interface. */
async function beginnings(folder: string, comments: number): Promise<LargeWorld> {
  const server = await startConfab({
    folder,
    settings: { CONFAB_LOG_LEVEL: 'error', CONFAB_EGRESS_ALLOW: '127.0.0.0/8' },
  });
  const client = new Client(server);
  const made = async (path: string, body: object) => Number((await client.must('POST', path, body))['id']);
  const put = (path: string, body?: object) => client.must('PUT', path, body);
  // The reader is a member of everything; the guest sees the open apps alone.
  for (const uid of ['reader', 'guest']) await put(`/api/users/${uid}`, { name: `The ${uid}` });
  for (let n = 1; n <= counts.users; n += 1)
    await put(`/api/users/user-${n}`, { name: `${wordOfRank(n)} ${wordOfRank(n * 2)}`, tags: ['t'] });
  const big = await made('/api/apps', { uid: 'big', type: 'comments' });
  const postsApp = await made('/api/apps', { uid: 'posts', type: 'posts' });
  const filesApp = await made('/api/apps', { uid: 'files', type: 'files' });
  const chat = await made('/api/apps', { uid: 'chat', type: 'chat' });
  let small = 0;
  for (let n = 1; n <= counts.apps; n += 1) {
    const access = n <= counts.openApps ? 'read' : 'none';
    small = await made('/api/apps', {
      uid: `small-${n}`,
      type: 'comments',
      access,
      name: `${wordOfRank(n)} ${n}`,
      tags: ['t'],
    });
    await put(`/api/apps/${small}/members/reader`);
  }
  for (const app of [big, postsApp, filesApp, chat]) await put(`/api/apps/${app}/members/reader`);
  const everyone = Array.from({ length: counts.users }, (_, n) => ({ uid: `user-${n + 1}` }));
  for (let from = 0; from < everyone.length; from += 500)
    await client.must('POST', `/api/apps/${big}/members`, everyone.slice(from, from + 500));
  const webhook = await made('/api/webhooks', {
    payload_url: 'http://127.0.0.1:9/',
    triggers: ['comments'],
    enabled: false,
  });
  await client.close();
  await server.stop();
  return { comments, big, small, postsApp, filesApp, chat, webhook };
}

type EntryRow = {
  readonly kind: 'comment' | 'post' | 'message';
  readonly appId: number;
  readonly parentType: string;
  readonly parentId: number;
};

/** Puts rows into a store that no server has open. */
class Filler {
  readonly #database: DatabaseSync;
  readonly #world: LargeWorld;
  readonly #random = seededRandom(seed);
  #made = 0;

  constructor(database: DatabaseSync, world: LargeWorld) {
    this.#database = database;
    this.#world = world;
  }

  fill(): void {
    const { comments, big, small, postsApp, filesApp, chat } = this.#world;
    const tenth = comments / 10;
    this.#rows(2 * comments, this.#entryAdder(), (n) => {
      // Written in turn, as apps are: those of one app do not lie next to each other.
      const app = n % 2 === 0 ? big : small - this.#random.integer(0, counts.apps - 1);
      return { kind: 'comment' as const, appId: app, parentType: 'app', parentId: app };
    });
    const firstPost = this.#made + 1;
    this.#rows(tenth / 10, this.#entryAdder(), () => ({
      kind: 'post' as const,
      appId: postsApp,
      parentType: 'app',
      parentId: postsApp,
    }));
    this.#rows(tenth, this.#entryAdder(), (n) => ({
      kind: 'comment' as const,
      appId: postsApp,
      parentType: 'post',
      parentId: firstPost + (n % (tenth / 10)),
    }));
    this.#rows(tenth, this.#entryAdder(), () => ({
      kind: 'message' as const,
      appId: chat,
      parentType: 'app',
      parentId: chat,
    }));
    this.#rows(tenth / 10, this.#fileAdder(), () => filesApp);
    this.#rows(tenth, this.#notificationAdder(), (n) => n);
    this.#count();
  }

  #text(): string {
    return drawWords(this.#random, this.#random.integer(wordsPerText.from, wordsPerText.to));
  }

  #rows<T>(count: number, add: (row: T, n: number) => void, row: (n: number) => T): void {
    for (let from = 0; from < count; from += perTransaction) {
      this.#database.exec('begin');
      for (let n = from; n < Math.min(count, from + perTransaction); n += 1) add(row(n), n);
      this.#database.exec('commit');
      if (from % (50 * perTransaction) === 0) console.error(`  ${from} of ${count}`);
    }
  }

  #entryAdder(): (row: EntryRow) => void {
    const insert = this.#database.prepare(`insert into entries (kind, app_id, parent_type, parent_id, content,
      created_at, created_by_id, modified_at, modified_by_id, trashed_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    const index = this.#database.prepare('insert into entry_search (rowid, words) values (?, ?)');
    const tag = this.#database.prepare('insert into entry_tags (app_id, tag, entry_id) values (?, ?, ?)');
    return (row) => {
      this.#made += 1;
      const plain = this.#text();
      const createdAt = firstAt + this.#made * stepMs;
      const author = this.#random.integer(2, counts.users);
      const at = (times: number) => (this.#random.oneIn(times) ? createdAt + 1000 : null);
      const [modifiedAt, trashedAt] = [at(oneIn.modified), at(oneIn.trashed)];
      const tags = this.#random.oneIn(oneIn.tagged) ? ['t'] : [];
      const content = { text: plain, html: `<p>${plain}</p>`, plain, tags };
      const facts = {
        appId: row.appId,
        attachmentCount: 0,
        optionCount: 0,
        createdAt,
        createdById: author,
        modifiedAt,
        modifiedById: modifiedAt === null ? null : author,
        trashedAt,
      };
      const { kind, appId, parentType, parentId } = row;
      const { lastInsertRowid: id } = insert.run(
        ...[kind, appId, parentType, parentId, renderContent(facts, content), createdAt, author],
        ...[modifiedAt, facts.modifiedById, trashedAt],
      );
      index.run(id, entryWords(row, content));
      for (const each of tags) tag.run(appId, each, id);
    };
  }

  #fileAdder(): (appId: number, n: number) => void {
    const blob =
      this.#database.prepare(`insert into blobs (key, name, media_type, size, created_at, created_by_id)
      values (?, ?, 'text/plain', ?, ?, 2)`);
    const file =
      this.#database.prepare(`insert into files (app_id, parent_type, parent_id, blob_id, name, name_key,
      created_at, created_by_id, modified_at) values (?, 'app', ?, ?, ?, ?, ?, 2, ?)`);
    const index = this.#database.prepare('insert into file_search (rowid, words) values (?, ?)');
    return (appId, n) => {
      const name = `${wordOfRank(n % vocabularySize)} ${n}.txt`;
      const at = firstAt + n * stepMs;
      const { lastInsertRowid: id } = blob.run(`blob-${n}`, name, this.#random.integer(1, 1e6), at);
      const modifiedAt = this.#random.oneIn(oneIn.modified) ? at + 1000 : null;
      const made = file.run(appId, appId, id, name, sortKey(name), at, modifiedAt);
      index.run(made.lastInsertRowid, fileWords(appId, name));
    };
  }

  /** A notification of the reader, its event, and a delivery of the event. */
  #notificationAdder(): (n: number) => void {
    const { big, webhook } = this.#world;
    const reader = this.#database.prepare("select id from users where uid = 'reader'").get()?.id ?? 0;
    const event =
      this.#database.prepare(`insert into events (action, actor_id, app_id, entity_type, entity_id, payload,
      created_at, is_silent) values ('comment_created', 2, ?, 'comment', ?, ?, ?, 1)`);
    const notification = this.#database.prepare(`insert into notifications (event_id, user_id, reason, action,
      actor_id, app_id, link_type, link_id, template, args, words, created_at, read_at)
      values (?, ?, 'mention', 'comment_created', 2, ?, 'comment', ?, '{0} mentioned you', '["A name"]', ?, ?, ?)`);
    const delivery =
      this.#database.prepare(`insert into deliveries (webhook_id, event_id, guid, action, trigger, status,
      attempts, delivered_at, duration_us, status_code, sequence, created_at)
      values (?, ?, ?, 'comment_created', 'comments', 'success', 1, ?, ?, 200, ?, ?)`);
    return (n) => {
      const at = firstAt + n * stepMs;
      const comment = 1 + 2 * n;
      const payload = JSON.stringify({ id: comment, text: this.#text() });
      const { lastInsertRowid: id } = event.run(big, comment, payload, at);
      const words = ` ${this.#text()} `;
      notification.run(id, reader, big, comment, words, at, this.#random.oneIn(10) ? null : at);
      delivery.run(webhook, id, `guid-${n}`, at, this.#random.integer(100, 1e6), n + 1, at);
    };
  }

  /** Counts everything at once, as the transactions that make it would have done. */
  #count(): void {
    this.#database.exec(`
      delete from tallies where kind in ('comment', 'post', 'message', 'file', 'notification', 'unread_notification');
      insert into tallies (parent_type, parent_id, kind, app_id, live, trashed)
        select parent_type, parent_id, kind, app_id, sum(trashed_at is null), sum(trashed_at is not null)
        from entries group by parent_type, parent_id, kind;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'app', app_id, 'file', app_id, count(*) from files group by app_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'user', user_id, 'notification', 0, count(*) from notifications group by user_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'user', user_id, 'unread_notification', 0, count(*) from notifications where read_at is null group by user_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'webhook', webhook_id, 'delivery', 0, count(*) from deliveries group by webhook_id on conflict do nothing;
      update apps set last_message_id = (select max(id) from entries where kind = 'message' and app_id = apps.id)
        where type = 'chat';
      update webhooks set sequence = (select max(sequence) from deliveries);
      update event_cursors set event_id = (select max(id) from events);`);
  }
}
