import { starOperations } from 'confab-contract/stars.ts';
import { handler } from '../../binding/handler.ts';
import { searchFilters } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { envelope } from '../../kernel/page.ts';
import { starList } from './stars.store.ts';

/** Stars mark the apps that a user wants to find quickly; other users do not see them. */

/** The caller's starred apps. Apps in the trash, and those that the caller may not see, are left out. */
export const listStars = handler(starOperations.listStars, async ({ read, caller, list }) => {
  if (list.trashed === true) return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const { settings, parameters } = searchFilters(list);
  const { rows, count, next } = await readList(read, starList, {
    list,
    settings,
    parameters: { userId: caller.user.id, directoryId: caller.user.directoryId ?? 0, ...parameters },
  });
  return envelope(list, { items: rows.map(({ id }) => `{"id":${id},"type":"app"}`), count, next });
});
