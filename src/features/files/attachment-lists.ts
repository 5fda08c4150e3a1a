import type { Read } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import { compareTexts, sortKey } from '../../kernel/fold.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery, type Order } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { parseQuestion, searchWords } from '../../kernel/search.ts';
import type { FileRow } from '../access/file.sql.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { renderedUsers } from '../users/users.ts';
import { renderFile, renderFileParent } from './file-json.ts';
import { attachmentsOfEntries } from './files.store.ts';

/**
 * The attachments of one entry as a list. There are at most a hundred, so they are read whole and then searched, sorted
 * and cut here, which answers every question that a list of files answers without an index of their own.
 */

type Sorted = string | number;

const sortedBy: { readonly [field: string]: (file: FileRow) => Sorted } = {
  id: (file) => file.id,
  name: (file) => sortKey(file.name),
  size: (file) => file.size,
  created_at: (file) => file.createdAt,
  // What was never changed comes before everything that was, as in the database.
  modified_at: (file) => file.modifiedAt ?? -1,
  timestamp: (file) => file.modifiedAt ?? file.createdAt,
};

function inOrder(files: readonly FileRow[], order: Order): FileRow[] {
  const keyOf = sortedBy[order.field] ?? ((file: FileRow) => file.id);
  const sign = order.descending ? -1 : 1;
  return files.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    const order = typeof a === 'string' ? compareTexts(a, String(b)) : a - Number(b);
    return sign * (order === 0 ? one.id - other.id : order);
  });
}

function isFound(file: FileRow, needles: readonly string[]): boolean {
  const text = ` ${searchWords(file.name)} `;
  return needles.every((needle) => text.includes(needle));
}

/** A page of the attachments of an entry, whose readability the caller has settled. */
export async function listAttachments(
  read: Read,
  viewer: Principal,
  links: BlobLinks,
  entry: { kind: string; id: number },
  list: ListQuery,
): Promise<Json> {
  const rows = await read.all(attachmentsOfEntries, {
    userId: viewer.user.id,
    kind: entry.kind,
    entryIds: [entry.id],
  });
  const terms = parseQuestion(list.q);
  const needles = terms === undefined ? [] : searchNeedles(terms);
  const found = rows.filter(
    (file) =>
      isFound(file, needles) &&
      (list.trashed === null || (file.trashedAt !== null) === list.trashed) &&
      (list.tag === undefined || (JSON.parse(file.tags) as string[]).includes(list.tag)),
  );
  const count = list.count ? found.length : undefined;
  if (list.countOnly) return envelope(list, { items: [], count });
  const page = inOrder(found, list.order).slice(list.skip, list.skip + list.top);
  return envelope(list, { items: await renderPage(read, viewer, page, links, list.expand), count });
}

async function renderPage(
  read: Read,
  viewer: Principal,
  files: readonly FileRow[],
  links: BlobLinks,
  expand: ReadonlySet<string>,
): Promise<Json[]> {
  const creatorOf = (file: FileRow) => (expand.has('created_by') ? file.createdById : null);
  const editorOf = (file: FileRow) => (expand.has('modified_by') ? file.modifiedById : null);
  const ids = files.flatMap((file) => [creatorOf(file), editorOf(file)]).filter((id) => id !== null);
  const users = await renderedUsers(read, viewer, ids);
  return files.map((file) =>
    renderFile(file, links, {
      parent: expand.has('parent') ? renderFileParent(file) : undefined,
      created_by: users.get(creatorOf(file) ?? 0),
      modified_by: users.get(editorOf(file) ?? 0),
    }),
  );
}
