import { nameOf, type Schema } from '../openapi-schemas.ts';
import { html, type Markup } from './html.ts';

/** A schema in a few words: its type, its limits and its default, with a link for a named object. */
export function typeText(schema: Schema): Markup {
  const name = nameOf(schema);
  if (name !== undefined) return html`<a href="#${name}">${name}</a>`;
  const choices = schema.anyOf as readonly Schema[] | undefined;
  if (choices !== undefined) return joined(choices.map(typeText), ' or ');
  const types = [schema.type ?? 'anything'].flat() as string[];
  const values = (schema.enum as readonly unknown[] | undefined)?.filter((value) => value !== null);
  const bare = types.filter((type) => type !== 'null');
  const kind =
    values === undefined
      ? bare[0] === 'array'
        ? html`array of ${typeText((schema.items ?? {}) as Schema)}`
        : html`${bare.join(' or ')}`
      : joined(
          values.map((value) => html`<code>${String(value)}</code>`),
          ', ',
        );
  const fallback = schema.default;
  const after = [
    ...limits(schema),
    ...(fallback === undefined ? [] : [`default ${String(fallback)}`]),
    ...(types.includes('null') ? ['or null'] : []),
  ];
  return html`${kind}${after.map((text) => html`, ${text}`)}`;
}

function joined(parts: readonly Markup[], separator: string): Markup {
  return html`${parts.map((part, index) => html`${index === 0 ? '' : separator}${part}`)}`;
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
