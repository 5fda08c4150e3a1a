import type { Failure, Session } from '../shared.ts';
import { takeFlow, useCode } from './window.ts';

/** Signs somebody in who comes back to the page with a code, to where they were. Resolves to why it does not. */
export async function comeBack(url: string, session: Session, code: string): Promise<Failure | undefined> {
  const flow = takeFlow(url);
  // Only the browser that has begun can go on.
  if (flow === undefined)
    return { ok: false, status: 403, code: 'sign_in_ended', message: '', retryAfter: undefined };
  if (flow.fragment !== '')
    history.replaceState(history.state, '', location.pathname + location.search + flow.fragment);
  return await useCode(url, session, { code, verifier: flow.verifier });
}
