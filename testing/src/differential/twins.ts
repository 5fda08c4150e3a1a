import { RawNumber } from '../catalogue/fields.ts';

/** The two servers of a run. */
export const sides = ['left', 'right'] as const;
/** One of them. */
export type Side = (typeof sides)[number];

/** A value for each side, such as the responses. */
export type Pair<T> = { readonly [side in Side]: T };

/**
 * One object with possibly different names on the two servers, such as the id of a comment: each request uses the name
 * on its side.
 */
export class Twin<T extends string | number = string | number> implements Pair<T> {
  readonly left: T;
  readonly right: T;
  constructor(left: T, right: T) {
    this.left = left;
    this.right = right;
  }
}

/** A text that may differ between the sides. */
export type Text = string | Twin;

/** A text that contains twins; it is a twin itself if there are any. */
export function textOf(strings: TemplateStringsArray, ...parts: readonly (Text | number)[]): Text {
  const of = (side: Side) =>
    strings.reduce((text, string, index) => {
      const part = parts[index - 1];
      return `${text}${part instanceof Twin ? part[side] : part}${string}`;
    });
  return parts.some((part) => part instanceof Twin) ? new Twin(of('left'), of('right')) : of('left');
}

/** A value for one side, with twins resolved at any depth. */
export function valueFor(value: unknown, side: Side): unknown {
  if (value instanceof Twin) return value[side];
  if (value instanceof RawNumber || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => valueFor(item, side));
  const copy: Record<string, unknown> = {};
  // Defined rather than assigned, so that `__proto__` is an ordinary property.
  for (const [name, item] of Object.entries(value))
    Object.defineProperty(copy, name, { value: valueFor(item, side), enumerable: true });
  return copy;
}

/** A text for one side. */
export function textFor(text: Text, side: Side): string {
  return text instanceof Twin ? String(text[side]) : text;
}

/** A text in a path. */
export function escaped(text: Text): Text {
  return text instanceof Twin
    ? new Twin(encodeURIComponent(text.left), encodeURIComponent(text.right))
    : encodeURIComponent(text);
}

/** A property of the bodies of two answers, as `read` makes it of each. */
export function twinIn<T extends string | number>(
  answers: Pair<{ readonly bytes: Buffer }>,
  property: string,
  read: (value: unknown) => T,
): Twin<T> {
  const of = (side: Side) =>
    read((JSON.parse(answers[side].bytes.toString()) as Record<string, unknown>)[property]);
  return new Twin(of('left'), of('right'));
}
