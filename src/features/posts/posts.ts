import type { Db, Read } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { asWritable } from '../access/access.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { type EntryKind, entryDetail, type Place, readableEntry, recordEntry } from '../entries/entries.ts';
import { createEntryOperations } from '../entries/entry-operations.ts';
import { postFacts, subscribeToPost, unsubscribeFromPost } from './posts.store.ts';

/** What the posts feature does: the operations of every kind of entry, and subscriptions. */
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
    ...createEntryOperations({ db, clock, resource: post, appTypes: ['posts'] }),

    subscribe: async (principal: Principal, id: number) => await setSubscribed(principal, id, true),
    unsubscribe: async (principal: Principal, id: number) => await setSubscribed(principal, id, false),

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
