import { createApi, type Failure, type Server } from '../shared.ts';
import { siteStorage } from '../sign-in/storage.ts';

/** Signs out here. It works also where the server does not answer: nobody has the secret any more. */
export async function signOut({ url, session }: Server): Promise<void> {
  const token = session.kept()?.access_token;
  // First, so that nothing is read as somebody whose session ends.
  leave({ url, session }, session.user?.way === 'guest');
  const as = { token: async () => token, refuse: async () => false };
  await createApi(url, as).call('/api/sign-in', { method: 'DELETE' });
}

/** Signs out on all devices. Resolves to why it does not. */
export async function signOutEverywhere({ url, api, session }: Server): Promise<Failure | undefined> {
  const answer = await api.call('/api/sign-in?everywhere=true', { method: 'DELETE' });
  // 401: the session has ended already.
  if (!answer.ok && answer.status !== 401) return answer;
  leave({ url, session }, false);
  return undefined;
}

/**
 * Ends the session of somebody who wants that, and forgets what they have written here and not sent: the next person at this
 * computer does not find it. A comment that waits to be sent was meant for everybody, so it stays for its author, and is
 * forgotten where they cannot come back (`isOver`).
 */
export function leave({ url, session }: Pick<Server, 'url' | 'session'>, isOver: boolean): void {
  const storage = siteStorage();
  const id = session.user?.id;
  for (const name of Object.keys(storage ?? {})) {
    if (!name.startsWith(`confab-write ${url} `)) continue;
    const isUnsent = storage?.getItem(name)?.endsWith(`"userId":${id}}`);
    if (name.includes(` by-${id} `) || (isUnsent && isOver)) storage?.removeItem(name);
  }
  session.left = id;
  session.keep(undefined);
}
