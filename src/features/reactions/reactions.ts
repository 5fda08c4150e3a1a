import type { ReactionCreate } from '../../contract/reactions.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { assertMayRemove, asWritable } from '../access/access.ts';
import { type Entry, type EntryKind, readableEntry, readableOwner } from '../entries/entries.ts';
import { type Reaction, renderReaction } from '../entries/entry-reactions.ts';
import { actorOf } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import { emojiOf } from './emoji.ts';
import {
  changeReactionCount,
  countsByContent,
  deleteReaction,
  insertReaction,
  listReactions,
  type ReactionListShape,
  reactionById,
  reactionOf,
} from './reactions.store.ts';

/** What the reactions feature does; see the operations of the same names. */
export type Reactions = ReturnType<typeof createReactions>;

function readContent(content: string): string {
  const emoji = emojiOf(content);
  if (emoji === undefined) throw invalidField('/content', 'emoji', 'must be exactly one emoji');
  return emoji;
}

/**
 * The reactions feature. A person has one reaction to an entry. Another emoji takes the place of the first, which is
 * two changes with two events: readers of the log know a reaction by who made it, so the first is taken away before the
 * second is there.
 */
export function createReactions({ db, clock }: { db: Db; clock: Clock }) {
  async function record(
    tx: Tx,
    principal: Principal,
    entry: Entry,
    event: { action: 'reaction_added' | 'reaction_removed'; id: number; content: string },
  ): Promise<void> {
    await append(tx, {
      action: event.action,
      actor: actorOf(principal.user),
      appId: entry.appId,
      entity: { id: event.id, json: jsonString(event.content) },
      extra: { entity: json(`{"id":${entry.id},"type":"${entry.kind}"}`) },
      at: clock.now(),
    });
  }

  async function remove(tx: Tx, principal: Principal, entry: Entry, reaction: Reaction): Promise<void> {
    await tx.run(deleteReaction, { id: reaction.id });
    await tx.run(changeReactionCount, { entryId: entry.id, by: -1 });
    await record(tx, principal, entry, { ...reaction, action: 'reaction_removed' });
  }

  async function renderAll(
    read: Read,
    viewer: Principal,
    entry: Entry,
    reactions: readonly Reaction[],
  ): Promise<Json[]> {
    const counted = await read.all(countsByContent, { entryId: entry.id });
    const counts = new Map(counted.map(({ content, count }) => [content, count]));
    const users = await renderedUsers(
      read,
      viewer,
      reactions.map((reaction) => reaction.createdById),
    );
    const parent = json(`{"id":${entry.id},"type":"${entry.kind}"}`);
    return reactions.map((reaction) =>
      renderReaction(reaction, counts.get(reaction.content) ?? 1, {
        parent,
        created_by: users.get(reaction.createdById),
      }),
    );
  }

  /** The reaction with its entry, if the caller may see that; throws `not_found`. */
  async function readableReaction(read: Read, principal: Principal, id: number) {
    const reaction = await read.get(reactionById, { id });
    if (reaction === undefined) throw notFound('reaction');
    const owner = await readableOwner(read, principal, { entryId: reaction.entryId, what: 'reaction' });
    return { ...owner, reaction };
  }

  return {
    async addReaction(
      principal: Principal,
      resource: EntryKind,
      id: number,
      input: Input<ReactionCreate>,
    ): Promise<undefined> {
      const prepared = input.read({ content: readContent });
      await db.write(async (tx) => {
        const { entry, app } = await readableEntry(tx, principal, resource, id);
        asWritable(app);
        const { content } = prepared.valid();
        const userId = principal.user.id;
        const present = await tx.get(reactionOf, { entryId: id, userId });
        if (present?.content === content) return;
        if (present !== undefined) await remove(tx, principal, entry, present);
        const added = await tx.insert(insertReaction, { entryId: id, content, at: clock.now(), userId });
        await tx.run(changeReactionCount, { entryId: id, by: 1 });
        await record(tx, principal, entry, { action: 'reaction_added', id: added, content });
      });
    },

    /** Removes the caller's reaction; without one nothing changes. */
    async removeReaction(principal: Principal, resource: EntryKind, id: number): Promise<undefined> {
      await db.write(async (tx) => {
        const { entry, app } = await readableEntry(tx, principal, resource, id);
        asWritable(app);
        const present = await tx.get(reactionOf, { entryId: id, userId: principal.user.id });
        if (present !== undefined) await remove(tx, principal, entry, present);
      });
    },

    async listReactions(
      principal: Principal,
      resource: EntryKind,
      id: number,
      list: ListQuery,
      query: { content?: string },
    ): Promise<Json> {
      const { entry } = await readableEntry(db.read, principal, resource, id);
      const content = query.content === undefined ? undefined : emojiOf(query.content);
      // Nothing here has words or a tag or is in the trash, and what is no emoji is nobody's reaction.
      const isNone =
        list.trashed === true ||
        list.tag !== undefined ||
        parseQuestion(list.q) !== undefined ||
        (query.content !== undefined && content === undefined);
      if (isNone) return envelope(list, { items: [], count: list.count ? 0 : undefined });
      const read = await db.readForList();
      const count = list.count ? await countReactions(read, entry, content) : undefined;
      if (list.countOnly) return envelope(list, { items: [], count });
      const shape: ReactionListShape = {
        order: list.order.field as ReactionListShape['order'],
        descending: list.order.descending,
        hasContent: content !== undefined,
      };
      const parameters = { entryId: id, content: content ?? '', top: list.top, skip: list.skip };
      const rows = await read.all(listReactions(JSON.stringify(shape)), parameters);
      return envelope(list, { items: await renderAll(read, principal, entry, rows), count });
    },

    async getReaction(principal: Principal, id: number): Promise<Json> {
      const { reaction, entry } = await readableReaction(db.read, principal, id);
      const [rendered] = await renderAll(db.read, principal, entry, [reaction]);
      if (rendered === undefined) throw new Error('a reaction was not rendered');
      return rendered;
    },

    /** Removes a reaction of the caller, or of anybody for who manages the app. */
    async deleteReaction(principal: Principal, id: number): Promise<undefined> {
      await db.write(async (tx) => {
        const { reaction, entry, app } = await readableReaction(tx, principal, id);
        assertMayRemove(principal, app, reaction);
        await remove(tx, principal, entry, reaction);
      });
    },
  };
}

/** The kept number of all reactions, or how many have one emoji, counted in an index. */
async function countReactions(read: Read, entry: Entry, content: string | undefined): Promise<number> {
  if (content === undefined) return entry.reactionCount;
  const counted = await read.all(countsByContent, { entryId: entry.id });
  return counted.find((row) => row.content === content)?.count ?? 0;
}
