import { actionNames } from 'confab-contract/actions.ts';
import { aboutOf } from 'confab-contract/webhook-events.ts';

/** A JSON Schema of the contract, with the keywords that affect a type in Python or Go. */
export type WireSchema = {
  readonly $id?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: WireSchema;
  readonly properties?: { readonly [name: string]: WireSchema };
  readonly required?: readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly additionalProperties?: unknown;
};

/** The type of a value, in words that each language translates. */
export type Shape =
  | { readonly kind: 'text' | 'time' | 'integer' | 'number' | 'flag' | 'any' | 'map' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'either'; readonly of: readonly Shape[] };

/** A property of an object. */
export type Field = {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  /** Whether null clears it, in the body of a change. */
  readonly isClearable: boolean;
  readonly description: string | undefined;
};

/** A type with a name: an object, or another shape. */
export type Declared = {
  readonly name: string;
  readonly description: string | undefined;
  /** Whether a client sends it. */
  readonly isSent: boolean;
} & ({ readonly fields: readonly Field[] } | { readonly shape: Shape });

/** How a schema is used: for the body of a change, the fields that cannot be cleared. */
export type Use = { readonly isSent: boolean; readonly neverNull?: readonly string[] };

/** A name of the wire as words begin in it: `created_by_id` is `CreatedById`. */
function pascal(name: string): string {
  return name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

/** What an event carries besides the properties that each has: those of all actions, of which each has some. */
function aboutAnything(): { readonly [name: string]: WireSchema } {
  const all: { [name: string]: WireSchema } = {};
  // A member has a part of the app that other actions have.
  for (const action of actionNames)
    for (const [name, schema] of Object.entries(aboutOf(action) as { [name: string]: WireSchema }))
      if (all[name]?.$id === undefined) all[name] = schema;
  return all;
}

/** The types of bodies and answers, each declared at its first use. */
export class Shapes {
  readonly #declared = new Map<string, Declared>();

  /** The shape of a schema. An object without a name gets `name`, which has to be unique. */
  of(schema: WireSchema, { name, ...use }: Use & { readonly name: string }): Shape {
    const { $id, type } = schema;
    const isObject = $id !== undefined || Object.keys(schema.properties ?? {}).length > 0;
    if (isObject) return this.#declare(schema, { name: $id ?? name, use });
    if (Array.isArray(type))
      return { kind: 'either', of: type.map((one) => this.of({ ...schema, type: one }, { name, ...use })) };
    if (type === 'array') return this.#listOf(schema, { name, use });
    if (schema.enum !== undefined) return { kind: 'choice', values: schema.enum.map(String) };
    if (typeof schema.const === 'string') return { kind: 'choice', values: [schema.const] };
    if (schema.format === 'date-time' || schema.pattern?.startsWith('^\\d{4}-') === true)
      return { kind: 'time' };
    switch (type) {
      case 'string':
        return { kind: 'text' };
      case 'integer':
        return { kind: 'integer' };
      case 'number':
        return { kind: 'number' };
      case 'boolean':
        return { kind: 'flag' };
      case 'object':
        return { kind: 'map' };
      default:
        return { kind: 'any' };
    }
  }

  /** Everything that has a name, sorted by it. */
  declared(): readonly Declared[] {
    return [...this.#declared.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #listOf({ items = {} }: WireSchema, { name, use }: { name: string; use: Use }): Shape {
    return { kind: 'list', of: this.of(items, { name: name.replace(/s$/, ''), ...use }) };
  }

  #declare(schema: WireSchema, { name, use }: { name: string; use: Use }): Shape {
    const { description, properties, required = [] } = schema;
    const known = this.#declared.get(name);
    // What is both sent and received has the fields of what is sent, which tell absence from emptiness.
    if (known === undefined || (use.isSent && !known.isSent)) {
      const common = { name, description, isSent: use.isSent };
      // Added first, because it may refer to itself.
      this.#declared.set(name, { ...common, fields: [] });
      if (properties === undefined)
        this.#declared.set(name, { ...common, shape: this.#listOf(schema, { name, use }) });
      else {
        const about = schema.additionalProperties === true ? aboutAnything() : {};
        const all = Object.entries({ ...properties, ...about, ...properties });
        const fields = all.map(([key, property]): Field => {
          const isRequired = required.includes(key);
          return {
            name: key,
            shape: this.of(property, { name: name + pascal(key), isSent: use.isSent }),
            isRequired,
            isClearable: use.neverNull !== undefined && !isRequired && !use.neverNull.includes(key),
            description: property.description,
          };
        });
        this.#declared.set(name, { ...common, fields });
      }
    }
    return { kind: 'named', name };
  }
}
