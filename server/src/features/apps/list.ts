import { appOperations } from 'confab-contract/apps.ts';
import { levelOf } from '../../access/standing.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { searchFilters } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { envelope, type PageAnswer } from '../../kernel/page.ts';
import { renderApps } from './app-detail.ts';
import { findAppType, typesByContext } from './app-types.ts';
import { appList } from './apps.store.ts';

/** The apps that the caller sees. */
export const listApps = handler(appOperations.listApps, async (call) => await appPage(call));

type AppPage = Pick<Call<typeof appOperations.listApps>, 'read' | 'on' | 'caller' | 'list' | 'query'>;

/** A page of the apps that the caller sees, or of those with some uids. */
export async function appPage(call: AppPage, uids?: readonly string[]): Promise<PageAnswer> {
  const { read, on: viewer, caller, list, query } = call;
  const types = typesOf(query);
  const words = searchFilters(list);
  const { rows, count, next } = await readList(read, appList, {
    list,
    settings: {
      trashed: list.trashed,
      ...words.settings,
      hasTypes: types !== undefined,
      hasUids: uids !== undefined,
      isLimited: viewer.isLimited,
    },
    parameters: {
      userId: caller.user.id,
      directoryId: viewer.directoryId,
      types: types ?? [],
      uids: uids ?? [],
      ...words.parameters,
    },
  });
  if (list.countOnly) return envelope(list, { items: [], count });
  const apps = rows.map((row) => ({ ...row, level: levelOf(caller, row) }));
  return envelope(list, { items: await renderApps(call, apps, list.expand), count, next });
}

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
