import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { payloadOf } from 'confab-server/src/events/events.ts';
import { appKeys, appWords } from 'confab-server/src/features/apps/app-index.ts';
import { entryWords } from 'confab-server/src/features/entries/entry-index.ts';
import { renderContent } from 'confab-server/src/features/entries/entry-json.ts';
import { fileWords } from 'confab-server/src/features/files/file-words.ts';
import { publicUserWords, userKeys, userWords } from 'confab-server/src/features/users/user-change.ts';
import { json } from 'confab-server/src/kernel/json.ts';
import { searchWords } from 'confab-server/src/kernel/search.ts';
import { sortKey } from 'confab-server/src/kernel/sort-key.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { drawWords, vocabularySize, wordOfRank } from './comment-texts.ts';

/** Puts rows into a store of SQLite that no server has open, as the transactions of a server would have left them. */

const seed = 7;
const perTransaction = 2000;
const wordsPerText = { from: 10, to: 60 } as const;
/** One in so many rows is in the trash, was edited, has the tag, is not read, or failed. */
const oneIn = { trashed: 100, modified: 20, tagged: 50, unread: 10, failed: 10 } as const;
const firstAt = Date.UTC(2024, 0, 1);
/** Time between two rows of a kind, in milliseconds. */
const stepMs = 10_000;

/** What an entry is and where it hangs. */
export type Place = {
  readonly kind: 'comment' | 'post' | 'message';
  readonly appId: number;
  readonly parentType: string;
  readonly parentId: number;
  /** The comment that it answers, and the one that began the thread. */
  readonly replyToId?: number | undefined;
  readonly rootId?: number | undefined;
};

/** Makes rows of one kind after the other. */
export class Filler {
  readonly random = seededRandom(seed);
  readonly #database: DatabaseSync;
  /** Who writes what is made. */
  readonly #authors: readonly number[];

  constructor(database: DatabaseSync, authors: readonly number[]) {
    this.#database = database;
    this.#authors = authors;
  }

