import { ConnectionError, createClient, ProblemError } from 'confab-client';
import { expire } from './session.ts';
import { createStore } from './store.ts';

/** The client of the interface with which everything is called; the browser adds the cookie of the session. */
export const client = createClient({ url: window.location.origin, attempts: 3, fetch: watchedFetch });

/** Whether the server can be reached. */
export const isOnline = createStore(true);

/** Counts up when everything that is shown should be read again: after a break and after a sign-in. */
export const epoch = createStore(0);

/** How often a server that cannot be reached is tried, in milliseconds. */
const retryMs = 2000;

/** The codes of problems that say that the session has ended. */
const sessionCodes: readonly string[] = ['unauthorized', 'invalid_credential'];

/** Reads everything again. */
export function readAgain(): void {
  epoch.set(epoch.get() + 1);
}

/** Notes what a failure says about the session and the connection. Views show the failure itself. */
export function noteFailure(error: unknown): void {
  // Another 401 says that an operation is not for this kind of caller.
  if (error instanceof ProblemError && sessionCodes.includes(error.code)) expire();
  if (error instanceof ConnectionError) noteBreak();
}

/** Also notes a break where the client goes on by itself: the stream of events, and what it tries more than once. */
async function watchedFetch(address: RequestInfo | URL, options?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (options?.signal?.aborted !== true) noteBreak();
    throw error;
  }
}

function noteBreak(): void {
  if (!isOnline.get()) return;
  isOnline.set(false);
  setTimeout(tryAgain, retryMs);
}

async function tryAgain(): Promise<void> {
  try {
    const { ok } = await fetch('/healthz', { cache: 'no-store' });
    if (!ok) throw new Error('the server does not answer yet');
  } catch {
    setTimeout(tryAgain, retryMs);
    return;
  }
  isOnline.set(true);
  readAgain();
}
