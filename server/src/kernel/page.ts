import type { Problem } from 'confab-contract/problem.ts';
import { Faults } from './faults.ts';
import { type Json, json } from './json.ts';

/** The requested sort order, already checked against the fields of the list. */
export type Order = { readonly field: string; readonly descending: boolean };

/** Whether a list has no trashed items (`false`), only trashed items (`true`) or both (`null`). */
export type Trashed = boolean | null;

/** The value of a row in one part of an order. */
export type OrderKey = string | number | null;

/**
 * Where a list continues: after the row with this id and these order values. `position` is the number of rows on the
 * pages before.
 */
export type Cursor = { readonly keys: readonly OrderKey[]; readonly id: number; readonly position: number };

/**
 * The parameters of every list, already within their limits. `top` is 1 to 100, `skip` 0 to 2^53 - 1. With `after`,
 * `skip` is its position and only numbers the items.
 */
export type ListQuery = {
  readonly q: string | undefined;
  readonly tag: string | undefined;
  readonly trashed: Trashed;
  readonly order: Order;
  readonly top: number;
  readonly skip: number;
  readonly after: Cursor | undefined;
  readonly countOnly: boolean;
  readonly count: boolean;
  readonly expand: ReadonlySet<string>;
};

/** The largest fast `skip`: it reads this many index entries, which takes half a millisecond. */
const quickSkipMax = 1000;

/**
 * Whether a list may take long even for a small page: a search and its count read the positions of every word, a tag
 * reads all items that have it, and a page far down reads everything before it.
 */
export function canTakeLong({ q, tag, skip, after }: ListQuery): boolean {
  return q !== undefined || tag !== undefined || (after === undefined && skip > quickSkipMax);
}

/** Where a list continues: a cursor, or a number for an operation with its own `after` or `before`. */
export type Place = Cursor | number | { readonly before: number };

/** Where the list continues if this many of the rows read are shown; undefined after the last row. */
export type NextPage = (length: number) => Place | undefined;

/**
 * One page of a list: its rendered items and, if requested, the number of items on all pages. There is one item for
 * each of the first rows that were read.
 */
type Page = {
  readonly items: readonly string[];
  readonly count: number | undefined;
  readonly next?: NextPage;
};

/**
 * A page as a response: JSON, or the bytes of it. `next` is where the list continues; undefined on the last
 * page. `isWritable` is whether the caller may add items to the list, for lists that report it.
 */
export type PageAnswer<B = Json | Buffer> = {
  readonly body: B;
  readonly next: Place | undefined;
  readonly isWritable?: boolean;
};

/** The error for an `after` that is not a cursor of this list in this order. */
export function invalidCursor(cause?: unknown): Problem {
  return refusal('after', 'must come from a link of this list in the same order', cause);
}

/** The error for a query parameter, or a combination of them, that the server must not ignore. */
export function refusal(parameter: string, message: string, cause?: unknown): Problem {
  const faults = new Faults();
  faults.add(() => ({ parameter, code: 'invalid', message }));
  return faults.problem('invalid_query', cause);
}

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
export function envelope(query: Pick<ListQuery, 'skip' | 'countOnly'>, page: Page): PageAnswer {
  if (query.countOnly) return { body: json(`{"count":${page.count ?? 0}}`), next: undefined };
  const items = page.items.slice(0, countFitting(page.items));
  const [head, tail] = around(query, { length: items.length, count: page.count });
  return { body: joined(items, head, tail), next: page.next?.(items.length) };
}

/** The same as text, for a page that is part of a larger text. */
export function embeddedPage({ items: all, count }: Omit<Page, 'next'>): Json {
  const items = all.slice(0, countFitting(all));
  const [head, tail] = around({ skip: 0 }, { length: items.length, count });
  return json(head + items.join(',') + tail);
}

/**
 * Items longer than this, in characters, are joined as bytes: one wide character would double the size of the
 * joined text.
 */
const joinedTextMax = 65_536;
const comma = Buffer.from(',');

function joined(items: readonly string[], head: string, tail: string): Json | Buffer {
  const characters = items.reduce((sum, item) => sum + item.length, 0);
  if (characters <= joinedTextMax) return json(head + items.join(',') + tail);
  const parts = items.flatMap((item, index) =>
    index === 0 ? [Buffer.from(item)] : [comma, Buffer.from(item)],
  );
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.from(tail)]);
}

/** The text of the list envelope before and after `length` items. */
export function around(
  { skip }: Pick<ListQuery, 'skip'>,
  { length, count }: { readonly length: number; readonly count: number | undefined },
): readonly [string, string] {
  const [start, end] = length === 0 ? [0, 0] : [skip + 1, skip + length];
  return ['{"data":[', `],"start":${start},"end":${end}${count === undefined ? '' : `,"count":${count}`}}`];
}
