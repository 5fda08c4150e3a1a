import type { Read, Tx } from '../../db/db.ts';
import { type Json, json, jsonArray, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import { renderedUsers } from '../users/users.ts';
import {
  deleteOtherOptions,
  firstVoters,
  insertOptions,
  optionsOf,
  optionTexts,
  updateOptions,
} from './entry-options.store.ts';

/** A poll option as one person sees it; `hasVoted` is 1 if they chose it. */
export type Option = {
  readonly id: number;
  readonly text: string;
  readonly voteCount: number;
  readonly hasVoted: number;
};

/** The most voters that stand in an option. `vote_count` counts all of them, and they are listed under the option. */
const votersMax = 100;

/** A poll option in the words of the wire. */
export function renderOption(option: Option, voters: readonly string[] = []): Json {
  return json(
    `{"id":${option.id},"text":${jsonString(option.text)},"vote_count":${option.voteCount},` +
      `"has_voted":${option.hasVoted === 1},"voters":${jsonArray(voters)}}`,
  );
}

/** One option with its first voters. */
export async function optionDetail(read: Read, viewer: Principal, option: Option): Promise<Json> {
  return renderOption(option, (await renderedVoters(read, viewer, [option])).get(option.id));
}

/** The rendered first voters of some options by option id; no statement when nobody chose any of them. */
async function renderedVoters(
  read: Read,
  viewer: Principal,
  options: readonly Option[],
): Promise<Map<number, string[]>> {
  const optionIds = options.filter((option) => option.voteCount > 0).map((option) => option.id);
  if (optionIds.length === 0) return new Map();
  const votes = await read.all(firstVoters, { optionIds, top: votersMax });
  const users = await renderedUsers(
    read,
    viewer,
    votes.map((vote) => vote.userId),
  );
  const byOption = Map.groupBy(votes, (vote) => vote.optionId);
  return new Map(
    [...byOption].map(([id, chosen]) => [id, chosen.flatMap(({ userId }) => users.get(userId) ?? [])]),
  );
}

/** The rendered poll options of some entries by entry id; no statement when none of them is a poll. */
export async function renderedOptions(
  read: Read,
  principal: Principal,
  entries: readonly { id: number; optionCount: number }[],
  { hasVoters }: { hasVoters: boolean },
): Promise<Map<number, string[]>> {
  const entryIds = entries.filter((entry) => entry.optionCount > 0).map((entry) => entry.id);
  if (entryIds.length === 0) return new Map();
  const rows = await read.all(optionsOf, { entryIds, userId: principal.user.id });
  const voters = hasVoters ? await renderedVoters(read, principal, rows) : undefined;
  const byEntry = Map.groupBy(rows, (row) => row.entryId);
  return new Map(
    [...byEntry].map(([id, options]) => [
      id,
      options.map((option) => renderOption(option, voters?.get(option.id))),
    ]),
  );
}

/** Adds the options of a new poll in their order. */
export async function addOptions(tx: Tx, entryId: number, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  await tx.run(insertOptions, { entryId, texts, positions: texts.map((_, index) => index) });
}

/** Makes the options of an entry those that are wanted, in their order; answers whether anything changed. */
export async function editOptions(
  tx: Tx,
  entryId: number,
  wanted: readonly { id?: number; text: string }[],
): Promise<boolean> {
  const present = await tx.all(optionTexts, { entryId });
  const texts = new Map(present.map((option) => [option.id, option.text]));
  const chosen = wanted.map(({ id, text }, position) => ({ id, text, position }));
  const seen = new Set<number>();
  for (const { id, position } of chosen) {
    if (id === undefined) continue;
    if (!texts.has(id) || seen.has(id))
      throw invalidField(`/options/${position}/id`, 'not_found', 'is no option of this poll');
    seen.add(id);
  }
  const isSame =
    chosen.length === present.length &&
    chosen.every(({ id, text }, index) => id === present[index]?.id && text === present[index]?.text);
  if (isSame) return false;
  const kept = chosen.flatMap(({ id, ...rest }) => (id === undefined ? [] : [{ id, ...rest }]));
  const added = chosen.filter(({ id }) => id === undefined);
  await tx.run(deleteOtherOptions, { entryId, keep: kept.map(({ id }) => id) });
  await tx.run(updateOptions, {
    entryId,
    ids: kept.map(({ id }) => id),
    texts: kept.map(({ text }) => text),
    positions: kept.map(({ position }) => position),
  });
  await tx.run(insertOptions, {
    entryId,
    texts: added.map(({ text }) => text),
    positions: added.map(({ position }) => position),
  });
  return true;
}
