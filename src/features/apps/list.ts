import { handler } from '../../binding/handler.ts';
import { appOperations } from '../../contract/apps.ts';
import { filtersOf } from '../../db/filters.ts';
import { envelope } from '../../kernel/page.ts';
import { levelOf } from '../access/access.ts';
import { renderApps } from './app-detail.ts';
import { findAppType, typesByContext } from './app-types.ts';
import { type AppListShape, countApps, listApps as listAppRows } from './apps.store.ts';

/** The apps that the caller sees. */
export const listApps = handler(appOperations.listApps, async (call) => {
  const { read, on: viewer, caller, list, query } = call;
  const filters = filtersOf(list);
  const types = typesOf(query);
  const shape: AppListShape = {
    order: list.order.field as AppListShape['order'],
    descending: list.order.descending,
    trashed: list.trashed,
    ...filters.shape,
    hasTypes: types !== undefined,
    isLimited: viewer.isLimited,
  };
  const key = JSON.stringify(shape);
  const parameters = {
    userId: caller.user.id,
    directoryId: viewer.directoryId,
    types: types ?? [],
    ...filters.parameters,
  };
  const count = list.count ? ((await read.get(countApps(key), parameters))?.count ?? 0) : undefined;
  if (list.countOnly) return envelope(list, { items: [], count });
  const rows = await read.all(listAppRows(key), parameters);
  const apps = rows.map((row) => ({ ...row, level: levelOf(caller, row) }));
  return envelope(list, { items: await renderApps(call, apps, list.expand), count });
});

/** The types that a query limits the list to; an unknown one matches nothing. */
function typesOf(query: {
  readonly contextual?: boolean | null;
  readonly type?: string[];
}): string[] | undefined {
  const byContext =
    query.contextual === undefined || query.contextual === null
      ? undefined
      : typesByContext(query.contextual);
  const byName = query.type?.map((text) => findAppType(text) ?? 'unknown');
  if (byContext === undefined) return byName;
  return byName === undefined ? byContext : byName.filter((name) => (byContext as string[]).includes(name));
}
