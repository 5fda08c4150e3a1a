import { sha256 } from './sha256.ts';
import { type BegunFlow, base64url } from './window.ts';

const windowName = 'confab-sign-in';
/** How long the browser may take to say that a policy forbids the form, in milliseconds. */
const listenedMs = 5000;

/**
 * Opens the window for a way, `email` or the name of a provider. Without a window it leaves the page, and returns null. It
 * does so with a form, because of a form the browser tells the server from which origin it comes; otherwise the window gives
 * its code to its opener alone, and a mail has no link. `onBlocked` is called where there is neither a window nor a form.
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
  const query = new URLSearchParams({
    origin: location.origin,
    challenge: base64url(sha256(new TextEncoder().encode(flow.verifier))),
    return: location.origin + location.pathname + location.search,
    way,
  });
  const action = `${url}sign-in?${query}`;
  const listening = new AbortController();
  // The policy of the site may forbid the form.
  const onPolicy = ({ effectiveDirective, disposition }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective !== 'form-action' || disposition !== 'enforce') return;
    listening.abort();
    if (opened) opened.location.replace(action);
    else onBlocked();
  };
  // A page that is left is come back to with a code, for which it needs what was kept.
  if (opened || flow.isKept) {
    document.addEventListener('securitypolicyviolation', onPolicy, { signal: listening.signal });
    setTimeout(() => listening.abort(), listenedMs);
    const target = opened ? windowName : '_self';
    const form = Object.assign(document.createElement('form'), { method: 'post', action, target });
    document.body.append(form);
    form.submit();
    form.remove();
  } else onBlocked();
  return opened;
}
