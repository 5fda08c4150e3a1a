import type { Root } from './anchors.ts';
import type { Desk } from './desk.ts';
import { type MarkKind, mark } from './marking.ts';
import type { Spot } from './places.ts';

/** Which threads are shown, and what is marked of them. */

/** The threads that the filter leaves, in the order of the page; those whose place is gone come last. */
export function shownOf(desk: Desk): readonly Root[] {
  const { roots, places, filter = 'open' } = desk;
  if (roots === undefined || places === undefined || !places.isPlaced()) return [];
  const kept = roots
    .all()
    .filter((each) => filter === 'all' || (each.resolved_at !== undefined) === (filter === 'resolved'));
  const at = ({ id }: Root) => places.spot(id)?.at ?? Number.MAX_SAFE_INTEGER;
  return kept.toSorted((a, b) => at(a) - at(b));
}

/** Where what the panel shows is now; undefined for the list. */
export function spotShown({ places, view }: Desk): Spot | undefined {
  if (view === undefined || 'list' in view) return undefined;
  const [id] = view.thread.ids;
  return (id === undefined ? undefined : places?.spot(id)) ?? view.spot;
}

/** Marks the places of the threads that are shown, and of what is open. */
export function markShown(desk: Desk): void {
  const { places } = desk;
  if (places === undefined) return;
  const marks = new Map<MarkKind, Range[]>([
    ['open', []],
    ['resolved', []],
    ['current', []],
  ]);
  for (const { id, resolved_at: at } of shownOf(desk)) {
    const range = places.spot(id)?.range;
    if (range !== undefined) marks.get(at === undefined ? 'open' : 'resolved')?.push(range);
  }
  const current = spotShown(desk)?.range;
  if (current !== undefined) marks.get('current')?.push(current);
  mark(desk, places.content.getRootNode() as Document | ShadowRoot, marks);
  desk.marks = marks;
}
