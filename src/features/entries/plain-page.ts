import type { EntryKind } from '../../access/entry/entry.sql.ts';
import { around, canTakeLong, type ListQuery, type PageAnswer, pageBytesMax } from '../../kernel/page.ts';
import type { EntryRead } from './entries.ts';
import { renderEnd } from './entry-json.ts';
import { type PartCounts, partBytes, renderEnds } from './entry-view.ts';
import { plainPage } from './plain-page.store.ts';

/**
 * The pages that clients ask for most: entries of one parent by id, with nothing expanded. The engine joins their items,
 * and a page on which no entry has attachments, options or reactions is sent as the engine gave it.
 */

/** Whether a list can be answered with a plain page. */
export function isPlain(list: ListQuery): boolean {
  const { trashed, order, after, countOnly, expand } = list;
  // A cursor of another order is refused elsewhere.
  const isById = order.field === 'id' && (after === undefined || after.keys.length === 0);
  return isById && trashed === false && !countOnly && expand.size === 0 && !canTakeLong(list);
}

const end = renderEnd({ attachments: [], options: [], reactions: [] });
/** A character that no JSON text holds as it is. */
const mark = '\n';

/** The answers that were made of rows, with what else they depend on: a remembered row gives the same one each time. */
const answers = new WeakMap<object, Pick<ListQuery, 'skip' | 'count'> & { readonly answer: PageAnswer }>();

/** A plain page; undefined where it has too many bytes to be read at once. */
export async function readPlainPage(
  reading: EntryRead & { readonly list: ListQuery },
  parent: { readonly kind: EntryKind; readonly parentType: string; readonly parentId: number },
): Promise<PageAnswer | undefined> {
  const { read, list } = reading;
  const { after, top, skip, order, count } = list;
  const row = await read.get(plainPage({ descending: order.descending, isAfter: after !== undefined }), {
    ...parent,
    top,
    skip,
    afterId: after?.id ?? 0,
    end,
    mark,
  });
  if (row === undefined || row.shortLength < row.length) return undefined;
  const known = answers.get(row);
  if (known?.skip === skip && known.count === count) return known.answer;
  const { length, lastId } = row;
  const given = bufferOf(row.items ?? '');
  const items =
    row.marked === null
      ? given
      : await withEnds(reading, { kind: parent.kind, items: given, marked: row.marked });
  if (items === undefined || items.length > pageBytesMax) return undefined;
  const [head, tail] = around(list, { length, count: count ? (row.count ?? 0) : undefined });
  const answer = {
    body: Buffer.concat([Buffer.from(head), items, Buffer.from(tail)]),
    next: lastId === null ? undefined : { keys: [], id: lastId, position: skip + length },
  };
  // Only a remembered row comes again, and only such a one is frozen.
  if (row.marked === null && Object.isFrozen(row)) answers.set(row, { skip, count, answer });
  return answer;
}

/** The bytes of a text as the engine gives it; those of SQLite are not copied. */
function bufferOf(text: Uint8Array | string): Buffer {
  if (typeof text === 'string') return Buffer.from(text);
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength);
}

/** The items with the ends of those that are marked; undefined where these may have too many bytes. */
async function withEnds(
  reading: EntryRead,
  { kind, items, marked }: { kind: EntryKind; items: Buffer; marked: string },
): Promise<Buffer | undefined> {
  const entries = (JSON.parse(`[${marked}]`) as [number, number, number, number][]).map(
    ([id, attachmentCount, optionCount, reactionCount]): PartCounts => ({
      id,
      attachmentCount,
      optionCount,
      reactionCount,
    }),
  );
  const bytes = entries.reduce((sum, entry) => sum + partBytes(entry), items.length);
  if (bytes > pageBytesMax) return undefined;
  const ends = await renderEnds(reading, kind, entries);
  const pieces = items.toString().split(mark);
  return Buffer.from(pieces.map((piece, index) => piece + (ends[index] ?? '')).join(''));
}
