import { importOperations } from 'confab-contract/imports.ts';
import { handler } from '../../binding/handler.ts';
import { readList } from '../../db/list.ts';
import { envelope } from '../../kernel/page.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { importList } from './import-runs.store.ts';
import { renderRun } from './import-runs.ts';

/** The imports of the server. */
export const listImports = handler(importOperations.listImports, async ({ read, list }) => {
  // Imports have neither words nor tags and are never in the trash.
  if (list.trashed === true || list.tag !== undefined || parseQuestion(list.q) !== undefined)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const { rows, count, next } = await readList(read, importList, { list, settings: {}, parameters: {} });
  return envelope(list, { items: rows.map(renderRun), count, next });
});
