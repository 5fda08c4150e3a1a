import { isDeepStrictEqual } from 'node:util';

/** A text that is already valid JSON and is sent or embedded unchanged. */
export type Json = string & { readonly json: unique symbol };

/** Marks a text as JSON. The caller guarantees that it comes from `JSON.stringify`, directly or through a column. */
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

/** Whether two JSON texts, each possibly absent, are equal; the order of object members does not matter. */
export function isSameJson(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  return a !== null && b !== null && isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
}
