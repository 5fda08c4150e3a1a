import { hash } from 'node:crypto';
import { Problem } from 'confab-contract/problem.ts';
import type { HttpRequest } from '../request.ts';

/**
 * Entity tags (RFC 9110 section 8.8.3; decision 0078). The tag of something that clients edit has two parts, with a dot
 * between them: the first covers what an edit can replace, the second every byte of the body. A change with `If-Match`
 * compares the first part, so a reaction or a member who comes online does not refuse it. Whether a copy is current is
 * decided by the whole tag.
 */

/** Characters of a part of a tag: 96 bits of a SHA-1, which nobody gains from forging. */
const partLength = 16;

function digest(text: string | Buffer): string {
  return hash('sha1', text, 'base64url').slice(0, partLength);
}

/** The opaque part of the tag of a body, without quotes. */
export function bodyTag(body: string | Buffer): string {
  return digest(body);
}

/** The same for something that clients edit. */
export function versionTag(body: string): string {
  return `${digest(editable(body))}.${digest(body)}`;
}

/**
 * The properties, at any depth, that no edit replaces and that change without one: who the authors are, what others do,
 * the caller's own view, and addresses that expire. Where the id of an object is a property too, the object is here.
 */
const derived: ReadonlySet<string> = new Set([
  'created_by',
  'modified_by',
  'updated_by',
  'presence',
  'embed',
  'meeting',
  'directory',
  'picture',
  'members',
  'reactions',
  'votes',
  'vote_count',
  'has_voted',
  'voters',
  'comment_count',
  'comments',
  'last_message',
  'last_message_id',
  'rev',
  'is_pinned',
  'is_unread',
  'is_starred',
  'is_subscribed',
  'permissions',
  'download_url',
  'preview_url',
  'thumbnail_url',
  'breaker',
  'counts',
  'sent_at',
]);

/** The lists whose items have derived properties beside others. */
const mixed: ReadonlySet<string> = new Set(['attachments', 'options']);

/**
 * The parts of the text of a JSON object that an edit can replace. The text is cut rather than parsed, which takes a
 * fraction of the time, above all with a long text in it.
 */
function editable(text: string): string {
  let result = '';
  /** Where the properties begin that are kept as they are and have not been added yet. */
  let from = 1;
  for (let at = 1; at < text.length - 1; ) {
    const nameEnd = endOfString(text, at);
    const name = text.slice(at + 1, nameEnd - 1);
    const end = endOfValue(text, nameEnd + 1);
    const isMixed = mixed.has(name);
    if (isMixed || derived.has(name)) {
      result += text.slice(from, at);
      if (isMixed) result += withoutDerived(text.slice(nameEnd + 1, end));
      from = end + 1;
    }
    at = end + 1;
  }
  return result + text.slice(from, -1);
}

function withoutDerived(list: string): string {
  if (list === '[]') return list;
  return JSON.stringify(JSON.parse(list), (name, value) => (derived.has(name) ? undefined : value));
}

/** Where the JSON string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text[before] === '\\') before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

/** Where the JSON value that begins at `start`, in an object, ends. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (depth === 0 && (character === ',' || character === '}')) return at;
    else if (character === '}' || character === ']') depth -= 1;
  }
}

/** The tag of a body that is compressed as it is sent: a strong tag belongs to one sequence of bytes. */
export function withCoding(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

/** A tag that a client sent. */
type SentTag = { readonly isWeak: boolean; readonly opaque: string };

/** The tags of one header; `*` is any. */
type SentTags = '*' | readonly SentTag[];

/** The conditions of a request. */
type SentConditions = { readonly ifMatch?: SentTags; readonly ifNoneMatch?: SentTags };

/** On what a change depends. */
export type Conditions = {
  /** The id of the operation that shows what is changed. */
  readonly on: string;
  /** Throws `precondition_failed` unless they hold for what that operation answers: JSON, or nothing. */
  check(current: unknown): void;
};

const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

function tagsIn(name: string, header: string): SentTags {
  if (header.trim() === '*') return '*';
  const tags: SentTag[] = [];
  element.lastIndex = 0;
  while (element.lastIndex < header.length) {
    const match = element.exec(header);
    if (match === null) break;
    const [, weak, opaque] = match;
    if (opaque !== undefined) tags.push({ isWeak: weak !== undefined, opaque });
  }
  // The pattern has begun anew where it found nothing.
  if (element.lastIndex !== header.length || tags.length === 0)
    throw new Problem(
      'invalid_entity_tag',
      `${name} must be * or a list of entity tags, each in double quotes as in the ETag of an answer.`,
    );
  return tags;
}

/** The conditions of a change of what the operation `on` shows; undefined for none. Throws `invalid_entity_tag`. */
export function conditionsOf(request: HttpRequest, on: string): Conditions | undefined {
  const conditions = sentConditions(request);
  return (
    conditions && {
      on,
      check: (current) =>
        assertConditions(conditions, current === undefined ? undefined : versionTag(String(current))),
    }
  );
}

function sentConditions({ headers }: HttpRequest): SentConditions | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) return undefined;
  return {
    ...(match === undefined ? {} : { ifMatch: tagsIn('If-Match', match) }),
    ...(noneMatch === undefined ? {} : { ifNoneMatch: tagsIn('If-None-Match', noneMatch) }),
  };
}

/** Whether the client has what `tag` stands for. Throws `invalid_entity_tag`. */
export function hasCopy(request: HttpRequest, tag: string): boolean {
  const { ifNoneMatch } = sentConditions(request) ?? {};
  return ifNoneMatch !== undefined && isCurrent(ifNoneMatch, tag);
}

/** Whether one of the tags is the whole of the current one, by weak comparison (RFC 9110 section 13.1.2). */
function isCurrent(tags: SentTags, current: string): boolean {
  return tags === '*' || tags.some(({ opaque }) => identityOf(opaque) === current);
}

/** `If-Match` compares strongly (RFC 9110 section 13.1.1), and only what can be edited. */
function assertConditions({ ifMatch, ifNoneMatch }: SentConditions, current: string | undefined): void {
  if (ifMatch !== undefined && (current === undefined || !isVersion(ifMatch, current)))
    throw new Problem(
      'precondition_failed',
      'What the request would change is not what If-Match names: it has changed since. Read it again.',
    );
  if (ifNoneMatch !== undefined && current !== undefined && isCurrent(ifNoneMatch, current))
    throw new Problem('precondition_failed', 'There is already what If-None-Match names.');
}

function isVersion(tags: SentTags, current: string): boolean {
  const version = versionOf(current);
  return tags === '*' || tags.some(({ isWeak, opaque }) => !isWeak && versionOf(opaque) === version);
}

function versionOf(opaque: string): string {
  return identityOf(opaque).split('.', 1)[0] ?? '';
}

function identityOf(opaque: string): string {
  return opaque.replace(/-(?:br|gzip)$/, '');
}
