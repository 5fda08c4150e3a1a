import { type Json, json } from './json.ts';

/** The requested sort order, already checked against the fields of the list. */
export type Order = { readonly field: string; readonly descending: boolean };

/** Whether trashed items are excluded (`false`), the only ones (`true`) or included (`null`). */
export type Trashed = boolean | null;

/** The parameters of every list, already within their limits. `top` is 1 to 100, `skip` 0 to 2^53 - 1. */
export type ListQuery = {
  readonly q: string | undefined;
  readonly tag: string | undefined;
  readonly trashed: Trashed;
  readonly order: Order;
  readonly top: number;
  readonly skip: number;
  readonly countOnly: boolean;
  readonly count: boolean;
  readonly expand: ReadonlySet<string>;
};

/** One page of a list: its rendered items and, if requested, the number of items on all pages. */
export type Page = { readonly items: readonly string[]; readonly count: number | undefined };

/**
 * The most bytes of all items of one page. A page ends before the item that would exceed this limit, but has at least one
 * item. Without it a hundred comments of 64 KiB would be a response of 49 MB. `end` and `next` tell the client where to
 * continue.
 */
export const pageBytesMax = 4 * 1024 * 1024;

/** How many of the first `items` fit into one page. */
export function countFitting(items: readonly string[]): number {
  let characters = 0;
  for (const item of items) characters += item.length;
  // A text has at most three bytes per unit of its length, so most pages need no counting.
  if (characters * 3 <= pageBytesMax) return items.length;
  let bytes = 0;
  const exceeding = items.findIndex((item) => {
    bytes += Buffer.byteLength(item);
    return bytes > pageBytesMax;
  });
  return exceeding === -1 ? items.length : Math.max(exceeding, 1);
}

/**
 * The list envelope; `start` and `end` are 1-based positions, both 0 on an empty page. Items beyond `pageBytesMax` are
 * left to the next page.
 */
export function envelope(query: Pick<ListQuery, 'skip' | 'countOnly'>, page: Page): Json {
  if (query.countOnly) return json(`{"count":${page.count ?? 0}}`);
  const items = page.items.slice(0, countFitting(page.items));
  const start = items.length === 0 ? 0 : query.skip + 1;
  const end = items.length === 0 ? 0 : query.skip + items.length;
  const count = page.count === undefined ? '' : `,"count":${page.count}`;
  return json(`{"data":[${items.join(',')}],"start":${start},"end":${end}${count}}`);
}
