/**
 * Receivers of webhooks in a process of their own, so that what they cost is not taken from the one that measures.
 * Started as a program it has them, on as many ports as the arguments say that answer at once and that never do, and is
 * asked over its channel what it has received.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startReceiver, take } from '../harness/receiver.ts';

/** What was received: the time in milliseconds since 1970, and the body of the delivery. */
export type Receipt = { readonly at: number; readonly body: string };

/** What has come so far. */
export type Received = {
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly receipts: readonly Receipt[];
};

/** Receivers in a process of their own. */
export type Receivers = {
  /** Where they answer at once, and where they never do. */
  readonly urls: readonly string[];
  readonly deadUrls: readonly string[];
  /** What was received so far; `all` takes the receipts away, `clear` forgets everything and keeps only counts from then on. */
  ask(what: 'count' | 'all' | 'clear'): Promise<Received>;
  stop(): void;
};

/** Starts as many as are asked for. */
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
