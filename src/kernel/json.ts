import { isDeepStrictEqual } from 'node:util';

/** A text that is already valid JSON, so it is sent or spliced as it stands. */
export type Json = string & { readonly json: unique symbol };

/** Marks a text as JSON; the caller vouches for it (it came from `JSON.stringify` or from a column that did). */
export function json(text: string): Json {
  return text as Json;
}

/** A JSON array from rendered elements. */
export function jsonArray(elements: readonly string[]): Json {
  return json(`[${elements.join(',')}]`);
}

/** `text` as a JSON string. */
export function jsonString(text: string): Json {
  return json(JSON.stringify(text));
}

/** Whether two JSON texts, or their absence, say the same: the members of an object have no order. */
export function isSameJson(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  return a !== null && b !== null && isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
}
