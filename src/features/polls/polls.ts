import type { Db, Read, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Json, json, jsonArray } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound } from '../../kernel/problem.ts';
import { asWritable } from '../access/access.ts';
import { type Entry, readableOwner } from '../entries/entries.ts';
import { type Option, optionDetail, renderOption } from '../entries/entry-options.ts';
import { actorOf } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import {
  changeVoteCount,
  chosenOption,
  deleteVote,
  insertVote,
  optionById,
  votersOf,
} from './polls.store.ts';

/** What the polls feature does; see the operations of the same names. */
export type Polls = ReturnType<typeof createPolls>;

/**
 * The polls feature. The options of an entry are a poll in which each person has one vote. Moving it is two changes with
 * two events, each with the count of its own option, so that a reader who keeps the last event of each option is right.
 */
export function createPolls({ db, clock }: { db: Db; clock: Clock }) {
  async function readableOption(read: Read, principal: Principal, id: number) {
    const option = await read.get(optionById, { id, userId: principal.user.id });
    if (option === undefined) throw notFound('option');
    const owner = await readableOwner(read, principal, { entryId: option.entryId, what: 'option' });
    return { ...owner, option };
  }

  async function record(
    tx: Tx,
    principal: Principal,
    entry: Entry,
    event: { action: 'option_voted' | 'option_unvoted'; option: Option },
  ): Promise<void> {
    await append(tx, {
      action: event.action,
      actor: actorOf(principal.user),
      appId: entry.appId,
      entity: { id: event.option.id, json: renderOption(event.option) },
      extra: { entity: json(`{"id":${entry.id},"type":"${entry.kind}"}`) },
      at: clock.now(),
    });
  }

  async function vote(tx: Tx, principal: Principal, entry: Entry, option: Option): Promise<Option> {
    const at = clock.now();
    await tx.run(insertVote, { entryId: entry.id, userId: principal.user.id, optionId: option.id, at });
    await tx.run(changeVoteCount, { id: option.id, by: 1 });
    const voted = { ...option, voteCount: option.voteCount + 1, hasVoted: 1 };
    await record(tx, principal, entry, { action: 'option_voted', option: voted });
    return voted;
  }

  async function unvote(tx: Tx, principal: Principal, entry: Entry, option: Option): Promise<Option> {
    await tx.run(deleteVote, { entryId: entry.id, userId: principal.user.id });
    await tx.run(changeVoteCount, { id: option.id, by: -1 });
    const unvoted = { ...option, voteCount: option.voteCount - 1, hasVoted: 0 };
    await record(tx, principal, entry, { action: 'option_unvoted', option: unvoted });
    return unvoted;
  }

  return {
    async getOption(principal: Principal, id: number): Promise<Json> {
      const { option } = await readableOption(db.read, principal, id);
      return await optionDetail(db.read, principal, option);
    },

    /** Clears the vote if it was for this option; else moves it here or casts it. */
    async voteOption(principal: Principal, id: number): Promise<Json> {
      return await db.write(async (tx) => {
        const { option, entry, app } = await readableOption(tx, principal, id);
        asWritable(app);
        const chosen = await tx.get(chosenOption, { entryId: entry.id, userId: principal.user.id });
        if (chosen !== undefined) {
          const unvoted = await unvote(tx, principal, entry, chosen);
          if (chosen.id === id) return await optionDetail(tx, principal, unvoted);
        }
        return await optionDetail(tx, principal, await vote(tx, principal, entry, option));
      });
    },

    /** Everybody who chose the option. */
    async listVoters(principal: Principal, id: number): Promise<Json> {
      await readableOption(db.read, principal, id);
      const read = await db.readForList();
      const voters = (await read.all(votersOf, { optionId: id })).map(({ userId }) => userId);
      const users = await renderedUsers(read, principal, voters);
      return jsonArray(voters.flatMap((userId) => users.get(userId) ?? []));
    },
  };
}
