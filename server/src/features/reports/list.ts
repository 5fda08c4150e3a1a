import { reportOperations } from 'confab-contract/reports.ts';
import { parseRef } from 'confab-contract/values/ids.ts';
import { findApp } from '../../access/access.ts';
import { handler } from '../../binding/handler.ts';
import { readList } from '../../db/list.ts';
import { envelope } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { renderReports } from './report-json.ts';
import { reportList, type reportReaches } from './reports.store.ts';

/** Which reports a caller moderates. */
function reachOf({ kind, user }: Principal): (typeof reportReaches)[number] {
  if (kind === 'key') return 'all';
  if (user.role !== 'moderator') return 'roles';
  return user.directoryId === null ? 'everywhere' : 'directory';
}

/** The reported and held items that the caller moderates. */
export const listReports = handler(reportOperations.listReports, async (call) => {
  const { read, caller, on: viewer, list, query } = call;
  const ref = query.app === undefined ? undefined : parseRef(query.app);
  const app = ref === undefined ? undefined : await findApp(read, caller, ref);
  // Reports have neither words nor tags and are never in the trash.
  const isNone =
    list.trashed === true ||
    list.tag !== undefined ||
    parseQuestion(list.q) !== undefined ||
    (query.app !== undefined && app === undefined);
  if (isNone) return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const { rows, count, next } = await readList(read, reportList, {
    list,
    settings: {
      reach: reachOf(caller),
      state: query.state ?? null,
      hasApp: app !== undefined,
      hasAuthor: query.author_id !== undefined,
      hasReason: query.reason !== undefined,
      held: query.held ?? null,
    },
    parameters: {
      userId: viewer.userId,
      directoryId: viewer.directoryId,
      appId: app?.id ?? 0,
      authorId: query.author_id ?? 0,
      reason: query.reason ?? '',
    },
  });
  return envelope(list, { items: await renderReports(call, rows, list.expand), count, next });
});
