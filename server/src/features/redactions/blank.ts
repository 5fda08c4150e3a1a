/** Objects of events and answers without the words that users wrote. The functions here are pure. */

/** A JSON value as parsed. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonFields;
/** A JSON object as parsed. */
export type JsonFields = { [name: string]: JsonValue };

/** Whether a value is an object and no array. */
export function isFields(value: JsonValue | undefined): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The texts that an object always has, with what a blank one has instead; undefined keeps the text. */
const requiredTexts: { readonly [name: string]: string | undefined } = {
  type: undefined,
  kind: undefined,
  access: undefined,
  uid: '',
  display_name: '',
  preview_format: 'none',
  media_type: 'application/octet-stream',
  name: '',
  host: '',
  original_url: '',
  provider: '',
  provider_id: '',
  uuid: '',
  join_url: '',
};

/**
 * An entity without its words: its numbers, flags and times stay, and so does its parent. Lists are empty, and texts are
 * absent or, where the entity always has them, empty.
 */
export function blank(entity: JsonFields): JsonFields {
  const fields: JsonFields = {};
  for (const [name, value] of Object.entries(entity)) {
    if (typeof value === 'number' || typeof value === 'boolean' || name === 'parent' || name.endsWith('_at'))
      fields[name] = value;
    else if (Array.isArray(value)) fields[name] = [];
    else if (typeof value === 'string' && name in requiredTexts) fields[name] = requiredTexts[name] ?? value;
  }
  return fields;
}

/** The payload of an event, which is the inside of a JSON object, changed as `change` says. */
export function changedPayload(payload: string, change: (fields: JsonFields) => JsonValue): string {
  return JSON.stringify(change(JSON.parse(`{${payload}}`) as JsonFields)).slice(1, -1);
}

/** The payload of an event about an item with the item blank. A poll option has its text in the same place. */
export function withBlankEntity(payload: JsonFields, entityType: string): JsonFields {
  const entity = payload[entityType];
  if (!isFields(entity)) return payload;
  return {
    ...payload,
    [entityType]: entityType === 'option' ? { ...blank(entity), text: '' } : blank(entity),
  };
}

/** The sentence of a notification that says nothing about its subject. */
export const withheldSentence = 'This is not available.';

/** A notification that says nothing about its subject. */
export function notificationWithoutWords(notification: JsonFields): JsonFields {
  const sentence = withheldSentence;
  return { ...notification, template: sentence, args: [], text: sentence, html: sentence, plain: sentence };
}
