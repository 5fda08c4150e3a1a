import { type Action, factsOf } from 'confab-contract/actions.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';

/**
 * Held content, which only its author and moderators see until a moderator approves it (decision 0064). It is
 * stored as content in the trash, so that every condition that hides the trash hides it as well, and it is
 * counted nowhere.
 */

/** Why content is held: a moderator decided so, its app asks for approval, or a rule caught it. */
export type HeldReason = 'moderator' | 'approval' | 'rule';

/** Whether content is shown, in the trash or held. Times are Unix milliseconds. */
export type State = {
  readonly trashedAt: number | null;
  /**
   * The user who put it in the trash or held it; null if an earlier release trashed it without recording
   * this.
   */
  readonly trashedById: number | null;
  readonly heldAt: number | null;
  readonly heldReason: string | null;
  /**
   * 1 for content that was held when it was created, until it is shown: its creation event is not appended
   * yet.
   */
  readonly isUnannounced: number;
};

/** Content with its author. */
export type Authored = State & { readonly createdById: number };

/** The state of content that everyone sees. */
export const shown: State = {
  trashedAt: null,
  trashedById: null,
  heldAt: null,
  heldReason: null,
  isUnannounced: 0,
};

/** The state of content that a user holds. */
export function heldState(
  heldReason: HeldReason,
  { byId, at, isUnannounced }: { readonly byId: number; readonly at: UnixMs; readonly isUnannounced: number },
): State {
  return { trashedAt: at, trashedById: byId, heldAt: at, heldReason, isUnannounced };
}

/**
 * The state of content that a user puts in the trash; undefined where nothing changes. Content that its author trashed
 * becomes moderated when another user trashes it as well. Content that is held stays moderated when its author trashes
 * it.
 */
export function trashedState(
  content: Authored,
  { byId, at }: { readonly byId: number; readonly at: UnixMs },
): State | undefined {
  const { createdById, trashedAt, trashedById, isUnannounced } = content;
  const trashed = { ...shown, trashedAt: trashedAt ?? at, isUnannounced };
  if (byId !== createdById)
    return isHeld(content) || !isModerated(content) ? { ...trashed, trashedById: byId } : undefined;
  if (isHeld(content)) return { ...trashed, trashedById };
  return trashedAt === null ? { ...trashed, trashedById: byId } : undefined;
}

/** Whether content is held. */
export function isHeld({ heldAt, trashedAt }: Pick<State, 'heldAt' | 'trashedAt'>): boolean {
  // A node of the release before restores held content without clearing `heldAt`.
  return heldAt !== null && trashedAt !== null;
}

/** Whether content is held, or in the trash because a user other than its author put it there. */
export function isModerated(content: Authored): boolean {
  const { createdById, trashedAt, trashedById } = content;
  return isHeld(content) || (trashedAt !== null && trashedById !== null && trashedById !== createdById);
}

/** How content counts for its parent: as live, as trashed, or, while it is held, not at all. */
export function countIn(state: Pick<State, 'heldAt' | 'trashedAt'>): { live: number; trashed: number } {
  const isTrashed = state.trashedAt !== null;
  return { live: isTrashed ? 0 : 1, trashed: isTrashed && !isHeld(state) ? 1 : 0 };
}

/** How the counts of a parent change when content in it goes from one state to another. */
export function countChange(
  before: Pick<State, 'heldAt' | 'trashedAt'>,
  after: Pick<State, 'heldAt' | 'trashedAt'>,
): { live: number; trashed: number } {
  const [was, is] = [countIn(before), countIn(after)];
  return { live: is.live - was.live, trashed: is.trashed - was.trashed };
}

/**
 * The audience of the event of content, if it is not everyone who may see its app: its author and moderators
 * while it is held, and only the author if it is removed without having been shown. Webhooks are not notified
 * of such a removal.
 */
export function readersOf(
  { createdById, isUnannounced }: Authored,
  action: Action,
): { readonly userId?: number; readonly isSilent?: true } {
  if (factsOf(action).readers === 'moderators') return { userId: createdById };
  return isUnannounced === 1 ? { userId: createdById, isSilent: true } : {};
}
