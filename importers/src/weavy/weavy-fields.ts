import { type Fields, fieldsOf, isObject, RecordFault } from '../record-fields.ts';
import type { Metadata } from './weavy-records.ts';

/**
 * The fields of an object of Weavy, in both forms of its interface. The first has lists as arrays, `modified_at`,
 * `display_name` and ids beside their objects (`created_by_id`); the second, from version 23 on, has lists as objects with
 * `count` and `data`, `updated_at`, `name`, and ids in their objects (`created_by.id`).
 */

/** The most bytes of metadata that Confab keeps of one object. */
const metadataBytesMax = 64 * 1024;
/** How deep it may be nested. */
const metadataDepthMax = 32;

/** The fields of one object. Every method throws `RecordFault` for a value of another type. */
export type WeavyFields = Fields & {
  /** The id, which must be there. */
  ownId(): string;
  /** The id of an object that is named by a field of its own or that is there itself. */
  idOf(name: string): string | undefined;
  /** A list in either form: its items, and how many there are. */
  list(name: string): { readonly items: readonly unknown[]; readonly count: number };
  /** A count in either form: `comment_count`, or `comments` with its `count`. */
  count(name: string, listName: string): number | undefined;
  /** The display name of a user or app. */
  displayName(): string | undefined;
  metadata(): Metadata | undefined;
  tags(): readonly string[];
  wholeNumber(name: string): number | undefined;
  /** The value of a field as it came. */
  value(name: string): unknown;
};

/** The fields of a value that must be an object. */
export function weavyFields(value: unknown, what = 'the record'): WeavyFields {
  const fields = fieldsOf(value, { what });
  const record: Readonly<Record<string, unknown>> = isObject(value) ? value : {};

  function wholeNumber(name: string): number | undefined {
    const number = record[name] ?? undefined;
    if (number === undefined) return undefined;
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0)
      throw new RecordFault(`the field ${name} is no whole number`);
    return number;
  }
  function list(name: string) {
    const given = record[name] ?? [];
    if (Array.isArray(given)) return { items: given as readonly unknown[], count: given.length };
    const inner = weavyFields(given, `the field ${name}`);
    const items = isObject(given) ? (given['data'] ?? []) : [];
    if (!Array.isArray(items)) throw new RecordFault(`the data of the field ${name} is no list`);
    return { items: items as readonly unknown[], count: inner.wholeNumber('count') ?? items.length };
  }
  return {
    ...fields,
    wholeNumber,
    list,
    value: (name) => record[name],
    ownId() {
      const id = fields.id('id');
      if (id === undefined) throw new RecordFault('the field id is missing');
      return id;
    },
    idOf: (name) => fields.id(`${name}_id`) ?? fields.object(name)?.id('id'),
    count: (name, listName) => wholeNumber(name) ?? (fields.has(listName) ? list(listName).count : undefined),
    displayName: () => fields.text('display_name') ?? fields.text('name'),
    metadata() {
      const metadata = record['metadata'] ?? undefined;
      if (metadata === undefined) return undefined;
      if (!isObject(metadata)) throw new RecordFault('the field metadata is no object');
      if (Object.keys(metadata).length === 0) return undefined;
      if (isDeep(metadata))
        throw new RecordFault(`the field metadata is nested deeper than ${metadataDepthMax}`);
      if (Buffer.byteLength(JSON.stringify(metadata)) > metadataBytesMax)
        throw new RecordFault('the field metadata has more than 64 KiB');
      return metadata;
    },
    tags() {
      const tags = record['tags'] ?? [];
      const isList = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
      if (!isList) throw new RecordFault('the field tags is no list of texts');
      return tags as readonly string[];
    },
  };
}

/** Whether a value is nested too deep. It goes level by level, because a hostile one would exhaust the stack. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > metadataDepthMax) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
