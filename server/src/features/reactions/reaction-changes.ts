import type { UnixMs } from 'confab-contract/values/time.ts';
import type { ReactableEntry } from '../../access/entry/entry-access.ts';
import type { RemovableReaction } from '../../access/reaction/reaction-access.ts';
import type { Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { actorOf } from '../users/user-json.ts';
import { changeReactionCount, deleteReaction, insertReaction } from './reactions.store.ts';

/** The dependencies of adding or removing a reaction. */
export type ReactionChange = {
  readonly tx: Tx;
  readonly caller: Principal;
  readonly on: ReactableEntry | RemovableReaction;
  readonly at: UnixMs;
  /** Whether nobody is notified, because an import makes the change. */
  readonly isSilent?: boolean;
};

type Emoji = { readonly id: number; readonly content: string };

/** Adds a reaction of the caller, who must not have one, and returns its id. */
export async function addReaction(change: ReactionChange, content: string): Promise<number> {
  const { tx, caller, on, at } = change;
  const entryId = on.entry.id;
  const id = await tx.insert(insertReaction, {
    entryId,
    content,
    createdAt: at,
    createdById: caller.user.id,
  });
  await tx.run(changeReactionCount, { entryId, by: 1 });
  await record(change, 'reaction_added', { id, content });
  return id;
}

/** Removes a reaction. */
export async function removeReaction(change: ReactionChange, reaction: Emoji): Promise<void> {
  const { tx, on } = change;
  await tx.run(deleteReaction, { id: reaction.id });
  await tx.run(changeReactionCount, { entryId: on.entry.id, by: -1 });
  await record(change, 'reaction_removed', reaction);
}

async function record(
  { tx, caller, on: { entry }, at, isSilent = false }: ReactionChange,
  action: 'reaction_added' | 'reaction_removed',
  { id, content }: Emoji,
): Promise<void> {
  await append(tx, {
    action,
    actor: actorOf(caller),
    appId: entry.appId,
    entity: { id, json: jsonString(content) },
    extra: { entity: json(`{"id":${entry.id},"type":"${entry.kind}"}`) },
    at,
    isSilent,
  });
}
