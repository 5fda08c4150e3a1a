import { ConnectionError, ProblemError } from 'confab-client';
import { noteFailure } from '../../api.ts';
import { type Change, type Kind, operations } from './kinds.ts';

/** An item that is changed. */
export type Target = { readonly kind: Kind; readonly id: number };

/** What became of a change of several items. */
export type Outcome<T> = {
  readonly done: readonly T[];
  /** Why those that were refused were, in the words of the server. */
  readonly reasons: readonly string[];
};

type Watching = {
  /** Called before each item with how many were tried. */
  readonly onProgress?: (tried: number) => void;
  readonly isStopped?: () => boolean;
};

/** Makes one change to several items of content. */
export function changeAll(change: Change, targets: readonly Target[], watching: Watching = {}) {
  return forAll(targets, ({ kind, id }) => operations[kind][change](id), watching);
}

/**
 * Does the same with several things, one after the other, so that other users of the server notice nothing. One that is
 * refused does not keep the others from it; a lost connection and an ended session end the whole.
 */
export async function forAll<T>(
  targets: readonly T[],
  change: (target: T) => PromiseLike<unknown>,
  { onProgress, isStopped }: Watching,
): Promise<Outcome<T>> {
  const done: T[] = [];
  const reasons: string[] = [];
  for (const [tried, target] of targets.entries()) {
    onProgress?.(tried);
    if (isStopped?.() === true) break;
    try {
      await change(target);
      done.push(target);
    } catch (error) {
      noteFailure(error);
      reasons.push(error instanceof Error ? error.message : String(error));
      if (error instanceof ConnectionError || (error instanceof ProblemError && error.status === 401)) break;
    }
  }
  return { done, reasons };
}
