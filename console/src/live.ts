import { useEffect } from 'preact/hooks';
import { client, noteFailure, readAgain } from './api.ts';
import { session } from './session.ts';

/**
 * The log as it grows: one stream for the whole page, which hands each event to the views that want it. The client
 * continues after a break behind the last event that came.
 */

/** An event of the log. */
export type LiveEvent = {
  readonly action: string;
  readonly position: number;
  readonly [name: string]: unknown;
};

const listeners = new Set<(event: LiveEvent) => void>();
/** How long changes are gathered before a view reads again, in milliseconds. */
const gatherMs = 400;
let ending: AbortController | undefined;

async function follow(signal: AbortSignal): Promise<void> {
  try {
    for await (const event of client.events({ signal }))
      for (const listener of [...listeners]) listener(event as unknown as LiveEvent);
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

/** Calls `hear` with each event, while a component is shown. */
export function useEvents(hear: (event: LiveEvent) => void): void {
  useEffect(() => {
    listeners.add(hear);
    return () => void listeners.delete(hear);
  }, [hear]);
}

/** Calls `changed` shortly after events whose action begins with one of `beginnings`. */
export function useLive(beginnings: readonly string[], changed: () => void): void {
  const wanted = beginnings.join(' ');
  useEffect(() => {
    if (wanted === '') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hear = ({ action }: LiveEvent) => {
      if (timer !== undefined || !wanted.split(' ').some((beginning) => action.startsWith(beginning))) return;
      timer = setTimeout(() => {
        timer = undefined;
        changed();
      }, gatherMs);
    };
    listeners.add(hear);
    return () => {
      clearTimeout(timer);
      listeners.delete(hear);
    };
  }, [wanted, changed]);
}
