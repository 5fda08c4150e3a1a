import type pg from 'pg';
import { LastUsed } from '../../kernel/last-used.ts';
import { keptStatementsMax } from '../kept-statements.ts';
import { rowMaker } from '../rows.ts';
import { binaryArray, type ElementType } from './array.ts';
import { type BoundQuery, nameOf } from './connection.ts';

/** The kind of a batch: reads of one row each, or inserts of one row each that return its id. */
export type BatchKind = 'read' | 'insert';

/**
 * The text of a batch of queries like one; `rows` has a row for each, with its `question` from 1 and the values named
 * `values`.
 */
function textOf(
  kind: BatchKind,
  { text, traits }: BoundQuery,
  { rows, values }: { rows: string; values: readonly string[] },
): string | undefined {
  if (kind === 'insert') {
    const { insertInto } = traits;
    if (insertInto === undefined) return undefined;
    // Ids are given out in the order of the rows.
    return (
      `with made as (${insertInto} select ${values.join(', ')} from ${rows} order by given.question returning id) ` +
      'select row_number() over (order by id) as question, id from made'
    );
  }
  // A search is planned for its words.
  if (traits.isSearch) return undefined;
  const each = text?.replaceAll(/\$([0-9]+)/g, (_, place: string) => values[Number(place) - 1] ?? 'null');
  return `select given.question, found.* from ${rows} cross join lateral (${each}) as found`;
}

/** The element type of an array of values: `null` where there are only nulls, undefined where they make no array. */
function elementType(values: readonly unknown[]): ElementType | 'null' | undefined {
  const some = values.filter((value) => value !== null);
  if (some.length === 0) return 'null';
  if (some.every((value) => typeof value === 'string')) return 'text';
  if (some.every((value) => value instanceof Uint8Array)) return 'bytea';
  return some.every((value) => Number.isSafeInteger(value)) ? 'bigint' : undefined;
}

/** Texts of batches by what they are made of, or null where these make none. */
const texts = new LastUsed<string, string | null>(keptStatementsMax);

function knownText(kind: BatchKind, query: BoundQuery, types: readonly string[]): string | undefined {
  const key = `${kind} ${types.join()} ${query.text}`;
  const text = texts.getOr(key, () => {
    // A null is none of any type, so it takes the type of where it stands.
    const values = types.map((type, index) => (type === 'null' ? 'null' : `given.v${index}`));
    const present = values.filter((value) => value !== 'null');
    const arrays = types.filter((type) => type !== 'null').map((type, index) => `$${index + 1}::${type}[]`);
    const columns = [...present.map((value) => value.slice('given.'.length)), 'question'];
    const rows = `unnest(${arrays.join(', ')}) with ordinality as given (${columns.join(', ')})`;
    return arrays.length === 0 ? null : (textOf(kind, query, { rows, values }) ?? null);
  });
  return text ?? undefined;
}

/**
 * Several queries of one text as one, whose rows are arrays that begin with the place of their query, from 1; undefined
 * where they must go one by one.
 */
export function batchOf(kind: BatchKind, queries: readonly BoundQuery[]): pg.QueryArrayConfig | undefined {
  const [first] = queries;
  if (first === undefined || queries.length === 1) return undefined;
  const columns = (first.values ?? []).map((_, place) =>
    queries.map(({ values }) => values?.[place] as unknown),
  );
  const types: (ElementType | 'null')[] = [];
  for (const column of columns) {
    const type = elementType(column);
    if (type === undefined) return undefined;
    types.push(type);
  }
  const text = knownText(kind, first, types);
  if (text === undefined) return undefined;
  return {
    text,
    rowMode: 'array',
    values: columns.flatMap((column, place) => {
      const type = types[place] ?? 'null';
      return type === 'null' ? [] : [binaryArray(type, column)];
    }),
    ...(first.name === undefined ? {} : { name: nameOf(text) }),
  };
}

/** The rows of a batch as objects, by the place of their query from 0. */
export function rowsByQuery({ rows, fields }: pg.QueryArrayResult<unknown[]>): Map<number, unknown[]> {
  const apart = new Map<number, unknown[]>();
  const toRow = rowMaker(fields.slice(1).map(({ name }) => name));
  for (const [number, ...values] of rows) {
    const row = toRow(values);
    const place = Number(number) - 1;
    const others = apart.get(place);
    if (others === undefined) apart.set(place, [row]);
    else others.push(row);
  }
  return apart;
}
