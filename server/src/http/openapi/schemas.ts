import { limits, meaningHere } from 'confab-contract/fields.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { uidCharactersMax } from 'confab-contract/values/ids.ts';
import type { TSchema } from 'typebox';

/** A JSON Schema (2020-12) of the document. */
export type Schema = { readonly [keyword: string]: unknown };

/** The validator's formats as JSON Schema. Descriptions cover the rules that JSON Schema cannot express. */
const formats: { readonly [format: string]: Schema } = {
  uid: {
    minLength: 1,
    maxLength: uidCharactersMax,
    pattern: '\\D',
    description: 'No white space, and at least one character that is not a digit.',
  },
  text: { maxLength: limits.textBytesMax },
  metadata: { additionalProperties: true },
  selector: { additionalProperties: true },
  'anchor-key': {},
};

/** The named schemas of the contract and the references to them. */
export type Schemas = {
  /** The schema, or a reference to it if it has a name; named schemas inside it become references as well. */
  use(schema: TSchema): Schema;
  /** The same for the body of an operation: fields that it can clear may be null. */
  useBody(operation: Operation & { readonly body: TSchema }): Schema;
  /** Every schema in use, by name, sorted. */
  named(): { readonly [name: string]: Schema };
};

/**
 * An empty collection of named schemas. References use the path of an OpenAPI document unless another is given, and
 * schemas have their ids as names unless `nameFor` gives them others.
 */
export function createSchemas(
  place = '#/components/schemas/',
  nameFor: (schema: TSchema, id: string) => string = (_, id) => id,
): Schemas {
  const byName = new Map<string, Schema>();

  function add(name: string, schema: Schema): Schema {
    const known = byName.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different schemas are called ${name}`);
    byName.set(name, schema);
    return { $ref: `${place}${name}` };
  }

  function convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== 'object' || value === null) return value;
    const { $id, format, [meaningHere]: meaning, ...rest } = value as { [keyword: string | symbol]: unknown };
    const own = typeof format === 'string' ? (formats[format] ?? { format }) : {};
    const schema: Schema = {
      ...own,
      ...Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, convert(inner)])),
    };
    if (typeof $id !== 'string') return schema;
    // A reference may have its own description alongside that of its target (JSON Schema 2020-12, 8.2.3.1).
    const name = nameFor(value as TSchema, $id);
    return { ...add(name, schema), ...(meaning === undefined ? {} : { description: meaning }) };
  }

  return {
    use: (schema) => convert(schema) as Schema,

    useBody(operation) {
      const { $id, ...rest } = operation.body as TSchema & { $id?: string };
      const schema = convert(rest) as Schema;
      const isClearing = operation.method === 'PATCH' || operation.method === 'PUT';
      const body = isClearing ? clearable(schema, operation.neverNull ?? []) : schema;
      return $id === undefined ? body : add($id, body);
    },

    named: () => Object.fromEntries([...byName].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The schema of an object whose optional properties may be null, except for some. */
function clearable(schema: Schema, neverNull: readonly string[]): Schema {
  const required = (schema.required ?? []) as readonly string[];
  const properties = (schema.properties ?? {}) as { readonly [name: string]: Schema };
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        required.includes(name) || neverNull.includes(name) ? property : nullable(property),
      ]),
    ),
  };
}

function nullable(schema: Schema): Schema {
  const { type, enum: values, description } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }], description };
  const types = Array.isArray(type) ? (type as string[]) : [type as string];
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

/** The target of a reference, or the schema itself if it is not a reference. */
export function resolved(schema: Schema, named: { readonly [name: string]: Schema }): Schema {
  const name = nameOf(schema);
  if (name === undefined) return schema;
  const target = named[name];
  if (target === undefined) throw new Error(`no schema is called ${name}`);
  return target;
}

/** The name of a reference's target, or undefined if the schema is not a reference. */
export function nameOf(schema: Schema): string | undefined {
  const reference = schema.$ref;
  return typeof reference === 'string' ? reference.slice('#/components/schemas/'.length) : undefined;
}
