import { type Json, json, jsonString } from '../../kernel/json.ts';

/**
 * Tags of notifications are stored as a JSON array with a space before and after each, so that a tag is found as a part of
 * the text: tags neither begin nor end with a space, and a quotation mark within one has a backslash before it.
 */

/** What the text of the tags of a notification contains if this is one of them. */
export function tagMark(tag: string): string {
  return ` ${jsonString(tag)} `;
}

/** Tags as they are stored. */
export function tagsText(tags: readonly string[]): Json {
  return json(`[${tags.map(tagMark).join()}]`);
}
