import { timestamp } from 'confab-contract/values/time.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { reactionFields } from '../../second-form/shapes/reaction.ts';
import { reactionsOf } from './entry-reactions.store.ts';

/** One user's reaction to an entry. */
export type Reaction = {
  readonly id: number;
  readonly content: string;
  readonly createdAt: number;
  readonly createdById: number;
};

/** The rendered fields that a reaction has outside its entry. */
type ReactionFields = { readonly parent?: Json; readonly created_by?: Json | undefined };

/** A reaction as the API returns it; `count` is how many users reacted to the entry with the same emoji. */
export function renderReaction(reaction: Reaction, count: number, fields: ReactionFields = {}): Json {
  const more = Object.entries(fields).map(([name, value]) =>
    value === undefined ? '' : `"${name}":${value},`,
  );
  return json(
    `{"id":${reaction.id},${more.join('')}"content":${jsonString(reaction.content)},` +
      `"created_at":"${timestamp(reaction.createdAt)}","created_by_id":${reaction.createdById},"count":${count}}`,
  );
}

/**
 * The rendered reactions to some entries by entry id; no statement when none has reactions. A visitor gets each emoji once,
 * with its count and whether it is theirs, and not who else reacted.
 */
export async function renderedReactions(
  { read, caller }: { readonly read: Read; readonly caller: Pick<Principal, 'kind' | 'user' | 'form'> },
  entries: readonly { id: number; reactionCount: number }[],
): Promise<Map<number, string[]>> {
  const entryIds = entries.filter((entry) => entry.reactionCount > 0).map((entry) => entry.id);
  if (entryIds.length === 0) return new Map();
  const rows = await read.all(reactionsOf, { entryIds });
  const byEntry = Map.groupBy(rows, (row) => row.entryId);
  const render = (reactions: readonly Reaction[]) =>
    caller.kind === 'visitor' ? renderCounts(reactions, caller.user.id) : renderAll(caller, reactions);
  return new Map([...byEntry].map(([id, reactions]) => [id, render(reactions)]));
}

/** How many users reacted with each emoji. */
function countsOf(reactions: readonly Reaction[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { content } of reactions) counts.set(content, (counts.get(content) ?? 0) + 1);
  return counts;
}

function renderCounts(reactions: readonly Reaction[], userId: number): string[] {
  const own = reactions.find(({ createdById }) => createdById === userId)?.content;
  return [...countsOf(reactions)].map(([content, count]) => {
    const isOwn = content === own ? ',"is_own":true' : '';
    return `{"content":${jsonString(content)},"count":${count}${isOwn}}`;
  });
}

function renderAll({ form }: Pick<Principal, 'form'>, reactions: readonly Reaction[]): string[] {
  const counts = countsOf(reactions);
  return reactions.map((reaction) => {
    const fields = form === undefined ? {} : reactionFields(reaction);
    return renderReaction(reaction, counts.get(reaction.content) ?? 1, fields);
  });
}
