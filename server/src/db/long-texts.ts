import { type Expression, type RawBuilder, sql } from 'kysely';
import { pageBytesMax } from '../kernel/page.ts';

/**
 * Long texts in lists. A list reads a short text with its row, and only the size of a long one. The sizes show where the
 * page ends, and then only the long texts of the page are read. So a page never takes more memory than its response,
 * however long the texts are.
 */

/** The most bytes of a text that is read with its row: a page of a hundred such rows is full. */
const shortBytesMax = Math.floor(pageBytesMax / 100);

/** Whether a column is short. */
export function isShort(column: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`octet_length(${column}) <= ${sql.lit(shortBytesMax)}`;
}

/** A column as long as it is short, else null. */
export function shortText(column: Expression<string>): RawBuilder<string | null> {
  return sql<string | null>`case when ${isShort(column)} then ${column} end`;
}

/** How many bytes a column has. The engines know without reading it. */
export function textBytes(column: Expression<string>): RawBuilder<number> {
  return sql<number>`octet_length(${column})`;
}

/** A row of a list whose text is null where it is long. */
type Short = { readonly id: number; readonly content: string | null; readonly bytes: number };

/** The same with its text. */
type Whole<R extends Short> = R & { readonly content: string };

/**
 * The first of `rows`, in their order, that fit into a page, each with its whole text; `load` reads the texts of some ids
 * and is not called when all are short. `bytesOf` answers how much of a page a row takes. A row that is gone meanwhile is
 * left out.
 */
export async function withLongTexts<R extends Short>(
  rows: readonly R[],
  load: (ids: readonly number[]) => Promise<readonly { readonly id: number; readonly content: string }[]>,
  bytesOf: (row: R) => number = (row) => row.bytes,
): Promise<Whole<R>[]> {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += bytesOf(row);
    return bytes > pageBytesMax && index > 0;
  });
  const fitting = end === -1 ? rows : rows.slice(0, end);
  const ids = fitting.filter(({ content }) => content === null).map(({ id }) => id);
  if (ids.length === 0) return fitting as Whole<R>[];
  const long = new Map((await load(ids)).map(({ id, content }) => [id, content]));
  return fitting.flatMap((row) => {
    const content = row.content ?? long.get(row.id);
    return content === undefined ? [] : [{ ...row, content }];
  });
}
