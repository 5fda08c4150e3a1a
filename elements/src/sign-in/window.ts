import { createApi, type Failure, type Session } from '../shared.ts';
import { keepSignedIn, type SignedIn } from './signed-in.ts';
import { siteStorage } from './storage.ts';

/**
 * The window of the server, in which people sign in by mail or by a provider. It gives the page a code, which is of use
 * only with the verifier of the page that has opened it (PKCE, RFC 7636).
 */

/** What a page that is left for signing in needs when it is come back to. */
export type Flow = {
  readonly verifier: string;
  /** Where in the page its reader was. */
  readonly fragment: string;
};

/** A flow that has begun. `isKept` says whether a page that is come back to can go on with it. */
export type BegunFlow = Flow & { readonly isKept: boolean };

const keyOf = (url: string) => `confab-flow ${url}`;

/** Begins to sign in. A link in a mail, or a page without windows, comes back with a code, so the flow is kept for the site. */
export function beginFlow(url: string): BegunFlow {
  const flow: Flow = {
    verifier: base64url(crypto.getRandomValues(new Uint8Array(32))),
    fragment: location.hash,
  };
  const storage = siteStorage();
  try {
    storage?.setItem(keyOf(url), JSON.stringify(flow));
    return { ...flow, isKept: storage !== undefined };
  } catch {
    // There is no room.
    return { ...flow, isKept: false };
  }
}

/** The flow that this browser has begun, for once. */
export function takeFlow(url: string): Flow | undefined {
  const storage = siteStorage();
  const text = storage?.getItem(keyOf(url)) ?? null;
  storage?.removeItem(keyOf(url));
  return text === null ? undefined : JSON.parse(text);
}

/** Signs in with the code of a window. Resolves to why it does not. */
export async function useCode(
  url: string,
  session: Session,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<Failure | undefined> {
  const answer = await createApi(url).call<SignedIn>('/api/sign-in/token', {
    method: 'POST',
    body: { code, verifier },
  });
  if (!answer.ok) return answer;
  keepSignedIn(session, answer.body);
  return undefined;
}

/** Bytes in base64url (RFC 4648, section 5). */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
