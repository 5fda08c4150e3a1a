/**
 * Which parts of an ordered list of ids are known. A list is read page by page, from its beginning or from the middle (for a
 * permalink), and read again when something has changed. A *segment* is a part without holes; between two segments, and
 * after the last one where `hasMore`, there are ids that have not been read.
 */

/** Consecutive ids of the list. */
export type Segment = {
  readonly ids: readonly number[];
  /** Whether something that is not known follows it. Where not, the next segment is taken to follow until a page says otherwise. */
  readonly hasMore: boolean;
};

/** A page of the list: what follows `from`, or the beginning of the list where it is absent. */
export type PageOfIds = {
  readonly ids: readonly number[];
  readonly from?: number | undefined;
  readonly hasMore: boolean;
};

/** What a page has changed: the ids that were not known before, and those that are in the list no more. */
export type PageChange = { readonly added: readonly number[]; readonly removed: readonly number[] };

/** The order of a list: negative where `a` comes before `b`. */
export type Compare = (a: number, b: number) => number;

/** Creates a list in an order. */
export function createSegments(compare: Compare) {
  let segments: readonly Segment[] = [];

  return {
    /** The segments in the order of the list. */
    all: () => segments,

    /**
     * Takes a page. It says everything about the part of the list from its beginning to its last id: what it lacks there is
     * gone. Pages that meet what is known are joined with it.
     */
    take({ ids, from, hasMore }: PageOfIds): PageChange {
      const end = ids.at(-1);
      const covers = (id: number) =>
        (from === undefined || compare(from, id) < 0) &&
        (!hasMore || (end !== undefined && compare(id, end) <= 0));
      const page = new Set(ids);
      const touched = segments.filter((each) => each.ids.some(covers) || touches(each, from));
      const known = new Set(touched.flatMap((each) => each.ids));
      const removed = [...known].filter((id) => covers(id) && !page.has(id));
      const gone = new Set(removed);
      const joined = [...new Set([...known, ...ids])].filter((id) => !gone.has(id)).sort(compare);
      const isEnd = joined.at(-1) === end || !hasMore;
      const segment = { ids: joined, hasMore: isEnd ? hasMore : (touched.at(-1)?.hasMore ?? hasMore) };
      segments = [...segments.filter((each) => !touched.includes(each)), segment]
        .filter((each) => each.ids.length > 0)
        .sort((a, b) => compare(a.ids[0] as number, b.ids[0] as number));
      return { added: ids.filter((id) => !known.has(id)), removed };
    },

    /**
     * Adds an id that is in the list, at its place: one that was just written. At an end it is a segment of its own, because
     * others may have written meanwhile.
     */
    put(id: number): void {
      const at = segments.findLastIndex((each) => compare(each.ids[0] as number, id) <= 0);
      const before = segments[at];
      if (before?.ids.includes(id)) return;
      const isInside = before !== undefined && compare(id, before.ids.at(-1) as number) < 0;
      const segment = isInside
        ? { ...before, ids: [...before.ids, id].sort(compare) }
        : { ids: [id], hasMore: before?.hasMore ?? false };
      segments = [...segments.slice(0, isInside ? at : at + 1), segment, ...segments.slice(at + 1)];
    },

    /** Forgets ids. Where `isCut` they are still in the list, and there are holes where they were. */
    remove(gone: ReadonlySet<number>, isCut = false): void {
      const left: { readonly ids: number[]; hasMore: boolean }[] = [];
      for (const { ids, hasMore } of segments) {
        let part: number[] | undefined;
        for (const id of ids) {
          const before = left.at(-1);
          if (!gone.has(id)) {
            if (part === undefined) {
              part = [];
              left.push({ ids: part, hasMore });
            }
            part.push(id);
          } else if (isCut) {
            part = undefined;
            if (before !== undefined) before.hasMore = true;
          }
        }
      }
      segments = left;
    },
  };
}

/** Whether a page that follows an id continues a segment. */
function touches({ ids }: Segment, from: number | undefined): boolean {
  return from !== undefined && ids.at(-1) === from;
}
