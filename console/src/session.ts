import { createStore } from './store.ts';

/** Who uses the console. The secret of the session is in a cookie that no script can read. */

/** The caller that the server knows the session as. */
export type Caller = {
  readonly kind: 'key' | 'token';
  readonly user: { readonly id: number; readonly uid: string; readonly display_name: string };
  readonly scopes?: readonly string[];
  readonly expires_at?: string;
};

/** `unknown` until the server was asked; `expired` keeps the caller, whose view stays open behind the sign-in. */
export type Session =
  | { readonly state: 'unknown' | 'none' }
  | { readonly state: 'open' | 'expired'; readonly caller: Caller };

/** The session of this page. */
export const session = createStore<Session>({ state: 'unknown' });

const path = '/console/session';

/** Finds out whether the browser has a session. Rejects while the server cannot be reached. */
export async function findSession(): Promise<void> {
  const response = await fetch(path);
  session.set(response.status === 200 ? { state: 'open', caller: await response.json() } : { state: 'none' });
}

/** Begins a session with a link, an API key or an access token. Throws an Error that says why it is refused. */
export async function signIn(credential: string): Promise<void> {
  const given = /wyl_\w+$/.exec(credential.trim())?.[0] ?? credential.trim();
  const response = await fetch(path, { method: 'POST', headers: { authorization: `Bearer ${given}` } });
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail ?? body.title);
  session.set({ state: 'open', caller: body });
}

/** Ends the session on the server. */
export async function signOut(): Promise<void> {
  await fetch(path, { method: 'DELETE' });
  session.set({ state: 'none' });
}

/** Notes that the server refuses the session. */
export function expire(): void {
  const now = session.get();
  if (now.state === 'open') session.set({ state: 'expired', caller: now.caller });
}

/** The caller of an open or expired session. Throws an Error without one. */
export function caller(): Caller {
  const now = session.get();
  if (now.state === 'open' || now.state === 'expired') return now.caller;
  throw new Error('there is no session');
}

/** Whether the caller may do what needs a scope; users have no scopes, and the server decides. */
export function mayCall(scope: string): boolean {
  const { scopes } = caller();
  return scopes === undefined || scopes.includes('all') || scopes.includes(scope);
}

/** Whether the caller has an API key: some views are for these alone. */
export function hasKey(): boolean {
  return caller().kind === 'key';
}
