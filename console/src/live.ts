import { useEffect } from 'preact/hooks';
import { client, noteFailure } from './api.ts';
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

session.listen(() => {
  const isOpen = session.get().state === 'open';
  if (isOpen && ending === undefined) {
    ending = new AbortController();
    void follow(ending.signal);
  } else if (!isOpen) {
    ending?.abort();
    ending = undefined;
  }
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
