import { createApi, type Session } from '../shared.ts';
import { keepSignedIn, type SignedIn } from './signed-in.ts';
import { siteStorage } from './storage.ts';
import { inTurn } from './turns.ts';

/** Renews tokens. A secret works once, so the tabs of a site take turns, and one uses what another has got. */

/**
 * Replaces a token that is old or was refused. Resolves to whether somebody is still signed in; where the server does not
 * answer, the session is kept for later.
 */
export async function renew(url: string, session: Session, refused: string): Promise<boolean> {
  return await inTurn(siteStorage(), `confab ${url}`, async () => {
    const kept = session.kept();
    if (kept === undefined) return false;
    if (kept.access_token !== refused) return true;
    if (kept.renewal_secret === undefined) {
      session.keep(undefined);
      return false;
    }
    const answer = await createApi(url).call<SignedIn>('/api/sign-in/renewal', {
      method: 'POST',
      body: { renewal_secret: kept.renewal_secret },
    });
    if (answer.ok) keepSignedIn(session, answer.body);
    else if (answer.status === 401 || answer.status === 403) session.keep(undefined);
    return answer.ok;
  });
}
