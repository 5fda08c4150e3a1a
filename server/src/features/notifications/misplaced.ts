import type { Db, Read } from '../../db/db.ts';
import type { NotificationTable } from '../../db/tables/notifications.ts';
import type { Clock } from '../../kernel/clock.ts';
import { noticesIn, pendingRefreshes } from './refresh.store.ts';
import { refreshAllNotifications, refreshPending } from './refresh.ts';

/** The notifications that are not where their subject puts them (`refresh.ts`), for operators. */

/** How many notifications of a table are read at a time. */
const rowsPerRead = 1000;

/**
 * How many notifications are in a list although what they are about is deleted or not shown, or in none although it is
 * shown; at most `top`. Those that the server is still moving are left out.
 */
export async function countMisplaced(read: Read, top: number): Promise<number> {
  // A row may have moved between two reads. One that both find is where it should not be.
  const first = await misplacedIds(read, top);
  if (first.size === 0) return 0;
  const second = await misplacedIds(read, top);
  if ((await read.all(pendingRefreshes, { top: 1 })).length > 0) return 0;
  return [...second].filter((id) => first.has(id)).length;
}

async function misplacedIds(read: Read, top: number): Promise<Set<number>> {
  const ids = new Set<number>();
  const places = { notifications: 'shown', hidden_notifications: 'hidden' } as const;
  for (const table of Object.keys(places) as NotificationTable[]) {
    let afterId: number | undefined = 0;
    while (afterId !== undefined && ids.size < top) {
      const rows: readonly { id: number; place: string }[] = await read.all(
        noticesIn({ table, scope: 'all' }),
        {
          ...{ type: '', ids: [], afterGroup: 0 },
          ...{ afterId, top: rowsPerRead },
        },
      );
      for (const { id, place } of rows) if (place !== places[table] && ids.size < top) ids.add(id);
      afterId = rows.length < rowsPerRead ? undefined : rows.at(-1)?.id;
    }
  }
  return ids;
}

/** Moves or deletes all of them, alongside running servers. */
export async function putAllInPlace(parts: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  await parts.db.write((tx) => refreshAllNotifications(tx));
  while (await refreshPending(parts));
}
