import { directoryOperations } from 'confab-contract/directories.ts';
import { handler } from '../../binding/handler.ts';
import { searchExpression } from '../../db/dialect.ts';
import { readList } from '../../db/list.ts';
import { countOf } from '../../db/tallies.ts';
import { envelope } from '../../kernel/page.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { directoryList } from './directories.store.ts';
import { directoryTally } from './directory-changes.ts';
import { renderDirectory } from './directory-json.ts';

/** All directories for an API key, and their own for a user. */
export const listDirectories = handler(directoryOperations.listDirectories, async ({ read, on, list }) => {
  // A directory has no tags and is never in the trash.
  if (list.tag !== undefined || list.trashed === true)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const terms = parseQuestion(list.q);
  const settings = { hasQuestion: terms !== undefined, isLimited: on.isLimited };
  const { rows, count, next } = await readList(read, directoryList, {
    list,
    settings,
    parameters: { id: on.directoryId, question: terms === undefined ? [] : searchExpression(terms) },
    storedCount:
      settings.hasQuestion || settings.isLimited ? undefined : () => countOf(read, directoryTally, false),
  });
  return envelope(list, { items: rows.map(renderDirectory), count, next });
});
