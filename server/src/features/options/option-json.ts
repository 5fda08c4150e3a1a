import type { Read } from '../../db/db.ts';
import { type Json, json, jsonArray, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { listWithCount } from '../../second-form/shapes/list-with-count.ts';
import { renderUserFor } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import { firstVoters, optionsOf } from './poll.store.ts';

/** A poll option as one user sees it; `hasVoted` is 1 if they chose it, otherwise 0. */
export type Option = {
  readonly id: number;
  readonly text: string;
  readonly voteCount: number;
  readonly hasVoted: number;
};

/** The most voters that an option shows. `vote_count` counts all of them, and `/api/options/{id}/voters` lists them. */
const votersMax = 100;

/** A poll option as the API returns it. */
export function renderOption(
  { form }: Pick<Principal, 'form'>,
  option: Option,
  voters: readonly string[] = [],
): Json {
  const second = form === undefined ? '' : `,"votes":${listWithCount(option.voteCount, voters)}`;
  return json(
    `{"id":${option.id},"text":${jsonString(option.text)},"vote_count":${option.voteCount},` +
      `"has_voted":${option.hasVoted === 1},"voters":${jsonArray(voters)}${second}}`,
  );
}

/** One option with its first voters. */
export async function optionDetail(read: Read, caller: Principal, option: Option): Promise<Json> {
  return renderOption(caller, option, (await renderedVoters(read, caller, [option])).get(option.id));
}

/** The rendered first voters of an option. */
export async function votersOf(read: Read, caller: Principal, optionId: number): Promise<string[]> {
  return (await firstVotersOf(read, caller, [optionId])).get(optionId) ?? [];
}

/** The rendered first voters of some options by option id; no statement when none has votes. */
async function renderedVoters(
  read: Read,
  caller: Principal,
  options: readonly Option[],
): Promise<Map<number, string[]>> {
  const optionIds = options.filter((option) => option.voteCount > 0).map((option) => option.id);
  return optionIds.length === 0 ? new Map() : await firstVotersOf(read, caller, optionIds);
}

async function firstVotersOf(
  read: Read,
  caller: Principal,
  optionIds: readonly number[],
): Promise<Map<number, string[]>> {
  const votes = await read.all(firstVoters, { optionIds, top: votersMax });
  // The caller, who is known already, is often the only one.
  const others = votes.map(({ userId }) => userId).filter((id) => id !== caller.user.id);
  const users = await renderedUsers(read, caller, others);
  users.set(caller.user.id, renderUserFor(caller, caller.user));
  const byOption = Map.groupBy(votes, (vote) => vote.optionId);
  return new Map(
    [...byOption].map(([id, chosen]) => [id, chosen.flatMap(({ userId }) => users.get(userId) ?? [])]),
  );
}

/** The rendered poll options of an entry, with the first voters of each or without voters. */
export type RenderedOptions = (entryId: number, options: { readonly hasVoters: boolean }) => Json[];

/**
 * The poll options of some entries; no statement when none of them is a poll. Voters are included only with
 * `hasVoters`.
 */
export async function renderedOptions(
  { read, caller }: { readonly read: Read; readonly caller: Principal },
  entries: readonly { id: number; optionCount: number }[],
  { hasVoters }: { readonly hasVoters: boolean },
): Promise<RenderedOptions> {
  const entryIds = entries.filter((entry) => entry.optionCount > 0).map((entry) => entry.id);
  if (entryIds.length === 0) return () => [];
  const rows = await read.all(optionsOf, { entryIds, userId: caller.user.id });
  const voters = hasVoters ? await renderedVoters(read, caller, rows) : undefined;
  const byEntry = Map.groupBy(rows, (row) => row.entryId);
  return (entryId, options) =>
    (byEntry.get(entryId) ?? []).map((option) =>
      renderOption(caller, option, options.hasVoters ? voters?.get(option.id) : undefined),
    );
}
