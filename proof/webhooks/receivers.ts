/**
 * Receivers of webhooks in a separate process, so that their cost does not count in the measuring one. As a program it
 * opens as many ports as the arguments name, some that respond at once and some that never do, and reports over its
 * channel what it has received.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startReceiver, take } from 'confab-testing/harness/receiver.ts';

/** A received delivery: the time in milliseconds since 1970, and the body. */
export type Receipt = { readonly at: number; readonly body: string };

/** The deliveries received so far. */
export type Received = {
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly receipts: readonly Receipt[];
};

/** Receivers in a separate process. */
export type Receivers = {
  /** The addresses that respond at once, and those that never do. */
  readonly urls: readonly string[];
  readonly deadUrls: readonly string[];
  /**
   * The deliveries received so far; `all` removes and returns them, `clear` forgets everything and only counts from
   * then on.
   */
  ask(what: 'count' | 'all' | 'clear'): Promise<Received>;
  stop(): void;
};

/** Starts this many receivers. */
export async function startReceivers(answering: number, dead: number): Promise<Receivers> {
  const child = fork(import.meta.filename, [String(answering), String(dead)]);
  const [{ urls, deadUrls }] = (await once(child, 'message')) as [Pick<Receivers, 'urls' | 'deadUrls'>];
  return {
    urls,
    deadUrls,
    async ask(what) {
      const answer = once(child, 'message');
      child.send(what);
      const [received] = (await answer) as [Received];
      return received;
    },
    stop: () => void child.kill(),
  };
}

async function serve(answering: number, dead: number): Promise<void> {
  let [count, firstAt, lastAt, keepsBodies] = [0, 0, 0, true];
  let receipts: Receipt[] = [];
  const start = async (many: number, answer: Parameters<typeof startReceiver>[0]) =>
    (await Promise.all(Array.from({ length: many }, () => startReceiver(answer)))).map(
      ({ url }) => `${url}/`,
    );
  const urls = await start(answering, (response, arrival) => {
    const at = performance.timeOrigin + arrival.at;
    if (count === 0) firstAt = at;
    count += 1;
    lastAt = at;
    if (keepsBodies) receipts.push({ at, body: arrival.body.toString() });
    take(response);
  });
  const deadUrls = await start(dead, () => undefined);
  process.on('message', (what) => {
    if (what === 'clear') [count, receipts, keepsBodies] = [0, [], false];
    process.send?.({ count, firstAt, lastAt, receipts: what === 'all' ? receipts : [] } satisfies Received);
    if (what === 'all') receipts = [];
  });
  process.send?.({ urls, deadUrls });
}

if (import.meta.main) await serve(Number(process.argv[2]), Number(process.argv[3]));
