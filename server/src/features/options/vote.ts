import { optionOperations } from 'confab-contract/options.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { type Option, renderOption, votersOf } from './option-json.ts';
import { changeVoteCount, chosenOption, deleteVote, insertVote, voteCountOf } from './options.store.ts';

/**
 * The options of an entry are a poll in which each user has one vote. Moving the vote is two changes with two events,
 * each with the count of its own option, so a client that keeps the last event of each option has the right counts.
 */

/** Clears the vote if it was for this option; otherwise casts it, or moves it here from another option. */
export const voteOption = handler(optionOperations.voteOption, async ({ tx, on, caller, at }) => {
  const vote = { tx, caller, entry: on.entry, at };
  const previous = await tx.get(chosenOption, { entryId: on.entry.id, userId: caller.user.id });
  if (previous?.id === on.option.id) return await clearVote(vote, on.option);
  if (previous !== undefined) await clearVote(vote, previous);
  return await addVote(vote, on.option);
});

type Vote = Pick<ReadableEntry, 'entry'> & {
  readonly tx: Tx;
  readonly caller: Principal;
  readonly at: UnixMs;
  /** Whether nobody is notified, because an import casts the vote. */
  readonly isSilent?: boolean;
};

/** Casts the vote of the caller, who must have none in the poll; returns the option with its voters. */
export async function addVote(vote: Vote, option: Option): Promise<Json> {
  const { tx, caller, entry, at } = vote;
  await tx.run(insertVote, { entryId: entry.id, userId: caller.user.id, optionId: option.id, createdAt: at });
  return await count(vote, 'option_voted', { ...option, hasVoted: 1 });
}

async function clearVote(vote: Vote, option: Option): Promise<Json> {
  const { tx, caller, entry } = vote;
  await tx.run(deleteVote, { entryId: entry.id, userId: caller.user.id });
  return await count(vote, 'option_unvoted', { ...option, hasVoted: 0 });
}

/** Counts a vote and appends its event; returns the option with its voters. Others may vote beside this one. */
async function count(vote: Vote, action: 'option_voted' | 'option_unvoted', option: Option): Promise<Json> {
  const { tx, caller } = vote;
  const { id } = option;
  await tx.run(changeVoteCount, { id, by: action === 'option_voted' ? 1 : -1 });
  const [counted, voters] = await Promise.all([tx.get(voteCountOf, { id }), votersOf(tx, caller, id)]);
  const changed = { ...option, voteCount: counted?.voteCount ?? 0 };
  await record(vote, action, changed);
  return renderOption(caller, changed, voters);
}

async function record(
  { tx, caller, entry, at, isSilent = false }: Vote,
  action: 'option_voted' | 'option_unvoted',
  option: Option,
): Promise<void> {
  await append(tx, {
    action,
    actor: actorOf(caller),
    appId: entry.appId,
    entity: { id: option.id, json: renderOption({}, option) },
    extra: { entity: json(`{"id":${entry.id},"type":"${entry.kind}"}`) },
    at,
    isSilent,
  });
}
