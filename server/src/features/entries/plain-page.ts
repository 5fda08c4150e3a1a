import type { EntryKind } from '../../access/entry/entry.sql.ts';
import type { Json } from '../../kernel/json.ts';
import { canTakeLong, type ListQuery, type PageAnswer, pageBytesMax } from '../../kernel/page.ts';
import { entryEnd } from '../../second-form/shapes/entry.ts';
import { renderPublicUserInSecondForm } from '../users/user-json.ts';
import type { EntryRead } from './entries.ts';
import { renderEnd, renderFields } from './entry-json.ts';
import { type EntryFacts, nothing, partBytes, readParts } from './entry-view.ts';
import { type AuthorValues, plainPage } from './plain-page.store.ts';

/**
 * The pages that clients ask for most: entries of one parent by id, and threads. The engine joins their items, and a page
 * on which nothing depends on other rows is sent as the engine gave it.
 */

/** The end of most items, in each form. */
const ends = { first: renderEnd({}, nothing), second: entryEnd(nothing) };
/** A character that no JSON text holds as it is. */
const mark = '\n';

/** The answers that were made of rows: a remembered row gives the same one each time. */
const answers = new WeakMap<object, PageAnswer>();

/** The entries of a kind in a parent; with `replies` its threads, each with at most so many comments below the root. */
type PageScope = {
  readonly kind: EntryKind;
  readonly parentType: string;
  readonly parentId: number;
  readonly replies?: number | undefined;
  /** Whether its comments are those that began resolved threads, or open ones; null for neither. */
  readonly resolved?: boolean | null;
  /** The key of the anchors of its threads; absent for all of them. */
  readonly anchorKey?: string | undefined;
};

/** Whether a request asks for a page by id, of what is not in the trash, that is read at once. */
function isPlain(list: ListQuery): boolean {
  const { trashed, order, after, countOnly } = list;
  // A cursor of another order is refused elsewhere.
  const isById = order.field === 'id' && (after === undefined || after.keys.length === 0);
  return isById && trashed === false && !countOnly && !canTakeLong(list);
}

/** A plain page; undefined where the request needs another, or the page has too many bytes to be read at once, or places. */
export async function findPlainPage(
  reading: EntryRead & { readonly list: ListQuery },
  listed: PageScope,
): Promise<PageAnswer | undefined> {
  const { read, caller, list } = reading;
  if (!isPlain(list)) return undefined;
  const { after, top, skip, order, count, expand } = list;
  const { replies = 0, resolved = null, anchorKey = '', ...parent } = listed;
  const isSecond = caller.form !== undefined;
  const end = isSecond ? ends.second : ends.first;
  const shape = {
    descending: order.descending,
    isAfter: after !== undefined,
    isExpanded: isSecond || expand.size > 0,
    isThreaded: listed.replies !== undefined,
    isAnchored: listed.anchorKey !== undefined,
    isSecond,
    resolved,
  };
  const place = { top, skip, hasCount: Number(count), afterId: after?.id ?? 0 };
  const row = await read.get(plainPage(shape), { ...parent, ...place, replies, anchorKey, end, mark });
  if (row === undefined) return undefined;
  // A caller with a key sees more of an author than others do, so what they get is not what others got.
  const isWhole = caller.kind === 'key' && row.authors !== null;
  const known = isWhole ? undefined : answers.get(row);
  if (known !== undefined) return known;
  const { length, lastId } = row;
  const joined = bufferOf(row.body);
  const users = row.authors === null || isWhole ? undefined : authorsIn(row.authors);
  const page = joined.includes(mark)
    ? await filled(reading, listed, { joined, users })
    : { body: joined, isForAll: true };
  if (page === undefined || page.body.length > pageBytesMax) return undefined;
  const next = lastId === null ? undefined : { keys: [], id: lastId, position: skip + length };
  const answer = { body: page.body, next };
  // Only a remembered row comes again, and only such a one is frozen.
  if (page.isForAll && Object.isFrozen(row)) answers.set(row, answer);
  return answer;
}

/** The authors of a page as users see each other, rendered in the second form, by id. */
function authorsIn(joined: string): Map<number, Json> {
  const authors = new Map<number, Json>();
  for (const values of JSON.parse(`[${joined}]`) as AuthorValues[]) {
    const [id, uid, displayName, givenName, familyName, nickname, ...others] = values;
    const [directoryId, pictureUrl, isActive, isBot, way] = others;
    if (authors.has(id)) continue;
    const names = { displayName, givenName, familyName, nickname };
    const flags = { isActive: isActive === 1, isBot: isBot === 1 };
    authors.set(
      id,
      renderPublicUserInSecondForm({ id, uid, ...names, directoryId, pictureUrl, ...flags, way }),
    );
  }
  return authors;
}

/** The bytes of a text as the engine gives it; those of SQLite are not copied. */
function bufferOf(text: Uint8Array | string): Buffer {
  if (typeof text === 'string') return Buffer.from(text);
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength);
}

/** Whether an item shows rows other than those that its page is remembered with. */
function dependsOnOthers(entry: EntryFacts): boolean {
  return partBytes(entry) > 0 || entry.embedId !== null || entry.meetingId !== null;
}

/**
 * What a mark tells of an entry: its id, the numbers of its parts, its author and editor, its embed and its meeting, and in
 * the second form its app and when it was changed.
 */
type Facts = readonly [
  ...[id: number, attachments: number, options: number, reactions: number, createdById: number],
  ...[modifiedById: number | null, embedId: number | null, meetingId: number | null],
  ...[appId?: number, modifiedAt?: number | null],
];

/**
 * A page with what is put in at its marks, from its authors where they are known, and whether every caller who asks for the
 * form gets the same; undefined where an item is not joined, or it may have too many bytes.
 */
async function filled(
  reading: EntryRead & { readonly list: ListQuery },
  { kind, parentType, parentId }: PageScope,
  { joined: page, users }: { readonly joined: Buffer; readonly users: Map<number, Json> | undefined },
): Promise<{ body: Buffer; isForAll: boolean } | undefined> {
  const pieces = page.toString().split(mark);
  // Every second piece is between two marks.
  const factTexts = pieces.filter((piece, index) => index % 2 === 1 && piece !== '');
  const entries: EntryFacts[] = [];
  for (const facts of JSON.parse(`[${factTexts}]`) as (Facts | null)[]) {
    if (facts === null) return undefined;
    const [id, attachmentCount, optionCount, reactionCount, createdById, ...others] = facts;
    const [modifiedById, embedId, meetingId, appId = 0, modifiedAt = null] = others;
    const counts = { attachmentCount, optionCount, reactionCount };
    const references = { createdById, modifiedById, embedId, meetingId, appId, parentType, parentId };
    // The number of replies and the anchor are in the item already.
    entries.push({ id, ...counts, ...references, modifiedAt, replyCount: 0, anchor: null });
  }
  const bytes = entries.reduce((sum, entry) => sum + partBytes(entry), page.length);
  if (bytes > pageBytesMax) return undefined;
  const { expand } = reading.list;
  const partsOf = await readParts(reading, { kind, entries, expand }, users);
  let text = '';
  let next = 0;
  let parts = undefined as ReturnType<typeof partsOf> | undefined;
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) text += piece;
    else if (piece === '') text += parts?.end ?? '';
    else {
      const entry = entries[next++] as EntryFacts;
      parts = partsOf(entry, expand);
      text += renderFields(parts);
    }
  }
  const isForAll = users !== undefined && kind !== 'post' && !entries.some(dependsOnOthers);
  return { body: Buffer.from(text), isForAll };
}
