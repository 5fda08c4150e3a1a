import { limits } from 'confab-contract/fields.ts';
import { defaultOrderOf, type ListSpec, type Operation } from 'confab-contract/operation.ts';
import { parseTimestamp } from 'confab-contract/values/time.ts';
import { Faults } from '../../kernel/faults.ts';
import { type Cursor, type ListQuery, type Order, refusal } from '../../kernel/page.ts';
import { isReferenceClient } from '../../kernel/reference-client.ts';
import { isQuestionTooLong, searchWordsMax } from '../../kernel/search.ts';
import { readCursor } from './cursor.ts';
import { decode, foldName, nameOf } from './query-parts.ts';

/**
 * Query strings are read leniently, because list operations declare no 400: a value outside its range is clamped and an
 * unreadable one counts as absent. With `Prefer: handling=strict` (RFC 7240) the same mistakes are a 400. An unusable
 * cursor always is: a client that got the first page instead of the next would never reach the end.
 * Names match ignoring case and underscores, as existing clients spell them.
 */

/** The most parameters of one query that are read; the rest are ignored. */
const parametersMax = 200;

/** The parameters of a query by folded name, first value first. */
function parameters(url: string): Map<string, string[]> {
  const valuesByName = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start === -1) return valuesByName;
  for (const part of url.slice(start + 1).split('&', parametersMax)) {
    const equals = part.indexOf('=');
    const key = nameOf(part);
    const value = decode(equals === -1 ? '' : part.slice(equals + 1));
    if (key === undefined || value === undefined || key === '') continue;
    const values = valuesByName.get(key);
    if (values === undefined) valuesByName.set(key, [value]);
    else values.push(value);
  }
  return valuesByName;
}

function fault(faults: Faults, parameter: string, message: string): undefined {
  faults.add(() => ({ parameter, code: 'invalid', message }));
  return undefined;
}

function readInteger(
  text: string | undefined,
  range: { name: string; min: number; max: number },
  faults: Faults,
): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^[+-]?[0-9]+$/.test(text)) return fault(faults, range.name, 'must be an integer');
  const value = Number(text);
  if (value < range.min || value > range.max)
    fault(faults, range.name, `must be between ${range.min} and ${range.max}`);
  return Math.min(Math.max(value, range.min), range.max);
}

function readBoolean(text: string | undefined, name: string, faults: Faults): boolean | undefined {
  if (text === undefined || text === '') return undefined;
  const folded = text.toLowerCase();
  if (folded === 'true') return true;
  if (folded === 'false') return false;
  return fault(faults, name, 'must be true or false');
}

function readTrueFalseNull(
  text: string | undefined,
  name: string,
  faults: Faults,
): boolean | null | undefined {
  if (text?.toLowerCase() === 'null') return null;
  return readBoolean(text, name, faults);
}

function readText(text: string | undefined): string | undefined {
  // NUL and lone surrogates are in no stored text, so they are removed from search texts.
  const readable = text?.toWellFormed().replaceAll('\0', '');
  return readable === '' ? undefined : readable;
}

function readOrder(text: string | undefined, list: ListSpec, faults: Faults): Order {
  if (text === undefined || text.trim() === '') return defaultOrderOf(list);
  const [first = '', ...more] = list.takesSeveral === true ? text.split(',') : [text];
  for (const part of more) readOrder(part, list, faults);
  const [name = '', direction, ...rest] = first.trim().split(/[\s+]+/);
  const field = list.orderBy.find((known) => foldName(known) === foldName(name));
  const folded = direction?.toLowerCase();
  const isDirection = folded === undefined || folded === 'asc' || folded === 'desc';
  if (field === undefined || !isDirection || rest.length > 0) {
    fault(faults, 'order_by', `must be one of ${list.orderBy.join(', ')}, with +desc for descending`);
    return defaultOrderOf(list);
  }
  return { field, descending: folded === 'desc' };
}

/** An operation with its list parameters, and the client that sends the request (`source`). */
type Listing = {
  readonly operation: Operation;
  readonly list: ListSpec;
  readonly source: string | undefined;
};

function readExpand(
  text: string | undefined,
  { list, source }: Pick<Listing, 'list' | 'source'>,
  faults: Faults,
): Set<string> {
  if (isReferenceClient(source)) return new Set(list.expand);
  const fields = new Set<string>();
  for (const name of text?.split(',') ?? []) {
    if (name.trim() === '') continue;
    const known = list.expand.find((field) => foldName(field) === foldName(name.trim()));
    if (known === undefined) fault(faults, 'expand', `must be some of ${list.expand.join(', ')}`);
    else fields.add(known);
  }
  return fields;
}

const commonNames = [
  'q',
  'tag',
  'trashed',
  'orderby',
  'top',
  'skip',
  'after',
  'countonly',
  'count',
  'expand',
];

/** The cursor of a list. An operation with its own `after` reads it itself. */
function readAfter(values: Map<string, string[]>, { operation }: Listing, order: Order): Cursor | undefined {
  const text = values.get('after')?.[0] ?? '';
  if (text === '' || operation.query?.properties.after !== undefined) return undefined;
  if ((values.get('skip')?.[0] ?? '') !== '') throw refusal('skip', 'cannot be combined with after');
  return readCursor({ operation, list: { order } }, text);
}

