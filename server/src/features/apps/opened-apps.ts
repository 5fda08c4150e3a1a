import type { Read } from '../../db/db.ts';
import { anyDirectory } from './apps.store.ts';
import { changesOfApps, openApps } from './opened-apps.store.ts';

/**
 * Finds apps that a user of a directory opened to the users of all directories, as earlier releases allowed (decision
 * 0094). The log shows who opened an app. Where that part of the log is gone, the user who made the app counts.
 */

/** An app that is open to everyone, and the user of a directory who opened it. */
export type OpenedApp = { readonly id: number; readonly uid: string; readonly openedBy: string };

/** Apps that are looked at together. */
const appsPerPage = 200;

/** The fields of an event's payload about an app and the user who changed it. */
type Change = {
  readonly actor: { readonly uid: string; readonly directory_id?: number; readonly kind?: string };
  readonly app: { readonly access: string; readonly directory_id?: number };
};

/** The first apps of that kind by id, at most `top`; none on a server without directories. */
export async function findOpenedApps(read: Read, top: number): Promise<OpenedApp[]> {
  const result: OpenedApp[] = [];
  if ((await read.get(anyDirectory, {})) === undefined) return result;
  let afterId = 0;
  while (result.length < top) {
    const apps = await read.all(openApps, { afterId, top: appsPerPage });
    const openers = openersOf(await read.all(changesOfApps, { ids: apps.map(({ id }) => id) }));
    for (const { id, uid, byKey, creatorUid, creatorDirectoryId } of apps) {
      const creator = byKey === 1 || creatorDirectoryId === null ? null : creatorUid;
      const openedBy = openers.has(id) ? openers.get(id) : creator;
      if (typeof openedBy === 'string') result.push({ id, uid, openedBy });
    }
    const last = apps.at(-1);
    if (last === undefined || apps.length < appsPerPage) break;
    afterId = last.id;
  }
  return result.slice(0, top);
}

/** By app, the uid of the user who last opened it to everyone; null when that was an API key or a user without a directory. */
function openersOf(
  events: readonly { appId: number; action: string; payload: string }[],
): Map<number, string | null> {
  const openers = new Map<number, string | null>();
  const wereOpen = new Map<number, boolean>();
  for (const { appId, action, payload } of events) {
    const { actor, app } = JSON.parse(`{${payload}}`) as Change;
    const isOpen = app.access !== 'none' && app.directory_id === undefined;
    const wasOpen = action === 'app_created' ? false : wereOpen.get(appId);
    const isByUser = actor.kind !== 'api_key' && actor.directory_id !== undefined;
    if (isOpen && wasOpen === false) openers.set(appId, isByUser ? actor.uid : null);
    wereOpen.set(appId, isOpen);
  }
  return openers;
}
