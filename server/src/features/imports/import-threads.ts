/** Arranges the imported comments in threads although some comments between them are not imported. */
import type { ImportedComment } from 'confab-importers/import-file.ts';

/** A comment to import, with the app it belongs to. */
export interface KeptComment {
  readonly comment: ImportedComment;
  readonly appUid: string;
  /** Whether it waits for approval, so that nothing answers it. */
  readonly isHeld: boolean;
}

/** A comment in its thread: `parentSourceId` names an earlier one in the list, in the same app. */
export interface ThreadedComment extends KeptComment {
  readonly parentSourceId: string | undefined;
}

/**
 * The imported comments by time (comments of the same time in the order of the file), except that a reply never comes
 * before its parent. The parent of each is its nearest imported ancestor that is not held, if that is in the same app. If replies form a
 * circle, the reply that closes it begins a thread. The time is linear in the number of comments.
 */
export function threadComments(
  all: readonly ImportedComment[],
  kept: ReadonlyMap<string, KeptComment>,
): ThreadedComment[] {
  const parents = keptParents(all, kept);
  const ordered = new Map<string, ThreadedComment>();
  const byTime = [...kept.values()].sort((a, b) => a.comment.createdAt - b.comment.createdAt);
  for (const first of byTime) {
    const chain = new Map<string, KeptComment>();
    let next: KeptComment | undefined = first;
    while (next !== undefined && !ordered.has(next.comment.sourceId)) {
      const { sourceId } = next.comment;
      chain.set(sourceId, next);
      const parent = parents.get(sourceId);
      if (parent !== undefined && chain.has(parent)) parents.delete(sourceId);
      next = kept.get(parents.get(sourceId) ?? '');
    }
    for (const [sourceId, each] of [...chain].reverse())
      ordered.set(sourceId, { ...each, parentSourceId: parents.get(sourceId) });
  }
  return [...ordered.values()];
}

function keptParents(
  all: readonly ImportedComment[],
  kept: ReadonlyMap<string, KeptComment>,
): Map<string, string | undefined> {
  const parents = new Map(all.map(({ sourceId, parentSourceId }) => [sourceId, parentSourceId]));
  // Of several records with one id, the imported one counts.
  for (const [sourceId, { comment }] of kept) parents.set(sourceId, comment.parentSourceId);
  const nearest = new Map<string, string | undefined>();
  return new Map(
    [...kept].map(([sourceId, { comment, appUid }]) => {
      const parent = nearestKept(comment.parentSourceId);
      return [sourceId, kept.get(parent ?? '')?.appUid === appUid ? parent : undefined];
    }),
  );

  function isAnswerable(id: string): boolean {
    return kept.get(id)?.isHeld === false;
  }

  /** The first answerable id from `start` upwards, including itself; cached for every id on the way. */
  function nearestKept(start: string | undefined): string | undefined {
    const way = new Set<string>();
    let id = start;
    while (id !== undefined && !isAnswerable(id) && !nearest.has(id) && !way.has(id)) {
      way.add(id);
      id = parents.get(id);
    }
    const ancestor = id === undefined || isAnswerable(id) ? id : nearest.get(id);
    for (const each of way) nearest.set(each, ancestor);
    return ancestor;
  }
}