function readList(values: Map<string, string[]>, listing: Listing, faults: Faults): ListQuery {
  const { list } = listing;
  const first = (name: string) => values.get(name)?.[0];
  const order = readOrder(first('orderby'), list, faults);
  const after = readAfter(values, listing, order);
  const skip = readInteger(first('skip'), { name: 'skip', min: 0, max: Number.MAX_SAFE_INTEGER }, faults);
  const countOnly = readBoolean(first('countonly'), 'count_only', faults) ?? false;
  return {
    q: readText(first('q')),
    tag: readText(first('tag'))?.trim(),
    trashed:
      readTrueFalseNull(first('trashed'), 'trashed', faults) ?? (isNull(first('trashed')) ? null : false),
    order,
    top: readInteger(first('top'), { name: 'top', min: 1, max: limits.topMax }, faults) ?? limits.topDefault,
    skip: after?.position ?? skip ?? 0,
    after,
    countOnly,
    count: countOnly || (readBoolean(first('count'), 'count', faults) ?? true),
    expand: readExpand(first('expand'), listing, faults),
  };
}

function isNull(text: string | undefined): boolean {
  return text?.toLowerCase() === 'null';
}

/** A parameter of an operation, with its name as `nameOf` folds it. */
type OwnParameter = { readonly folded: string; readonly name: string; readonly schema: PropertySchema };

function readOwn(
  values: Map<string, string[]>,
  own: readonly OwnParameter[],
  faults: Faults,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const parameter of own) {
    const value = readProperty(values.get(parameter.folded), parameter, faults);
    if (value !== undefined) query[parameter.name] = value;
  }
  return query;
}

type PropertySchema = {
  type?: string;
  format?: string;
  items?: { readonly format?: string };
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
};

function readProperty(
  values: string[] | undefined,
  { name, schema }: { name: string; schema: PropertySchema },
  faults: Faults,
): unknown {
  const first = values?.[0];
  if (schema.type === 'integer') {
    const range = { name, min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER };
    return readInteger(first, range, faults);
  }
  if (schema.type === 'boolean') return readBoolean(first, name, faults);
  if (schema.type === 'array') {
    // A uid can contain a comma.
    const isSplit = schema.items?.format === undefined;
    const items = (isSplit ? values?.flatMap((value) => value.split(',')) : values)?.map(readText);
    const readable = items?.filter((item) => item !== undefined);
    return readable === undefined || readable.length === 0 ? undefined : readable;
  }
  if (schema.enum?.includes('null') === true) return readTrueFalseNull(first, name, faults);
  const text = readText(first);
  if (schema.enum !== undefined) return readChoice(text, { name, choices: schema.enum }, faults);
  return schema.format === 'date-time' ? readTime(text, name, faults) : text;
}

function readChoice(
  text: string | undefined,
  { name, choices }: { name: string; choices: readonly string[] },
  faults: Faults,
): string | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((known) => known === text.toLowerCase());
  return choice ?? fault(faults, name, `must be one of ${choices.join(', ')}`);
}

function readTime(text: string | undefined, name: string, faults: Faults): string | undefined {
  if (text === undefined) return undefined;
  // An unencoded plus sign of a time offset is a space in a query.
  const time = text.replace(/ (?=\d{2}:\d{2}$)/, '+');
  return parseTimestamp(time) === undefined ? fault(faults, name, 'must be a time by RFC 3339') : time;
}

/** The parsed query of one request. */
export type ReadQuery = { readonly own: Record<string, unknown>; readonly list: ListQuery | undefined };

/** Reads the query of an address. Throws `invalid_query` for an unusable cursor, and for other mistakes only when strict. */
export type QueryReader = (
  url: string,
  options: { readonly isStrict: boolean; readonly source: string | undefined },
) => ReadQuery;

const nothing: ReadQuery = { own: {}, list: undefined };

/** Creates the reader of an operation's query. An operation without parameters looks at its query only when strict. */
export function queryReader(operation: Operation): QueryReader {
  const { list } = operation;
  const own = Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => ({
    folded: foldName(name),
    name,
    schema: schema as PropertySchema,
  }));
  const known = new Set(own.map(({ folded }) => folded).concat(list === undefined ? [] : commonNames));
  const isWithout = own.length === 0 && list === undefined;
  return (url, { isStrict, source }) => {
    if (isWithout && !isStrict) return nothing;
    const faults = new Faults();
    const values = parameters(url);
    const read = {
      own: readOwn(values, own, faults),
      list: list && readList(values, { operation, list, source }, faults),
    };
    if (isStrict) refuseMistakes(values, known, faults);
    return read;
  };
}

function refuseMistakes(
  values: ReadonlyMap<string, string[]>,
  known: ReadonlySet<string>,
  faults: Faults,
): void {
  if (isQuestionTooLong(values.get('q')?.[0]))
    fault(faults, 'q', `must have at most ${searchWordsMax} words`);
  for (const name of values.keys())
    if (!known.has(name))
      faults.add(() => ({ parameter: name, code: 'unknown', message: 'is not a parameter here' }));
  if (faults.count > 0) throw faults.problem('invalid_query');
}
