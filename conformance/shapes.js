/** The shapes of answers, read from the lists of fields in the specification. */

import { Finding } from './outcome.js';
import { fieldTexts, specified } from './specification.js';

/** @typedef {keyof typeof fieldTexts} ShapeName */
/** @typedef {import('./index.d.ts').Quote} Quote */

/**
 * @typedef {object} Field
 * @property {string} type as the specification writes it, such as `array of strings`
 * @property {Quote} quote where it stands
 */

/** @type {ReadonlyMap<ShapeName, ReadonlyMap<string, Field>>} */
const shapes = new Map(
  Object.entries(fieldTexts).map(([name, { section, lines }]) => [
    /** @type {ShapeName} */ (name),
    new Map(lines.flatMap((text) => fieldsOf(text, section))),
  ]),
);

/**
 * The fields that a text lists: the row of a table, or a line such as `id integer; uid string.`
 * @param {string} text
 * @param {string} section
 * @returns {[string, Field][]}
 */
function fieldsOf(text, section) {
  const quote = { section, text, isDecision: false };
  if (text.startsWith('|')) {
    const [, name = '', type = ''] = text.split('|').map((cell) => cell.trim());
    return [[name, { type, quote }]];
  }
  return text
    .replace(/\.$/, '')
    .split('; ')
    .map((part) => {
      const [name = '', ...type] = part.split(' ');
      return [name, { type: type.join(' ').replace(/ \(.*/, ''), quote }];
    });
}

/**
 * Fields that an object of the kind cannot be without, since other sentences speak of their values.
 * @type {Readonly<Record<ShapeName, readonly string[]>>}
 */
const required = {
  App: ['id', 'type', 'uid', 'access', 'is_trashed'],
  User: ['id'],
  Member: ['id', 'uid', 'access'],
  Comment: ['id', 'app_id', 'is_trashed'],
  Attachment: ['id'],
  Embed: ['id'],
  Meeting: ['id'],
  Option: ['id', 'text'],
  Reaction: [],
  Webhook: ['id', 'payload_url', 'triggers', 'is_enabled'],
  Delivery: ['id', 'guid', 'event_id', 'action', 'status'],
};

/** The fields that an item of a list carries and no others, by the kind of item. */
const flat = {
  App: fieldsAfterColon(specified.appList.text),
  Comment: fieldsAfterColon(specified.commentList.text),
};

/** @param {string} text */
function fieldsAfterColon(text) {
  const list = text.replace(/^[^:]*: /, '').replace(/\..*/, '');
  return new Set(list.split(', ').map((name) => name.replace(/ \(.*/, '')));
}

/**
 * The JSON type of a value as the specification names it.
 * @param {unknown} value
 */
function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}

/**
 * Fails unless a value has a type. A null passes: the specification does not say how an absent value is written.
 * @param {unknown} value
 * @param {Field} field
 * @param {string} place where the value stands in the answer
 */
function checkType(value, { type, quote }, place) {
  if (value === undefined || value === null) return;
  const fail = (/** @type {string} */ wanted) => {
    throw new Finding(`${place} is ${JSON.stringify(value)?.slice(0, 200)}: not ${wanted}`, { quote });
  };
  const of = /^array of (\w+)$/.exec(type)?.[1];
  if (of !== undefined) {
    if (!Array.isArray(value)) return fail(`an ${type}`);
    const itemType = { strings: 'string', objects: 'object' }[of] ?? of;
    for (const [index, item] of value.entries())
      checkType(item, { type: itemType, quote }, `${place}[${index}]`);
    return;
  }
  if (shapes.has(/** @type {ShapeName} */ (type))) {
    if (typeOf(value) !== 'object') return fail(`an object, a ${type}`);
    return checkShape(value, /** @type {ShapeName} */ (type), { place, isWhole: false });
  }
  if (type.startsWith('object')) return typeOf(value) === 'object' ? undefined : fail('an object');
  if (type === 'number') return typeof value === 'number' ? undefined : fail('a number');
  if (typeOf(value) !== type) fail(`${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`);
}

/**
 * Fails unless a value is an object of a kind: the fields that it has have their types, and those that it cannot be
 * without are there.
 * @param {unknown} value
 * @param {ShapeName} name
 * @param {{ place?: string, isWhole?: boolean }} [options] `isWhole` false asks for no field
 */
export function checkShape(value, name, { place = name, isWhole = true } = {}) {
  const fields = shapes.get(name);
  if (fields === undefined) throw new TypeError(`no shape ${name}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Finding(`${place} is not an object: ${JSON.stringify(value)?.slice(0, 200) ?? 'nothing'}`);
  const given = /** @type {Record<string, unknown>} */ (value);
  for (const [key, field] of fields) {
    checkType(given[key], field, `${place}.${key}`);
    if (isWhole && required[name].includes(key) && (given[key] === undefined || given[key] === null))
      throw new Finding(`${place}.${key} is missing`, { quote: field.quote });
  }
}

/**
 * The fields of an item of a list that its flat form does not have.
 * @param {Record<string, unknown>} item
 * @param {'App' | 'Comment'} name
 * @returns {string[]}
 */
export function strangeFields(item, name) {
  return Object.keys(item).filter((key) => !flat[name].has(key));
}

/**
 * The fields of an object that the specification does not have.
 * @param {Record<string, unknown>} value
 * @param {ShapeName} name
 * @returns {string[]}
 */
export function unknownFields(value, name) {
  return Object.keys(value).filter((key) => !shapes.get(name)?.has(key));
}
