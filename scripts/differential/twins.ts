import { RawNumber } from '../../test/catalogue/fields.ts';

/** The two servers of a run. */
export const sides = ['left', 'right'] as const;
/** One of the two. */
export type Side = (typeof sides)[number];

/** Something of each side, such as what each of them answered. */
export type Pair<T> = { readonly [side in Side]: T };

/**
 * One thing that the two servers may call by different names, such as the id of a comment: what is sent to each is made
 * with the name that it goes by there.
 */
export class Twin<T extends string | number = string | number> implements Pair<T> {
  readonly left: T;
  readonly right: T;
  constructor(left: T, right: T) {
    this.left = left;
    this.right = right;
  }
}

/** A text that may be called differently by each side. */
export type Text = string | Twin;

/** A text with twins in it, which is one itself when there are any. */
export function textOf(strings: TemplateStringsArray, ...parts: readonly (Text | number)[]): Text {
  const of = (side: Side) =>
    strings.reduce((text, string, index) => {
      const part = parts[index - 1];
      return `${text}${part instanceof Twin ? part[side] : part}${string}`;
    });
  return parts.some((part) => part instanceof Twin) ? new Twin(of('left'), of('right')) : of('left');
}

/** A value as one side is sent it, whatever the twins are in. */
export function valueFor(value: unknown, side: Side): unknown {
  if (value instanceof Twin) return value[side];
  if (value instanceof RawNumber || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => valueFor(item, side));
  const copy: Record<string, unknown> = {};
  // Defined, because a property called __proto__ is one like any other.
  for (const [name, item] of Object.entries(value))
    Object.defineProperty(copy, name, { value: valueFor(item, side), enumerable: true });
  return copy;
}

/** A text as one side is sent it. */
export function textFor(text: Text, side: Side): string {
  return text instanceof Twin ? String(text[side]) : text;
}

/** A text as it stands in a path. */
export function escaped(text: Text): Text {
  return text instanceof Twin
    ? new Twin(encodeURIComponent(text.left), encodeURIComponent(text.right))
    : encodeURIComponent(text);
}
