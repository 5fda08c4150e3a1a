import { handler } from '../../binding/handler.ts';
import { directoryOperations } from '../../contract/directories.ts';
import { searchExpression } from '../../db/dialect.ts';
import { countOf } from '../../db/tallies.ts';
import { envelope } from '../../kernel/page.ts';
import { parseQuestion } from '../../kernel/search.ts';
import {
  countDirectories,
  type DirectoryListShape,
  listDirectories as listDirectoryRows,
} from './directories.store.ts';
import { directoryTally } from './directory-changes.ts';
import { renderDirectory } from './directory-json.ts';

/** All directories for an API key, and their own for a user. */
export const listDirectories = handler(directoryOperations.listDirectories, async ({ read, on, list }) => {
  // A directory has no tags and is never in the trash.
  if (list.tag !== undefined || list.trashed === true)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const terms = parseQuestion(list.q);
  const shape: DirectoryListShape = {
    order: list.order.field as DirectoryListShape['order'],
    descending: list.order.descending,
    hasQuestion: terms !== undefined,
    isLimited: on.isLimited,
  };
  const key = JSON.stringify(shape);
  const parameters = {
    id: on.directoryId,
    question: terms === undefined ? '' : searchExpression(terms),
    top: list.top,
    skip: list.skip,
  };
  const isPlain = !shape.isLimited && !shape.hasQuestion;
  const count = !list.count
    ? undefined
    : isPlain
      ? await countOf(read, directoryTally, false)
      : ((await read.get(countDirectories(key), parameters))?.count ?? 0);
  if (list.countOnly) return envelope(list, { items: [], count });
  const rows = await read.all(listDirectoryRows(key), parameters);
  return envelope(list, { items: rows.map(renderDirectory), count });
});
