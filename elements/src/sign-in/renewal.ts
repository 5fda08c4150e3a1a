import { createApi, type Kept, type Session } from '../shared.ts';

/** Renews tokens. A secret works once, so the tabs of a site take turns, and one uses what another has got. */

/**
 * Replaces a token that is old or was refused. Resolves to whether somebody is still signed in; where the server does not
 * answer, the session is kept for later.
 */
export async function renew(url: string, session: Session, refused: string): Promise<boolean> {
  return await inTurn(`confab ${url}`, async () => {
    const kept = session.kept();
    if (kept === undefined) return false;
    if (kept.access_token !== refused) return true;
    if (kept.renewal_secret === undefined) {
      session.keep(undefined);
      return false;
    }
    const nobody = { token: async () => undefined, refuse: async () => false };
    const answer = await createApi(url, nobody).call<Omit<Kept, 'issuedAt'>>('/api/sign-in/renewal', {
      method: 'POST',
      body: { renewal_secret: kept.renewal_secret },
    });
    if (answer.ok) session.keep({ ...answer.body, issuedAt: Date.now() });
    else if (answer.status === 401 || answer.status === 403) session.keep(undefined);
    return answer.ok;
  });
}

/** Runs a task while no other tab runs one of this name. Pages without https have no locks. */
async function inTurn<T>(name: string, task: () => Promise<T>): Promise<T> {
  return navigator.locks === undefined ? await task() : await navigator.locks.request(name, task);
}
