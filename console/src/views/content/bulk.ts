import { ConnectionError, ProblemError } from 'confab-client';
import { noteFailure } from '../../api.ts';
import { type Change, type Kind, operations } from './kinds.ts';

/** An item that is changed. */
export type Target = { readonly kind: Kind; readonly id: number };

/** What became of a change of several items. */
export type Outcome = {
  readonly done: readonly Target[];
  /** Those that were refused, with why in the words of the server. */
  readonly refused: readonly (Target & { readonly reason: string })[];
};

type Watching = {
  /** Called before each item with how many were tried. */
  readonly onProgress?: (tried: number) => void;
  readonly isStopped?: () => boolean;
};

/**
 * Makes one change to several items, one after the other, so that other users of the server notice nothing. An item that
 * is refused does not keep the others from it; a lost connection and an ended session end the whole.
 */
export async function changeAll(
  change: Change,
  targets: readonly Target[],
  { onProgress, isStopped }: Watching = {},
): Promise<Outcome> {
  const done: Target[] = [];
  const refused: (Target & { reason: string })[] = [];
  for (const [tried, target] of targets.entries()) {
    onProgress?.(tried);
    if (isStopped?.() === true) break;
    try {
      await operations[target.kind][change](target.id);
      done.push(target);
    } catch (error) {
      noteFailure(error);
      refused.push({ ...target, reason: error instanceof Error ? error.message : String(error) });
      if (error instanceof ConnectionError || (error instanceof ProblemError && error.status === 401)) break;
    }
  }
  return { done, refused };
}
