import type { EntryCreate, EntryPatch } from '../../contract/entries.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Db, Read } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import { asWritable, readableApp, writableApp } from '../access/access.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import {
  createEntry,
  type EntryKind,
  editEntry,
  entryDetail,
  type Place,
  prepareDraft,
  prepareEdit,
  readableEntry,
  recordEntry,
  setEntryTrash,
} from '../entries/entries.ts';
import { listAttachmentsOf, listEntriesOf } from '../entries/entry-lists.ts';
import { deleteEntry } from '../entries/entry-removal.ts';
import { postFacts, subscribeToPost, unsubscribeFromPost } from './posts.store.ts';

/** What the posts feature does; see the operations of the same names. */
export type Posts = ReturnType<typeof createPosts>;

/** The posts feature: entries of a posts app that people comment on. */
export function createPosts({ db, clock, links }: { db: Db; clock: Clock; links: BlobLinks }) {
  const post: EntryKind = {
    kind: 'post',
    links,
    async members(read, principal, entries) {
      const ids = entries.map((entry) => entry.id);
      const facts = await read.all(postFacts, { ids, userId: principal.user.id });
      return new Map(
        facts.map(({ id, commentCount, isSubscribed }) => [
          id,
          {
            comment_count: json(String(commentCount)),
            comments: json('[]'),
            is_subscribed: json(String(isSubscribed === 1)),
          },
        ]),
      );
    },
  };

  async function setTrashed(principal: Principal, id: number, isTrashed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const { entry } = await setEntryTrash(tx, principal, post, id, { isTrashed, at: clock.now() });
      return await entryDetail(tx, principal, post, entry);
    });
  }

  async function setSubscribed(principal: Principal, id: number, isSubscribed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const { entry } = await readableEntry(tx, principal, post, id);
      const subscription = { userId: principal.user.id, id };
      const changed = isSubscribed
        ? await tx.run(subscribeToPost, subscription)
        : await tx.run(unsubscribeFromPost, subscription);
      const action = isSubscribed ? 'post_subscribed' : 'post_unsubscribed';
      if (changed > 0) await recordEntry(tx, principal, post, entry, { action, at: clock.now() });
      return await entryDetail(tx, principal, post, entry);
    });
  }

  return {
    async createPost(principal: Principal, ref: Ref, input: Input<EntryCreate>): Promise<Json> {
      const draft = input.map(prepareDraft);
      return await db.write(async (tx) => {
        const app = await writableApp(tx, principal, ref);
        if (app.type !== 'posts')
          throw invalidField('', 'app_type', `cannot be a post in an app of type ${app.type}`);
        const place: Place = { app, parentType: 'app', parentId: app.id };
        const entry = await createEntry(tx, principal, post, place, draft.valid(), { at: clock.now() });
        return await entryDetail(tx, principal, post, entry);
      });
    },

    async getPost(principal: Principal, id: number, query: { trashed?: boolean | null }): Promise<Json> {
      const isAny = query.trashed === true || query.trashed === null;
      const { entry } = await readableEntry(db.read, principal, post, id, isAny ? 'any' : 'live');
      return await entryDetail(db.read, principal, post, entry);
    },

    async updatePost(principal: Principal, id: number, input: Input<Clearable<EntryPatch>>): Promise<Json> {
      const edit = input.map(prepareEdit);
      return await db.write(async (tx) => {
        const entry = await editEntry(tx, principal, post, id, edit, clock.now());
        return await entryDetail(tx, principal, post, entry);
      });
    },

    listPosts: async (principal: Principal, list: ListQuery) =>
      await listEntriesOf(db.read, principal, post, undefined, list),

    async listAppPosts(principal: Principal, ref: Ref, list: ListQuery): Promise<Json> {
      const app = await readableApp(db.read, principal, ref);
      return await listEntriesOf(db.read, principal, post, { type: 'app', id: app.id }, list);
    },

    trashPost: async (principal: Principal, id: number) => await setTrashed(principal, id, true),
    restorePost: async (principal: Principal, id: number) => await setTrashed(principal, id, false),

    async deletePost(principal: Principal, id: number): Promise<undefined> {
      await db.write((tx) => deleteEntry(tx, principal, post, id, clock.now()));
    },

    listPostAttachments: async (principal: Principal, id: number, list: ListQuery) =>
      await listAttachmentsOf(db.read, principal, post, id, list),

    subscribePost: async (principal: Principal, id: number) => await setSubscribed(principal, id, true),
    unsubscribePost: async (principal: Principal, id: number) => await setSubscribed(principal, id, false),

    /** The post as a place for comments; throws `not_found` or `write_forbidden`. */
    async writable(read: Read, principal: Principal, id: number): Promise<Place> {
      const { app } = await readableEntry(read, principal, post, id);
      return { app: asWritable(app), parentType: 'post', parentId: id };
    },

    /** Throws `not_found` unless the caller may see the post. */
    async readable(read: Read, principal: Principal, id: number): Promise<void> {
      await readableEntry(read, principal, post, id);
    },
  };
}
