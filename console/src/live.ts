import type { Event } from 'confab-client';
import { useEffect } from 'preact/hooks';
import { client, noteFailure, readAgain } from './api.ts';
import { session } from './session.ts';

/**
 * The log as it grows: one stream for the whole page, which hands each event to the views that want it. The client
 * continues after a break behind the last event that came.
 */

const listeners = new Set<(event: Event) => void>();
/** How long changes are gathered before a view reads again, in milliseconds. */
const gatherMs = 400;
let ending: AbortController | undefined;
let changes = 0;

async function follow(signal: AbortSignal): Promise<void> {
  try {
    for await (const event of client.events({ signal }))
      for (const listener of [...listeners]) listener(event);
  } catch (error) {
    if (!signal.aborted) noteFailure(error);
  }
}

/** Opens or closes the stream. A page that nobody sees has none: browsers open few connections to a server. */
function adjust(): void {
  const isWanted = session.get().state === 'open' && document.visibilityState === 'visible';
  if (isWanted && ending === undefined) {
    ending = new AbortController();
    void follow(ending.signal);
  } else if (!isWanted) {
    ending?.abort();
    ending = undefined;
  }
}

session.listen(adjust);
document.addEventListener('visibilitychange', () => {
  adjust();
  if (document.visibilityState === 'visible') readAgain();
});

/**
 * Makes a change of a view, and keeps views from reading again until it is made. The event of the change may come before
 * its response, and a view that is left with the response would read what was just deleted or renamed.
 */
export async function whileChanging<T>(change: () => Promise<T>): Promise<T> {
  changes += 1;
  try {
    return await change();
  } finally {
    changes -= 1;
  }
}

/** Whether a view is making a change. */
export function isChanging(): boolean {
  return changes > 0;
}

/** Calls `hear` with each event, while a component is shown. */
export function useEvents(hear: (event: Event) => void): void {
  useEffect(() => {
    listeners.add(hear);
    return () => void listeners.delete(hear);
  }, [hear]);
}

/** Calls `changed` shortly after events whose action begins with one of `beginnings`, once no view is making a change. */
export function useLive(beginnings: readonly string[], changed: () => void): void {
  const wanted = beginnings.join(' ');
  useEffect(() => {
    if (wanted === '') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hear = ({ action }: Event) => {
      if (timer !== undefined || !wanted.split(' ').some((beginning) => action.startsWith(beginning))) return;
      timer = setTimeout(tell, gatherMs);
    };
    const tell = () => {
      timer = isChanging() ? setTimeout(tell, gatherMs) : undefined;
      if (timer === undefined) changed();
    };
    listeners.add(hear);
    return () => {
      clearTimeout(timer);
      listeners.delete(hear);
    };
  }, [wanted, changed]);
}
