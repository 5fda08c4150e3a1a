import { createApi, type Failure, type Session } from '../shared.ts';
import { sha256 } from './sha256.ts';
import { keepSignedIn, type SignedIn } from './signed-in.ts';
import { siteStorage } from './storage.ts';

/**
 * The window of the server, in which people sign in by mail or by a provider. It gives the page a code, which is of use
 * only with the verifier of the page that has opened it (PKCE, RFC 7636). The page opens it with a form, because of a form
 * the browser tells the server from which origin it comes: without that, a window gives its code to its opener alone, and a
 * mail has no link.
 */

const windowName = 'confab-sign-in';
/** How long the browser has to say that the policy of the site forbids the form, in milliseconds. */
const policyMs = 3000;

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

/**
 * Opens the window for a way, `email` or the name of a provider. Without a window it leaves the page, and returns null; a
 * policy of the site that forbids the form is reported by `onBlocked` then.
 */
export function openWindow(
  url: string,
  {
    way,
    flow,
    onBlocked,
  }: { readonly way: string; readonly flow: BegunFlow; readonly onBlocked: () => void },
): Window | null {
  const opened = open('', windowName, 'popup,width=440,height=640');
  // Nothing could go on after coming back.
  if (opened === null && !flow.isKept) {
    onBlocked();
    return null;
  }
  const fields = {
    origin: location.origin,
    challenge: base64url(sha256(new TextEncoder().encode(flow.verifier))),
    return: location.origin + location.pathname + location.search,
  };
  const onPolicy = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective !== 'form-action') return;
    const path = way === 'email' ? 'sign-in' : `sign-in/with/${encodeURIComponent(way)}`;
    if (opened === null) onBlocked();
    else opened.location.replace(`${url}${path}?${new URLSearchParams(fields)}`);
  };
  const signal = AbortSignal.timeout(policyMs);
  document.addEventListener('securitypolicyviolation', onPolicy, { once: true, signal });
  const form = document.createElement('form');
  Object.assign(form, {
    ...{ method: 'post', action: `${url}sign-in`, hidden: true },
    target: opened === null ? '_self' : windowName,
  });
  for (const [name, value] of Object.entries({ ...fields, way }))
    form.append(Object.assign(document.createElement('input'), { name, value }));
  document.body.append(form);
  form.submit();
  form.remove();
  return opened;
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

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
