import type { Kept, Session } from '../shared.ts';
import { renew } from './renewal.ts';
import { keptOfSite } from './site-tokens.ts';

/** What a session needs once there is one: its token is replaced in time, by the server or by the site. */

export { comeBack } from './return.ts';

/** How long before its end a token is replaced, in milliseconds, and the most of its time that this may be. */
const marginMs = 60_000;
const marginShare = 0.2;

const replacing = new WeakMap<Session, Promise<boolean>>();

/** Begins with what the site says of who is signed in. Rejects where it does not answer. */
export async function beginBySite(url: string, session: Session): Promise<undefined> {
  if (session.source !== undefined) session.keep(await keptOfSite(url, session.source, undefined));
}

/** The token of a session, another one if it is about to end; undefined where it has ended. */
export async function freshToken(url: string, session: Session, kept: Kept): Promise<string | undefined> {
  // A clock that was wrong when the token was issued, or is now, only replaces it too early or after a refusal.
  const age = Date.now() - kept.issuedAt;
  const lifeMs = kept.expires_in * 1000;
  if (age >= 0 && age < lifeMs - Math.min(marginMs, lifeMs * marginShare)) return kept.access_token;
  await replace(url, session, kept.access_token);
  return session.kept()?.access_token;
}

/** Replaces a token, once for all who ask. Resolves to whether somebody is still signed in with another one. */
export async function replace(url: string, session: Session, token: string): Promise<boolean> {
  const kept = session.kept();
  if (kept !== undefined && kept.access_token !== token) return true;
  const running = replacing.get(session) ?? begin(url, session, token);
  replacing.set(session, running);
  return await running.finally(() => replacing.delete(session));
}

async function begin(url: string, session: Session, token: string): Promise<boolean> {
  const { source } = session;
  if (source === undefined) return await renew(url, session, token);
  try {
    const next = await keptOfSite(url, source, session.kept());
    session.keep(next);
    return next !== undefined;
  } catch {
    // Where the site does not answer, its user stays signed in, and is asked about again.
    return false;
  }
}
