import type { Read } from '../../db/db.ts';
import type { ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { heldByAuthor } from './own-held.store.ts';

/**
 * Comments that wait for approval are in the lists of their author, at their place and with `is_held` (decision 0169). What
 * everybody sees is read as if there were none, and at the same time it is asked whether the caller has any; only for an
 * author who has some is the page read again, with them.
 */

/** A held comment of the caller. */
export type OwnHeld = {
  readonly id: number;
  readonly parentType: string;
  readonly parentId: number;
  readonly replyToId: number | null;
  readonly rootId: number | null;
  readonly anchorKey: string | null;
  readonly resolvedAt: number | null;
};

/** Lists show the newest of an author's held comments in an app, at most so many: each page of theirs names all of them. */
const ownHeldMax = 100;

/**
 * The held comments of the caller in an app. None for API keys, which see everything in the queue and whose lists are
 * copied elsewhere, for people without a credential, and where the trash, words or a tag are asked for.
 */
export async function ownHeldIn(
  { read, caller, list }: { readonly read: Read; readonly caller: Principal; readonly list: ListQuery },
  appId: number,
): Promise<readonly OwnHeld[]> {
  const { kind, user } = caller;
  const isWithout = list.trashed === true || list.q !== undefined || list.tag !== undefined;
  if (kind === 'key' || user.id <= 0 || isWithout) return [];
  return await read.all(heldByAuthor, { userId: user.id, appId, top: ownHeldMax });
}

/** Comments with the number of replies that the author of held comments sees. */
export function withOwnReplies<E extends { readonly id: number; readonly replyCount: number }>(
  rows: readonly E[],
  own: readonly OwnHeld[],
): E[] {
  return rows.map((row) => {
    const below = own.filter(({ replyToId, rootId }) => replyToId === row.id || rootId === row.id);
    return below.length === 0 ? row : { ...row, replyCount: row.replyCount + below.length };
  });
}
