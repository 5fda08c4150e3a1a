import type { EntryRow } from '../../access/entry/entry.sql.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { renderedUsers } from '../users/users.ts';
import { type Reaction, renderReaction } from './entry-reactions.ts';
import { countsByContent } from './reactions.store.ts';

/** Reactions to one entry outside the entry: with the entry and with their authors, as the caller sees them. */
export async function reactionDetails(
  { read, caller, on: { entry } }: { read: Read; caller: Principal; on: { readonly entry: EntryRow } },
  reactions: readonly Reaction[],
): Promise<Json[]> {
  const authorIds = reactions.map((reaction) => reaction.createdById);
  const [sums, users] = await Promise.all([
    read.all(countsByContent, { entryId: entry.id }),
    renderedUsers(read, caller, authorIds),
  ]);
  const counts = new Map(sums.map(({ content, count }) => [content, count]));
  const parent = json(`{"id":${entry.id},"type":"${entry.kind}"}`);
  return reactions.map((reaction) =>
    renderReaction(reaction, counts.get(reaction.content) ?? 1, {
      parent,
      created_by: users.get(reaction.createdById),
    }),
  );
}
