import type { Server } from '../shared.ts';
import { openWindow } from './open-window.ts';
import { beginFlow, type Flow } from './window.ts';

/** How often it is looked whether the window has been closed, in milliseconds. */
const lookMs = 500;

/** The window of the server in which somebody signs in, and the flow that it ends. `closed` is called when they close it. */
export function createWayWindow(closed: () => void) {
  let opened: Window | null = null;
  let flow: Flow | undefined;
  let looking: ReturnType<typeof setInterval> | undefined;

  return {
    /** Opens it for a way; called when somebody clicks, because browsers block other windows. Returns whether it is open. */
    open({ url }: Server, way: string, onBlocked: () => void): boolean {
      const begun = beginFlow(url);
      flow = begun;
      const next = openWindow(url, { way, flow: begun, onBlocked });
      if (next === null) return false;
      opened = next;
      clearInterval(looking);
      looking = setInterval(() => {
        if (!next.closed) return;
        clearInterval(looking);
        closed();
      }, lookMs);
      return true;
    },

    /** The code of a message and what proves who has begun; undefined for a message of anybody else. A code is taken once. */
    take({ url }: Server, { origin, source, data }: MessageEvent) {
      if (origin !== new URL(url).origin || source === null || source !== opened) return undefined;
      if (data?.type !== 'confab-sign-in' || typeof data.code !== 'string' || !flow) return undefined;
      const { verifier } = flow;
      flow = undefined;
      return { code: data.code as string, verifier };
    },

    close(): void {
      clearInterval(looking);
      opened?.close();
      opened = null;
    },
  };
}
