import type { EntryKind } from '../../access/entry/entry.sql.ts';
import { canTakeLong, type ListQuery, type PageAnswer, pageBytesMax } from '../../kernel/page.ts';
import { entryEnd } from '../../second-form/shapes/entry.ts';
import type { EntryRead } from './entries.ts';
import { renderEnd, renderFields } from './entry-json.ts';
import { type EntryFacts, nothing, partBytes, readParts } from './entry-view.ts';
import { plainPage } from './plain-page.store.ts';

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
  readonly replies?: number;
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
  const { replies = 0, ...parent } = listed;
  const isSecond = caller.form !== undefined;
  const end = isSecond ? ends.second : ends.first;
  const shape = {
    descending: order.descending,
    isAfter: after !== undefined,
    isExpanded: isSecond || expand.size > 0,
    isThreaded: listed.replies !== undefined,
    isSecond,
  };
  const place = { top, skip, hasCount: Number(count), afterId: after?.id ?? 0 };
  const row = await read.get(plainPage(shape), { ...parent, ...place, replies, end, mark });
  if (row === undefined) return undefined;
  const known = answers.get(row);
  if (known !== undefined) return known;
  const { length, lastId } = row;
  const joined = bufferOf(row.body);
  const body = joined.includes(mark) ? await filled(reading, listed, joined) : joined;
  if (body === undefined || body.length > pageBytesMax) return undefined;
  const next = lastId === null ? undefined : { keys: [], id: lastId, position: skip + length };
  const answer = { body, next };
  // Only a remembered row comes again, and only such a one is frozen.
  if (body === joined && Object.isFrozen(row)) answers.set(row, answer);
  return answer;
}

/** The bytes of a text as the engine gives it; those of SQLite are not copied. */
function bufferOf(text: Uint8Array | string): Buffer {
  if (typeof text === 'string') return Buffer.from(text);
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength);
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

/** A page with what is put in at its marks; undefined where an item is not joined, or it may have too many bytes. */
async function filled(
  reading: EntryRead & { readonly list: ListQuery },
  { kind, parentType, parentId }: PageScope,
  page: Buffer,
): Promise<Buffer | undefined> {
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
    // The number of replies is in the item already.
    entries.push({ id, ...counts, ...references, modifiedAt, replyCount: 0 });
  }
  const bytes = entries.reduce((sum, entry) => sum + partBytes(entry), page.length);
  if (bytes > pageBytesMax) return undefined;
  const { expand } = reading.list;
  const partsOf = await readParts(reading, { kind, entries, expand });
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
  return Buffer.from(text);
}
