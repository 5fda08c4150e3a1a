import { nameOf, type Schema } from '../openapi/schemas.ts';

/** A schema in a few words of Markdown: its type, its limits and its default, with a link for a named object. */
export function typeText(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return `[${name}](objects.md#${name})`;
  const choices = schema.anyOf as readonly Schema[] | undefined;
  if (choices !== undefined) return choices.map(typeText).join(' or ');
  const types = [schema.type ?? 'anything'].flat() as string[];
  const values = (schema.enum as readonly unknown[] | undefined)?.filter((value) => value !== null);
  const bare = types.filter((type) => type !== 'null');
  const kind =
    values === undefined
      ? bare[0] === 'array'
        ? `array of ${typeText((schema.items ?? {}) as Schema)}`
        : bare.join(' or ')
      : values.map((value) => `\`${String(value)}\``).join(', ');
  const fallback = schema.default;
  return [
    kind,
    ...limits(schema),
    ...(fallback === undefined ? [] : [`default ${String(fallback)}`]),
    ...(types.includes('null') ? ['or null'] : []),
  ].join(', ');
}

function limits(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, maxItems, minItems, uniqueItems } = schema as {
    readonly [keyword: string]: number | undefined;
  };
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const range =
    minimum !== undefined && isBounded
      ? [`${minimum} to ${maximum}`]
      : minimum !== undefined
        ? [`at least ${minimum}`]
        : isBounded
          ? [`at most ${maximum}`]
          : [];
  const length =
    maxLength === undefined
      ? []
      : [`${minLength === undefined ? 'at most' : `${minLength} to`} ${maxLength} characters`];
  const items =
    maxItems === undefined
      ? []
      : [`${minItems === undefined ? 'at most' : `${minItems} to`} ${maxItems} items`];
  return [...range, ...length, ...items, ...(uniqueItems === undefined ? [] : ['each once'])];
}
