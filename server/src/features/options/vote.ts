import { optionOperations } from 'confab-contract/options.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { VotableOption } from '../../access/option/option-access.ts';
import { handler } from '../../binding/handler.ts';
import type { Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { type Option, optionDetail, renderOption } from './option-json.ts';
import { changeVoteCount, chosenOption, deleteVote, insertVote, voteCountOf } from './options.store.ts';

/**
 * The options of an entry are a poll in which each user has one vote. Moving the vote is two changes with two events,
 * each with the count of its own option, so a client that keeps the last event of each option has the right counts.
 */

/** Clears the vote if it was for this option; otherwise casts it, or moves it here from another option. */
export const voteOption = handler(optionOperations.voteOption, async ({ tx, on, caller, at }) => {
  const vote = { tx, caller, entry: on.entry, at };
  const previous = await tx.get(chosenOption, { entryId: on.entry.id, userId: caller.user.id });
  if (previous !== undefined) {
    const cleared = await clearVote(vote, previous);
    if (previous.id === on.option.id) return await optionDetail(tx, caller, cleared);
  }
  return await optionDetail(tx, caller, await castVote(vote, on.option));
});

type Vote = Pick<VotableOption, 'entry'> & {
  readonly tx: Tx;
  readonly caller: Principal;
  readonly at: UnixMs;
};

async function castVote(vote: Vote, option: Option): Promise<Option> {
  const { tx, caller, entry, at } = vote;
  await tx.run(insertVote, { entryId: entry.id, userId: caller.user.id, optionId: option.id, createdAt: at });
  const voted = { ...option, voteCount: await countVote(tx, option, 1), hasVoted: 1 };
  await record(vote, 'option_voted', voted);
  return voted;
}

async function clearVote(vote: Vote, option: Option): Promise<Option> {
  const { tx, caller, entry } = vote;
  await tx.run(deleteVote, { entryId: entry.id, userId: caller.user.id });
  const cleared = { ...option, voteCount: await countVote(tx, option, -1), hasVoted: 0 };
  await record(vote, 'option_unvoted', cleared);
  return cleared;
}

/** Counts a vote more or fewer; returns how many there are now, because others may have voted beside this one. */
async function countVote(tx: Tx, { id, voteCount }: Option, by: 1 | -1): Promise<number> {
  await tx.run(changeVoteCount, { id, by });
  return (await tx.get(voteCountOf, { id }))?.voteCount ?? voteCount + by;
}

async function record(
  { tx, caller, entry, at }: Vote,
  action: 'option_voted' | 'option_unvoted',
  option: Option,
): Promise<void> {
  await append(tx, {
    action,
    actor: actorOf(caller),
    appId: entry.appId,
    entity: { id: option.id, json: renderOption(option) },
    extra: { entity: json(`{"id":${entry.id},"type":"${entry.kind}"}`) },
    at,
  });
}
