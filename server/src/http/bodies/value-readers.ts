import { Selector } from 'confab-contract/anchors.ts';
import { limits } from 'confab-contract/fields.ts';
import { isLongerThan } from 'confab-contract/values/characters.ts';
import { ownUidFault, uidFault } from 'confab-contract/values/ids.ts';
import { parseTimestamp } from 'confab-contract/values/time.ts';
import type { TSchema } from 'typebox';
import { isKept } from './number-sources.ts';
import { faulty, type ValidationState } from './validation-state.ts';

/**
 * Readers of JSON values, created from the schemas of the contract. They convert nothing: `5` is not a string. A reader
 * takes time linear in the value, and recurses as deep as the schema or the nesting limit of bodies.
 */

/** A JSON Schema, as far as the bodies of the contract use it. */
type Schema = {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  /** Alternatives: the properties of one of them are required. */
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
};

const understood: ReadonlySet<string> = new Set<keyof Schema | '$id' | 'description' | 'examples'>([
  ...([
    'type',
    'format',
    'enum',
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'items',
  ] as const),
  ...([
    'minItems',
    'maxItems',
    'uniqueItems',
    'properties',
    'required',
    'anyOf',
    '$id',
    'description',
    'examples',
  ] as const),
]);

/**
 * Reads a value and returns its valid parts, or `faulty`. `sources` is the same value, in which numbers that a double may
 * change are strings (see `JsonBody`).
 */
export type ValueReader = (value: unknown, sources: unknown, state: ValidationState) => unknown;

/** The meaning of null in an optional field: cleared or absent. */
export type ObjectOptions = {
  readonly keepsNull: boolean;
  /** Optional fields that cannot be cleared. */
  readonly neverNull: readonly string[];
};

const nullIsAbsent: ObjectOptions = { keepsNull: false, neverNull: [] };

/** Creates the reader of a schema. Throws an Error for an unsupported keyword. */
export function valueReader(schema: TSchema, options: ObjectOptions = nullIsAbsent): ValueReader {
  return readerOf(schema as Schema, options);
}

function readerOf(schema: Schema, options: ObjectOptions = nullIsAbsent): ValueReader {
  const unknown = Object.keys(schema).find((keyword) => !understood.has(keyword));
  if (unknown !== undefined) throw new Error(`no reader understands the keyword ${unknown}`);
  const { type, format } = schema;
  if (type === undefined) return readAny;
  if (typeof type !== 'string')
    return unionReader(type.map((each) => [each, readerOf({ ...schema, type: each })]));
  if (type === 'string') return textReader(schema);
  if (type === 'integer') return integerReader(schema);
  if (type === 'boolean')
    return (value, _sources, state) => (typeof value === 'boolean' ? value : state.isNo('boolean'));
  if (type === 'array') return arrayReader(schema);
  if (type === 'object')
    return (format === undefined ? undefined : objectFormats[format]) ?? objectReader(schema, options);
  throw new Error(`no reader understands the type ${type}`);
}

function unionReader(readers: readonly (readonly [type: string, read: ValueReader])[]): ValueReader {
  const types = readers.map(([type]) => type).join(' or ');
  const ofTexts = readers.find(([type]) => type === 'string')?.[1];
  const ofNumbers = readers.find(([type]) => type === 'integer')?.[1];
  return (value, sources, state) => {
    const read = typeof value === 'string' ? ofTexts : Number.isInteger(value) ? ofNumbers : undefined;
    return read === undefined ? state.isNo(types) : read(value, sources, state);
  };
}

function illFormed(text: string): string | undefined {
  if (!text.isWellFormed()) return 'must not contain an unpaired surrogate';
  return text.includes('\0') ? 'must not contain U+0000' : undefined;
}

type Fault = readonly [code: string, message: string];

function ofUid(message: string | undefined): Fault | undefined {
  return message === undefined ? undefined : ['uid', message];
}

const formats: { readonly [format: string]: (text: string) => Fault | undefined } = {
  'app-uid': (text) => ofUid(ownUidFault('app', text)),
  'directory-uid': (text) => ofUid(uidFault(text)),
  'user-uid': (text) => ofUid(ownUidFault('user', text)),
  'anchor-key': (text) => {
    if (text.trim() === '') return ['required', 'must not be blank'];
    return /\p{Cc}/u.test(text.trim()) ? ['pattern', 'must not contain control characters'] : undefined;
  },
  text: (text) =>
    // A string has at most three bytes per unit of its length, so most texts need no counting.
    text.length * 3 <= limits.textBytesMax || Buffer.byteLength(text) <= limits.textBytesMax
      ? undefined
      : ['too_long', `must have at most ${limits.textBytesMax} bytes in UTF-8`],
  'date-time': (text) =>
    parseTimestamp(text) === undefined
      ? ['time', 'must be a time by RFC 3339, such as 2026-11-21T07:42:00Z']
      : undefined,
};

function textReader(schema: Schema): ValueReader {
  const { minLength = 0, maxLength, enum: choices } = schema;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  const ofFormat = schema.format === undefined ? undefined : formats[schema.format];
  if (schema.format !== undefined && ofFormat === undefined)
    throw new Error(`no reader understands the format ${schema.format}`);

  function faultOf(text: string): Fault | undefined {
    if (text.length < minLength) return ['minlength', 'must not be empty'];
    if (maxLength !== undefined && isLongerThan(text, maxLength))
      return ['maxlength', `must have at most ${maxLength} characters`];
    if (choices !== undefined && !choices.includes(text))
      return ['enum', `must be one of ${choices.join(', ')}`];
    if (pattern?.test(text) === false) return ['pattern', 'must not be blank'];
    const fault = ofFormat?.(text);
    if (fault !== undefined) return fault;
    const ill = illFormed(text);
    return ill === undefined ? undefined : ['ill_formed', ill];
  }

  return (value, _sources, state) => {
    if (typeof value !== 'string') return state.isNo('string');
    const fault = faultOf(value);
    return fault === undefined ? value : state.breaks(...fault);
  };
}

