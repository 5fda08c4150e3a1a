import { countOperations } from 'confab-contract/counts.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { commentCounts } from './counts.store.ts';

/** Counts are the numbers that pages show beside links to other pages. */

/** The most apps of one request, as the contract says. */
const appsMax = 100;

/** The numbers of comments of some apps. */
export const listCounts = handler(countOperations.listCounts, async ({ read, on, caller, query }) => {
  const uids = query.uid?.slice(0, appsMax) ?? [];
  const reach = caller.kind === 'visitor' ? 'visitors' : on.isLimited ? 'user' : 'all';
  const { userId, directoryId } = on;
  const rows = uids.length === 0 ? [] : await read.all(commentCounts(reach), { uids, userId, directoryId });
  const counts = new Map(rows.map(({ uid, count }) => [uid, count]));
  return json(JSON.stringify({ counts: uids.map((uid) => counts.get(uid) ?? 0) }));
});
