import type { Server } from 'node:http';
import { turnEnd } from '../../kernel/turn.ts';

/**
 * Node takes one new connection in a turn of the event loop (libuv, pull request 3696). On a busy server a turn takes
 * 25 ms, so connections would wait uncounted in the kernel until their clients give up. So while connections arrive,
 * requests that have not begun wait, which keeps the turns short.
 */

/** The most connections that are taken before requests go on: about 0.1 s. */
const connectionsMax = 1000;

/** Returns what a request waits for before it begins: undefined where no connection has just come in. */
export function awaitArrivals(server: Server): () => Promise<void> | undefined {
  let count = 0;
  let quiet: Promise<void> | undefined;

  async function untilQuiet(): Promise<void> {
    const last = count + connectionsMax;
    // The rest of the turn in which the first connection came.
    await turnEnd();
    for (let before = -1; before !== count && count < last; ) {
      before = count;
      await turnEnd();
    }
    quiet = undefined;
  }

  server.on('connection', () => {
    count += 1;
    quiet ??= untilQuiet();
  });
  return () => quiet;
}
