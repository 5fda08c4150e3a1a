import { tooLong } from './external-database.ts';
import { timeInZone } from './local-time.ts';

/** Access to the fields of a record, by type. A wrong type costs the record that has it, and its fault names the field. */

/** Why a record cannot be read, as half a sentence. */
export class RecordFault extends Error {}

/** The fields of an object. A field that is absent, null or, as text, empty counts as absent. */
export interface Fields {
  /** A text without control characters and outer white space. */
  text(name: string): string | undefined;
  /** A text, or a whole number as text. */
  id(name: string): string | undefined;
  /** True or false, also as `1`, `0` or text; false when absent. */
  flag(name: string): boolean;
  /** A time in milliseconds, or in seconds in the record; throws when absent. */
  time(name: string, unit?: { readonly isInSeconds: true }): number;
  /** The nodes of a GraphQL connection, and its count; none where it is absent or of another type. */
  connection(name: string): { readonly nodes: readonly unknown[]; readonly total: number };
  object(name: string): Fields | undefined;
  has(name: string): boolean;
  /** A text or a whole number as text; also absent where the type is another. */
  tolerant(name: string): string | undefined;
}

/** What a value is called in a fault, and the zone of dates that have none: UTC when absent. */
type RecordForm = { readonly what?: string; readonly timeZone?: string | undefined };

/** The fields of a value that must be an object. Each method throws `RecordFault` for a wrong type. */
export function fieldsOf(value: unknown, { what = 'the record', timeZone }: RecordForm = {}): Fields {
  if (!isObject(value)) throw new RecordFault(`${what} is no object`);
  const record = new Map(Object.entries(value));
  const wrong = (name: string, expected: string) => new RecordFault(`the field ${name} is no ${expected}`);
  const found = (name: string): unknown => {
    const value = record.get(name) ?? undefined;
    if (value === tooLong) throw new RecordFault(`the field ${name} is far too long`);
    return value;
  };
  return {
    text(name) {
      const text = found(name);
      if (text === undefined) return undefined;
      if (typeof text !== 'string') throw wrong(name, 'text');
      return cleaned(text) || undefined;
    },
    id(name) {
      const id = found(name);
      if (id === undefined) return undefined;
      // A larger number has lost its last digits, and could be that of another record.
      if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
      if (typeof id !== 'string') throw wrong(name, 'text or whole number below 2^53');
      return cleaned(id) || undefined;
    },
    flag(name) {
      const flag = found(name) ?? false;
      if (flag === true || flag === 1 || /^(?:true|1)$/i.test(String(flag))) return true;
      if (flag === false || flag === 0 || /^(?:false|0|)$/i.test(String(flag))) return false;
      throw wrong(name, 'true or false');
    },
    time(name, unit) {
      const value = found(name);
      const time = timeOf(unit !== undefined && typeof value === 'number' ? value * 1000 : value, timeZone);
      if (time === undefined) throw wrong(name, 'date that exists');
      return time;
    },
    object(name) {
      const object = found(name);
      return object === undefined ? undefined : fieldsOf(object, { what: `the field ${name}`, timeZone });
    },
    has: (name) => record.has(name),
    connection(name) {
      const connection = found(name);
      const nodes = isObject(connection) ? connection['nodes'] : undefined;
      if (!isObject(connection) || !Array.isArray(nodes)) return { nodes: [], total: 0 };
      return { nodes, total: Number(connection['totalCount'] ?? nodes.length) || 0 };
    },
    tolerant(name) {
      const value = record.get(name);
      return typeof value === 'string' || typeof value === 'number'
        ? cleaned(String(value)) || undefined
        : undefined;
    },
  };
}

/** Whether a value is an object with all of some fields, by which a kind of file is known. */
export function fieldsIn(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => Object.hasOwn(value, name));
}

/** Whether a value is an object and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The last millisecond that a time can have: the end of the year 9999. */
const timeMax = Date.UTC(10_000, 0) - 1;

/** A time in milliseconds: a number of milliseconds, a text, or an object of LeanCloud around a text. */
function timeOf(value: unknown, timeZone: string | undefined): number | undefined {
  if (typeof value === 'number') return Math.abs(value) <= timeMax ? Math.round(value) : undefined;
  if (typeof value === 'string') return isoTime(value, timeZone);
  const iso = typeof value === 'object' && value !== null && 'iso' in value ? value.iso : undefined;
  return typeof iso === 'string' ? isoTime(iso, timeZone) : undefined;
}

/**
 * A date with a time of day, as ISO 8601 and as SQL and Go write it; undefined for anything else and for days that do not
 * exist. One without a zone is in the zone given, or else in UTC.
 */
function isoTime(text: string, timeZone: string | undefined): number | undefined {
  const parts =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(?: ?(Z|[+-]\d\d):?(\d\d)?)?(?: [A-Z]{1,5}| [+-]\d{1,4})?$/.exec(
      text.trim(),
    );
  if (!parts) return undefined;
  const [, day, time, fraction = '', zone, minutes = '00'] = parts;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The parser reads 31 February as a day in March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day ?? '')) return undefined;
  const offset = zone === undefined || zone === 'Z' ? 'Z' : `${zone}:${minutes}`;
  const ms = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offset}`);
  if (Number.isNaN(ms)) return undefined;
  return zone === undefined && timeZone !== undefined ? timeInZone(ms, timeZone) : ms;
}

// Databases refuse a zero byte and half of a surrogate pair; other control characters are no text.
const forbiddenCharacters = /[^\t\n\r -\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Text without control characters, broken characters and outer white space, and with line feeds alone. */
function cleaned(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(forbiddenCharacters, '').trim();
}
