import { commentOperations } from 'confab-contract/comments.ts';
import { messageOperations } from 'confab-contract/messages.ts';
import { postOperations } from 'confab-contract/posts.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import type { FileRow } from '../../access/file/file.sql.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import {
  type Cursor,
  envelope,
  invalidCursor,
  type ListQuery,
  type NextPage,
  type Order,
  type PageAnswer,
} from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { parseQuestion, searchWords } from '../../kernel/search.ts';
import { compareTexts, sortKey } from '../../kernel/sort-key.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { renderFiles } from '../files/file-view.ts';
import { attachmentsOfEntries } from './attachments.store.ts';

/**
 * The list of the attachments of one entry. An entry has at most a hundred, so all of them are read and then searched,
 * sorted and paged in memory. That supports every parameter of a list of files without an index for attachments.
 */

type Sorted = string | number;

const sortedBy: { readonly [field: string]: (file: FileRow) => Sorted } = {
  id: (file) => file.id,
  name: (file) => sortKey(file.name),
  size: (file) => file.size,
  created_at: (file) => file.createdAt,
  // Files that were never changed come first, as in the database.
  modified_at: (file) => file.modifiedAt ?? -1,
  timestamp: (file) => file.modifiedAt ?? file.createdAt,
};

/** An attachment with the value that the list is sorted by. */
type Placed = { readonly key: Sorted; readonly id: number };

function comparing(order: Order): (one: Placed, other: Placed) => number {
  const sign = order.descending ? -1 : 1;
  return (one, other) => {
    const difference =
      typeof one.key === 'string' ? compareTexts(one.key, String(other.key)) : one.key - Number(other.key);
    return sign * (difference === 0 ? one.id - other.id : difference);
  };
}

/** The files of a page in order, and where the list continues. Throws `invalid_query` for a cursor of another order. */
function pageOf(
  files: readonly FileRow[],
  { order, top, skip, after }: ListQuery,
): { files: FileRow[]; next: NextPage } {
  const keyOf = sortedBy[order.field] ?? ((file: FileRow) => file.id);
  const compare = comparing(order);
  const placed = files.map((file) => ({ file, key: keyOf(file), id: file.id })).toSorted(compare);
  const rest = after === undefined ? placed.slice(skip) : placed.filter(isAfter(after, order, compare));
  return {
    files: rest.slice(0, top).map(({ file }) => file),
    next(length) {
      const last = rest[length - 1];
      if (last === undefined || length === rest.length) return undefined;
      return { keys: [last.key], id: last.id, position: skip + length };
    },
  };
}

function isAfter({ keys, id }: Cursor, order: Order, compare: ReturnType<typeof comparing>) {
  const [key] = keys;
  const isKey = order.field === 'name' ? typeof key === 'string' : typeof key === 'number';
  if (key === undefined || key === null || !isKey || keys.length > 1) throw invalidCursor();
  return (row: Placed) => compare(row, { key, id }) > 0;
}

function isFound(file: FileRow, needles: readonly string[]): boolean {
  const text = ` ${searchWords(file.name)} `;
  return needles.every((needle) => text.includes(needle));
}

/** The dependencies of listing attachments. */
type AttachmentList = {
  readonly read: Read;
  readonly caller: Principal;
  readonly on: ReadableEntry;
  readonly list: ListQuery;
};

async function listAttachments(
  call: AttachmentList,
  { links }: { readonly links: BlobLinks },
): Promise<PageAnswer> {
  const { read, caller, list } = call;
  const { kind, id } = call.on.entry;
  const rows = await read.all(attachmentsOfEntries, { userId: caller.user.id, kind, entryIds: [id] });
  const terms = parseQuestion(list.q);
  const needles = terms === undefined ? [] : searchNeedles(terms);
  const matching = rows.filter(
    (file) =>
      isFound(file, needles) &&
      (list.trashed === null || (file.trashedAt !== null) === list.trashed) &&
      (list.tag === undefined || (JSON.parse(file.tags) as string[]).includes(list.tag)),
  );
  const count = list.count ? matching.length : undefined;
  if (list.countOnly) return envelope(list, { items: [], count });
  const { files, next } = pageOf(matching, list);
  return envelope(list, {
    items: await renderFiles(read, { caller, links }, { files, expand: list.expand }),
    count,
    next,
  });
}

/** The attachments of a comment. */
export const listCommentAttachments = handler(commentOperations.listCommentAttachments, listAttachments);
/** The attachments of a post. */
export const listPostAttachments = handler(postOperations.listPostAttachments, listAttachments);
/** The attachments of a message. */
export const listMessageAttachments = handler(messageOperations.listMessageAttachments, listAttachments);
