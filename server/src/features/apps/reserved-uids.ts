import { reservedUids } from 'confab-contract/values/ids.ts';
import type { Read } from '../../db/db.ts';
import { appsWithUids, usersWithUids } from './reserved-uids.store.ts';

/**
 * A sentence for each app and user that cannot be reached by uid, because an early release accepted a uid that is a
 * path.
 */
export async function examineUids(read: Read): Promise<string[]> {
  const apps = await read.all(appsWithUids, { uids: reservedUids.app });
  const users = await read.all(usersWithUids, { uids: reservedUids.user });
  return [...apps.map((app) => sentence('app', app)), ...users.map((user) => sentence('user', user))];
}

function sentence(kind: 'app' | 'user', { id, uid }: { id: number; uid: string }): string {
  const path = `/api/${kind}s`;
  return `${kind} ${id} has the uid "${uid}", but ${path}/${uid} is a path of its own, so the ${kind} cannot be reached by its uid: give it another with PATCH ${path}/${id}`;
}
