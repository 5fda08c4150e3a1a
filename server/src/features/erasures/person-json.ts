import { escapeText, mentionTag } from 'confab-contract/values/canonical-html.ts';
import { renderMarkdown } from '../markdown/markdown.ts';
import { htmlWithoutMention, textWithoutMention } from '../markdown/mention-removal.ts';
import { sentenceOf, withheld } from '../notifications/notice.ts';
import {
  blank,
  isFields,
  type JsonFields,
  type JsonValue,
  notificationWithoutWords,
} from '../redactions/blank.ts';
import { erasedName } from '../users/user-record.ts';

/**
 * JSON that the store keeps, such as the payloads of events and kept answers, without what it says about an erased user.
 * The functions here are pure, and what they return they leave as it is.
 */

/** The user who is erased. */
export type Person = {
  readonly userId: number;
  /** The names of the user: uid, email address and names. */
  readonly names: readonly string[];
  /** Whether the texts of the user stay. */
  readonly keepsTexts: boolean;
  /** The visitor to whom the texts and reactions of the user then belong; null where they stay without an author. */
  readonly heirId: number | null;
};

/** A text with `erasedName` in place of each of the person's names that stands there as whole words. */
function withoutNames(text: string, { names }: Pick<Person, 'names'>): string {
  let changed = text;
  // The longest first, because a name may be part of an address.
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    if (name.length < 2 || !changed.includes(name)) continue;
    changed = changed.replace(
      new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(name)}(?![\p{L}\p{N}])`, 'gu'),
      erasedName,
    );
  }
  return changed;
}

/** The fields of a text without mentions of the person; the same object when there are none. */
export function withoutMentions<T extends { text?: unknown; html?: unknown; plain?: unknown }>(
  fields: T,
  { userId }: Person,
): T {
  const { text, html } = fields;
  if (typeof html !== 'string' || !html.includes(mentionTag(userId))) return fields;
  if (typeof text !== 'string') return { ...fields, html: htmlWithoutMention(html, userId, erasedName) };
  const changed = textWithoutMention(text, userId, erasedName);
  return { ...fields, text: changed, ...renderMarkdown(changed) };
}

/** The sentence of a notification and its values without the person. */
export function wordingWithout(
  person: Person,
  {
    actorId,
    userId,
    template,
    args,
  }: { actorId: number; userId: number; template: string; args: readonly string[] },
): { readonly template: string; readonly args: readonly string[] } {
  const isTheirs = actorId === person.userId;
  if (userId === person.userId || (isTheirs && !person.keepsTexts)) return withheld;
  // The first value is the name of the actor.
  const changed = args.map((arg, index) =>
    isTheirs && index === 0 ? erasedName : withoutNames(arg, person),
  );
  return { template, args: changed };
}

/** A value without the person, at any depth. */
export function withoutPerson(value: JsonValue, person: Person): JsonValue {
  if (Array.isArray(value)) return value.map((each) => withoutPerson(each, person));
  if (!isFields(value)) return value;
  if (value.id === person.userId && 'uid' in value && 'presence' in value) return withoutProfile(value);
  if (isTheirs(value, person)) return blank(value);
  if (isComplaint(value) && value.created_by_id === person.userId) return complaintWithout(value, person);
  const inside: JsonFields = {};
  for (const [name, each] of Object.entries(value)) inside[name] = withoutPerson(each, person);
  // The note of a moderator about a report.
  if (inside.resolved_by_id === person.userId) delete inside.note;
  if (isNotification(inside)) return notificationWithout(inside, person);
  // A conversation is named for its reader after its members.
  if ('members' in inside && typeof inside.display_name === 'string')
    return { ...inside, display_name: withoutNames(inside.display_name, person) };
  return withoutMentions(inside, person);
}

/** The payload of an event without the person. */
export function payloadWithout(payload: JsonFields, person: Person): JsonFields {
  const changed = withoutPerson(payload, person) as JsonFields;
  const { actor } = changed;
  if (!isFields(actor) || actor.id !== person.userId) return changed;
  for (const name of ['embed', 'blob', 'meeting']) {
    const entity = changed[name];
    if (isFields(entity)) changed[name] = blank(entity);
  }
  return changed;
}

const keptOfProfile = new Set([
  ...['id', 'access', 'delivered_at', 'marked_at', 'marked_id', 'is_bot', 'is_suspended', 'is_trashed'],
  ...['kind', 'api_key_id', 'created_at', 'modified_at'],
]);

/** A user, a member or an actor as an erased user is shown. */
function withoutProfile(user: JsonFields): JsonFields {
  const fields: JsonFields = {};
  for (const [name, value] of Object.entries(user)) {
    if (keptOfProfile.has(name)) fields[name] = value;
    else if (name === 'uid') fields.uid = `erased ${user.id}`;
    else if (name === 'display_name') fields.display_name = erasedName;
    else if (name === 'presence') fields.presence = 'away';
    else if (name === 'tags') fields.tags = [];
  }
  return fields;
}

/** Whether an object is a file of the person, or an entry whose text does not stay. */
function isTheirs(value: JsonFields, { userId, keepsTexts }: Person): boolean {
  if (value.created_by_id !== userId) return false;
  const isFile = 'version' in value && 'media_type' in value;
  const isEntry = 'attachments' in value && 'options' in value;
  return isFile || (isEntry && !keepsTexts);
}

/** What a user said in a report: their reason and their text. */
function isComplaint(value: JsonFields): boolean {
  return typeof value.reason === 'string' && typeof value.text === 'string' && 'created_by_id' in value;
}

/** A complaint without its text, or as one of the heir, whose own erasure has to find it. */
function complaintWithout(complaint: JsonFields, { heirId }: Person): JsonFields {
  return heirId === null ? { ...complaint, text: '' } : { ...complaint, created_by_id: heirId };
}

function isNotification(value: JsonFields): value is JsonFields & { template: string; args: string[] } {
  return typeof value.template === 'string' && Array.isArray(value.args);
}

function notificationWithout(
  notification: JsonFields & { template: string; args: string[] },
  person: Person,
): JsonFields {
  const { template, args } = notification;
  const changed = wordingWithout(person, {
    actorId: Number(notification.actor_id ?? 0),
    userId: Number(notification.user_id ?? 0),
    template,
    args,
  });
  if (changed.template === withheld.template) return notificationWithoutWords(notification);
  const sentence = sentenceOf(changed);
  const html = sentenceOf({ template: changed.template, args: changed.args.map(escapeText) });
  return { ...notification, args: [...changed.args], text: sentence, html, plain: sentence };
}
