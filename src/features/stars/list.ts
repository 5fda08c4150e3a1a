import { handler } from '../../binding/handler.ts';
import { starOperations } from '../../contract/stars.ts';
import { filtersOf } from '../../db/filters.ts';
import { envelope } from '../../kernel/page.ts';
import { countStars, listStars as listStarred, type StarListShape } from './stars.store.ts';

/** The caller's starred apps. Apps in the trash, and those that the caller may not see, are left out. */
export const listStars = handler(starOperations.listStars, async ({ read, caller, list }) => {
  if (list.trashed === true) return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const filters = filtersOf(list);
  const shape: StarListShape = { descending: list.order.descending, ...filters.shape };
  const key = JSON.stringify(shape);
  const parameters = {
    userId: caller.user.id,
    directoryId: caller.user.directoryId ?? 0,
    ...filters.parameters,
  };
  const count = list.count ? ((await read.get(countStars(key), parameters))?.count ?? 0) : undefined;
  if (list.countOnly) return envelope(list, { items: [], count });
  const rows = await read.all(listStarred(key), parameters);
  return envelope(list, { items: rows.map(({ id }) => `{"id":${id},"type":"app"}`), count });
});