function integerReader({ minimum = -Infinity, maximum = Infinity }: Schema): ValueReader {
  return (value, _sources, state) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return state.isNo('integer');
    if (value < minimum) return state.breaks('minimum', `must be at least ${minimum}`);
    return value > maximum ? state.breaks('maximum', `must be at most ${maximum}`) : value;
  };
}

function arrayReader({ items = {}, minItems = 0, maxItems = Infinity, uniqueItems }: Schema): ValueReader {
  const readItem = readerOf(items);
  return (value, sources, state) => {
    if (!Array.isArray(value)) return state.isNo('array');
    if (value.length < minItems) return state.breaks('minitems', `must have at least ${minItems} items`);
    // Report one fault for the array; its items are not validated.
    if (value.length > maxItems) return state.breaks('maxitems', `must have at most ${maxItems} items`);
    const before = state.count;
    const read = value.map((item, index) => {
      state.enter(index);
      const result = readItem(item, (sources as unknown[])[index], state);
      state.leave();
      return result;
    });
    if (state.count > before) return faulty;
    if (uniqueItems === true && new Set(read).size < read.length)
      return state.breaks('uniqueitems', 'must not hold the same item twice');
    return read;
  };
}

/** Null means absent, except for fields that it clears. */
function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keeps the known properties, without the invalid ones, so that the others can still be validated. */
function objectReader(schema: Schema, options: ObjectOptions): ValueReader {
  const { properties = {}, required = [], anyOf = [] } = schema;
  const [firstChoice] = anyOf;
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    read: readerOf(property),
    isRequired: required.includes(name),
    isNeverNull: options.keepsNull && options.neverNull.includes(name),
  }));
  const { keepsNull } = options;

  return (value, sources, state) => {
    if (!isObject(value)) return state.isNo('object');
    const result: Record<string, unknown> = {};
    for (const { name, read, isRequired, isNeverNull } of fields) {
      const fieldValue = Object.hasOwn(value, name) ? value[name] : undefined;
      if (isThere(fieldValue)) {
        state.enter(name);
        const field = read(fieldValue, (sources as typeof value)[name], state);
        state.leave();
        if (field !== faulty) result[name] = field;
      } else if (isRequired) state.breaks('required', 'is required', name);
      else if (fieldValue === null && isNeverNull) state.breaks('required', 'cannot be cleared', name);
      else if (fieldValue === null && keepsNull) result[name] = null;
    }
    if (
      firstChoice !== undefined &&
      !anyOf.some((choice) => choice.required.every((name) => isThere(value[name])))
    )
      state.breaks('required', 'is required', firstChoice.required[0]);
    if (state.isStrict)
      for (const name of Object.keys(value))
        if (!Object.hasOwn(properties, name))
          state.breaks('unknown_property', 'is not a property of this operation', name);
    return result;
  };
}

function readMetadata(value: unknown, sources: unknown, state: ValidationState): unknown {
  if (!isObject(value)) return state.isNo('object');
  if (Buffer.byteLength(JSON.stringify(value)) > limits.metadataBytesMax)
    return state.breaks('too_long', `must have at most ${limits.metadataBytesMax} bytes when serialised`);
  if (isDeeper(value, limits.metadataDepthMax))
    return state.breaks('too_deep', `must be nested at most ${limits.metadataDepthMax} levels deep`);
  return readAny(value, sources, state);
}

/** The reader of a selector, which is made once, because selectors are in selectors. */
let selectorReader: ValueReader | undefined;

/** Reads a selector inside another one; as deep as bodies are nested. */
function readSelector(value: unknown, sources: unknown, state: ValidationState): unknown {
  selectorReader ??= readerOf(Selector as Schema);
  return selectorReader(value, sources, state);
}

const objectFormats: { readonly [format: string]: ValueReader } = {
  metadata: readMetadata,
  selector: readSelector,
};

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** Reads a value of any type, which is kept as sent. */
function readAny(value: unknown, sources: unknown, state: ValidationState): unknown {
  const before = state.count;
  judgeAny(value, sources, state);
  return state.count > before ? faulty : value;
}

function judgeAny(value: unknown, source: unknown, state: ValidationState): void {
  if (typeof value === 'string') {
    const fault = illFormed(value);
    if (fault !== undefined) state.breaks('ill_formed', fault);
  } else if (typeof value === 'number') {
    if (typeof source === 'string' && !isKept(source, value))
      state.breaks('number', 'must be a number that can be kept exactly');
  } else if (Array.isArray(value)) {
    // Arrays are separate, because `Object.entries` of a megabyte of items takes ten times as long.
    for (let index = 0; index < value.length; index += 1) {
      state.enter(index);
      judgeAny(value[index], (source as unknown[])[index], state);
      state.leave();
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const fault = illFormed(key);
      if (fault !== undefined) state.breaks('ill_formed', fault, key);
      state.enter(key);
      judgeAny(member, (source as Readonly<Record<string, unknown>>)[key], state);
      state.leave();
    }
  }
}
