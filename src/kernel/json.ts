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
