import { type Json, json } from './json.ts';

/** The sort a list was asked for, already checked against the list's own fields. */
export type Order = { readonly field: string; readonly descending: boolean };

/** Whether trashed items are left out (`false`), shown alone (`true`) or shown with the others (`null`). */
export type Trashed = boolean | null;

/** What every list can be asked for, already inside its limits. `top` is 1 to 100, `skip` 0 to 2^53 - 1. */
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

/** One page of a list: its rendered items and, when asked for, the number of items on all pages. */
export type Page = { readonly items: readonly string[]; readonly count: number | undefined };

/** The list envelope; `start` and `end` are 1-based positions, both 0 on an empty page. */
export function envelope(query: Pick<ListQuery, 'skip' | 'countOnly'>, page: Page): Json {
  if (query.countOnly) return json(`{"count":${page.count ?? 0}}`);
  const start = page.items.length === 0 ? 0 : query.skip + 1;
  const end = page.items.length === 0 ? 0 : query.skip + page.items.length;
  const count = page.count === undefined ? '' : `,"count":${page.count}`;
  return json(`{"data":[${page.items.join(',')}],"start":${start},"end":${end}${count}}`);
}