  /** Runs `add` so many times, with a number from 0 on, many in a transaction; answers what it answered. */
  #make(what: string, count: number, add: (n: number) => number): number[] {
    const ids: number[] = [];
    for (let from = 0; from < count; from += perTransaction) {
      this.#database.exec('begin');
      for (let n = from; n < Math.min(count, from + perTransaction); n += 1) ids.push(add(n));
      this.#database.exec('commit');
      if (from % (50 * perTransaction) === 0 && count > perTransaction)
        console.error(`  ${from} of ${count} ${what}`);
    }
    return ids;
  }

  /** An insert of one row, which answers its id. */
  #insert(table: string, columns: string): (...values: SQLInputValue[]) => number {
    const marks = columns.replaceAll(/\w+/g, '?');
    const statement = this.#database.prepare(`insert into ${table} (${columns}) values (${marks})`);
    return (...values) => Number(statement.run(...values).lastInsertRowid);
  }

  #author(): number {
    return this.random.pick(this.#authors) ?? 1;
  }

  #text(): string {
    return drawWords(this.random, this.random.integer(wordsPerText.from, wordsPerText.to));
  }

  /** The time that one in some rows has besides, such as that of a change. */
  #sometimes(times: number, at: number): number | null {
    return this.random.oneIn(times) ? at + 1000 : null;
  }

  /** Entries, each where `place` says. */
  entries(count: number, place: (n: number) => Place): number[] {
    const insert = this.#insert(
      'entries',
      'kind, app_id, parent_type, parent_id, content, created_at, created_by_id, modified_at, modified_by_id, trashed_at, reply_to_id, root_id',
    );
    const index = this.#insert('entry_search', 'rowid, words');
    const tag = this.#insert('entry_tags', 'app_id, tag, entry_id');
    return this.#make('entries', count, (n) => {
      const at = place(n);
      const plain = this.#text();
      const createdAt = firstAt + n * stepMs;
      const author = this.#author();
      const modifiedAt = this.#sometimes(oneIn.modified, createdAt);
      const trashedAt = this.#sometimes(oneIn.trashed, createdAt);
      const modifiedById = modifiedAt === null ? null : author;
      const tags = this.random.oneIn(oneIn.tagged) ? ['t'] : [];
      const answers = { replyToId: at.replyToId ?? null, rootId: at.rootId ?? null };
      const content = { text: plain, html: `<p>${plain}</p>`, plain, tags };
      const facts = { appId: at.appId, createdAt, createdById: author, modifiedAt, modifiedById, trashedAt };
      const id = insert(
        ...[at.kind, at.appId, at.parentType, at.parentId],
        renderContent(
          {
            ...facts,
            ...{ attachmentCount: 0, optionCount: 0, heldAt: null, lockedAt: null },
            ...{ resolvedAt: null, resolvedById: null },
            ...answers,
          },
          content,
        ),
        ...[createdAt, author, modifiedAt, modifiedById, trashedAt],
        ...[answers.replyToId, answers.rootId],
      );
      index(id, entryWords(at, content));
      for (const each of tags) tag(at.appId, each, id);
      return id;
    });
  }

  /**
   * Threads in an app: as many as asked for, each with as many answers as asked for, to the first comment or each to the one
   * before.
   */
  threads(
    appId: number,
    { count, answers, isChain }: { count: number; answers: number; isChain: boolean },
  ): number[] {
    const place = { kind: 'comment', appId, parentType: 'app', parentId: appId } as const;
    const roots = this.entries(count, () => place);
    for (const rootId of roots) {
      const below: number[] = [];
      for (let from = 0; from < answers; from += isChain ? 1 : answers)
        below.push(
          ...this.entries(isChain ? 1 : answers, () => ({
            ...place,
            rootId,
            replyToId: isChain ? (below.at(-1) ?? rootId) : rootId,
          })),
        );
    }
    return roots;
  }

  /** Users of a directory, whose names are words. */
  users(count: number, directoryId: number): number[] {
    const insert = this.#insert(
      'users',
      'uid, name, name_key, display_name, display_name_key, email, directory_id, tags, created_at, modified_at, trashed_at',
    );
    const indexes = ['user_search', 'public_user_search'].map((name) => this.#insert(name, 'rowid, words'));
    const tag = this.#insert('user_tags', 'user_id, tag');
    return this.#make('users', count, (n) => {
      const [uid, name] = [`user-${n}`, `${wordOfRank(n % vocabularySize)} ${this.#word()}`];
      const names = { uid, name, displayName: name, givenName: null, familyName: null, nickname: null };
      const email = this.random.oneIn(2) ? `${uid}@example.com` : null;
      const keys = userKeys(names);
      const at = firstAt + n * stepMs;
      const tags = this.random.oneIn(oneIn.tagged) ? ['t'] : [];
      const id = insert(
        ...[uid, name, keys.nameKey, name, keys.displayNameKey, email, directoryId, JSON.stringify(tags)],
        ...[at, this.#sometimes(oneIn.modified, at), this.#sometimes(oneIn.trashed, at)],
      );
      const words = [userWords({ ...names, middleName: null, email }), publicUserWords(names)];
      for (const [place, add] of indexes.entries()) add(id, words[place] ?? '');
      for (const each of tags) tag(id, each);
      return id;
    });
  }

  /** Apps of a type, whose names are words; the first `openMax` of them are open to every user. */
  apps(count: number, { type, openMax }: { type: string; openMax: number }): number[] {
    const insert = this.#insert(
      'apps',
      'type, uid, access, name, name_key, display_name_key, tags, created_at, created_by_id, modified_at, trashed_at, by_key',
    );
    const index = this.#insert('app_search', 'rowid, words');
    const tag = this.#insert('app_tags', 'app_id, tag');
    return this.#make('apps', count, (n) => {
      const [uid, name] = [`${type}-${n}`, `${wordOfRank(n % vocabularySize)} ${this.#word()}`];
      const keys = appKeys({ uid, name });
      const at = firstAt + n * stepMs;
      const tags = this.random.oneIn(oneIn.tagged) ? ['t'] : [];
      const trashedAt = n < openMax ? null : this.#sometimes(oneIn.trashed, at);
      const id = insert(
        ...[type, uid, n < openMax ? 'read' : 'none', name, keys.nameKey, keys.displayNameKey],
        ...[JSON.stringify(tags), at, 1, this.#sometimes(oneIn.modified, at), trashedAt, 1],
      );
      index(id, appWords({ uid, name, description: null }));
      for (const each of tags) tag(id, each);
      return id;
    });
  }

  #word(): string {
    return wordOfRank(this.random.integer(0, vocabularySize - 1));
  }

  /** Makes each of some users a member of each of some apps. */
  members(appIds: readonly number[], userIds: readonly number[]): void {
    const insert = this.#insert('members', 'app_id, user_id, access, role, created_at');
    this.#make('members', appIds.length * userIds.length, (n) => {
      const [appId, userId] = [appIds[Math.floor(n / userIds.length)], userIds[n % userIds.length]];
      return insert(appId ?? 0, userId ?? 0, n % 3 === 0 ? 'read' : 'write', 'member', firstAt + n * stepMs);
    });
  }

  /** Stars of a user on some apps. */
  stars(userId: number, appIds: readonly number[]): void {
    const insert = this.#insert('stars', 'user_id, app_id');
    this.#make('stars', appIds.length, (n) => insert(userId, appIds[n] ?? 0));
  }

  /** Directories without users. */
  directories(count: number): void {
    const insert = this.#insert('directories', 'name, name_key, created_at');
    const index = this.#insert('directory_search', 'rowid, words');
    this.#make('directories', count, (n) => {
      const name = `${this.#word()} ${n}`;
      return index(insert(name, sortKey(name), firstAt + n * stepMs), searchWords(name));
    });
  }

  /** Webhooks that are not sent anything. */
  webhooks(count: number): void {
    const insert = this.#insert('webhooks', 'payload_url, is_enabled, created_at');
    const index = this.#insert('webhook_search', 'rowid, words');
    const trigger = this.#insert('webhook_triggers', 'webhook_id, trigger, position');
    this.#make('webhooks', count, (n) => {
      const url = `http://127.0.0.1:9/${this.#word()}/${n}`;
      const id = insert(url, 0, firstAt + n * stepMs);
      trigger(id, 'comments', 0);
      return index(id, searchWords(url));
    });
  }

  /** Files of an app. */
  files(count: number, appId: number): void {
    const blob = this.#insert('blobs', 'key, name, media_type, size, created_at, created_by_id');
    const file = this.#insert(
      'files',
      'app_id, parent_type, parent_id, blob_id, name, name_key, created_at, created_by_id, modified_at, trashed_at',
    );
    const index = this.#insert('file_search', 'rowid, words');
    const tag = this.#insert('file_tags', 'app_id, tag, file_id');
    this.#make('files', count, (n) => {
      const name = `${wordOfRank(n % vocabularySize)} ${n}.txt`;
      const at = firstAt + n * stepMs;
      const author = this.#author();
      const blobId = blob(`size-${n}`, name, 'text/plain', this.random.integer(1, 1e6), at, author);
      const times = [this.#sometimes(oneIn.modified, at), this.#sometimes(oneIn.trashed, at)];
      const id = file(appId, 'app', appId, blobId, name, sortKey(name), at, author, ...times);
      if (this.random.oneIn(oneIn.tagged)) tag(appId, 't', id);
      return index(id, fileWords(appId, name));
    });
  }

  /** Events about comments of an app, each with a notification of a user and a delivery of a webhook. */
  log(entryIds: readonly number[], to: { appId: number; userId: number; webhookId: number }): void {
    const { appId, userId, webhookId } = to;
    const event = this.#insert(
      'events',
      'action, actor_id, app_id, entity_type, entity_id, payload, created_at, is_silent',
    );
    const notification = this.#insert(
      'notifications',
      'event_id, user_id, reason, action, actor_id, app_id, link_type, link_id, template, args, words, created_at, read_at',
    );
    const delivery = this.#insert(
      'deliveries',
      'webhook_id, event_id, guid, action, trigger, status, attempts, delivered_at, duration_us, status_code, sequence, created_at',
    );
    this.#make('events', entryIds.length, (n) => {
      const [action, comment, at] = ['comment_created', entryIds[n] ?? 0, firstAt + n * stepMs];
      const text = this.#text();
      const payload = payloadOf({
        action: 'comment_created',
        actor: { id: 1, json: json('{"id":1,"uid":"system","display_name":"System"}') },
        appId,
        entity: { id: comment, json: json(JSON.stringify({ id: comment, text })) },
        at: at as UnixMs,
      });
      const id = event(action, 1, appId, 'comment', comment, payload, at, 1);
      const readAt = this.random.oneIn(oneIn.unread) ? null : at;
      const link = [action, 1, appId, 'comment', comment, '{0} mentioned you', '["A name"]'];
      notification(id, userId, 'mention', ...link, ` ${this.#text()} `, at, readAt);
      const isFailed = this.random.oneIn(oneIn.failed);
      const outcome = [isFailed ? 'failed' : 'delivered', 1, at, this.random.integer(100, 1e6)];
      const guid = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      return delivery(webhookId, id, guid, action, 'comments', ...outcome, isFailed ? 500 : 200, n + 1, at);
    });
  }

  /** Gives each thread of an app one of so many keys, and resolves every third. */
  places(appId: number, keys: number): void {
    this.#database.exec(`
      update entries set anchor_key = 'key-' || (id % ${keys}), anchor = '{"key":"key-' || (id % ${keys}) || '"}',
        resolved_at = iif(id % 3 = 0, created_at, null), resolved_by_id = iif(id % 3 = 0, created_by_id, null)
        where parent_type = 'app' and parent_id = ${appId} and root_id is null and kind = 'comment'`);
  }

  /** Counts everything anew, as the transactions that make it would have done. */
  count(): void {
    this.#database.exec(`
      begin;
      delete from tallies where kind in ('comment', 'answer', 'resolved', 'post', 'message', 'file', 'member',
        'user', 'notification', 'unread_notification', 'delivery');
      insert into tallies (parent_type, parent_id, kind, app_id, live, trashed)
        select parent_type, parent_id, kind, app_id, sum(trashed_at is null), sum(trashed_at is not null)
        from entries group by parent_type, parent_id, kind;
      insert into tallies (parent_type, parent_id, kind, app_id, live, trashed)
        select parent_type, parent_id, 'answer', app_id, sum(trashed_at is null), sum(trashed_at is not null)
        from entries where root_id is not null group by parent_type, parent_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live, trashed)
        select parent_type, parent_id, 'resolved', app_id, sum(trashed_at is null), sum(trashed_at is not null)
        from entries where resolved_at is not null group by parent_type, parent_id;
      update entries set reply_count = (select count(*) from entries as below
        where below.root_id = entries.id and below.trashed_at is null) where id in (select root_id from entries);
      update entries set reply_count = (select count(*) from entries as answers
        where answers.reply_to_id = entries.id and answers.trashed_at is null)
        where root_id is not null and id in (select reply_to_id from entries);
      insert into tallies (parent_type, parent_id, kind, app_id, live, trashed)
        select 'app', app_id, 'file', app_id, sum(trashed_at is null), sum(trashed_at is not null)
        from files where parent_type = 'app' group by app_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'app', app_id, 'member', app_id, count(*) from members join users on users.id = members.user_id
        where suspended_at is null and trashed_at is null group by app_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'server', 0, 'user', 0, count(*) from users
        where id <> 1 and suspended_at is null and trashed_at is null;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'directory', coalesce(directory_id, 0), 'user', 0, count(*) from users
        where id <> 1 and suspended_at is null and trashed_at is null group by directory_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'user', user_id, 'notification', 0, count(*) from notifications group by user_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'user', user_id, 'unread_notification', 0, count(*) from notifications where read_at is null
        group by user_id;
      insert into tallies (parent_type, parent_id, kind, app_id, live)
        select 'webhook', webhook_id, 'delivery', 0, count(*) from deliveries group by webhook_id;
      update apps set last_message_id = (select max(id) from entries where kind = 'message' and app_id = apps.id
        and trashed_at is null) where type in ('chat', 'chat_room');
      update webhooks set sequence = coalesce((select max(sequence) from deliveries where webhook_id = webhooks.id), 0);
      update event_cursors set event_id = (select max(id) from events), user_id = 0 where reader = 'notifier';
      commit;`);
  }
}
