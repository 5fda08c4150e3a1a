import type { Wire } from './wire.ts';

/** The response to a poll: the records that waited (possibly none), or that the connection has ended. */
export type Poll = { readonly kind: 'records'; readonly bytes: Buffer } | { readonly kind: 'gone' };

/** A wire whose client polls for records. */
export type PolledWire = Wire & {
  /** Resolves as soon as there are records. A new poll takes the place of one that waits. */
  poll(): Promise<Poll>;
  /** Whether a poll is waiting. */
  isPolled(): boolean;
  /** Gives the waiting poll an empty response. */
  release(): void;
};

const empty: Poll = { kind: 'records', bytes: Buffer.alloc(0) };

/** A polled wire; `onGone` is called when it has ended and the client knows, or cannot be reached. */
export function longPollingWire(onGone: () => void): PolledWire {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isEnded = false;
  let isFirst = true;
  let answer: ((poll: Poll) => void) | undefined;

  function take(): Poll | undefined {
    if (waiting.length > 0) {
      const bytes = Buffer.concat(waiting);
      waiting = [];
      waitingBytes = 0;
      return { kind: 'records', bytes };
    }
    return isEnded ? { kind: 'gone' } : undefined;
  }

  /** Answers the waiting poll, if any; otherwise leaves the records for the next one. */
  function settle(next: () => Poll | undefined): void {
    if (answer === undefined) return;
    const poll = next();
    if (poll === undefined) return;
    const settled = answer;
    answer = undefined;
    settled(poll);
    if (poll.kind === 'gone') onGone();
  }

  return {
    send(records) {
      if (isEnded) return;
      waiting.push(records);
      waitingBytes += records.length;
      settle(take);
    },
    waitingBytes: () => waitingBytes,
    probe: () => undefined,
    end() {
      isEnded = true;
      settle(take);
    },
    cut() {
      isEnded = true;
      waiting = [];
      settle(() => ({ kind: 'gone' }));
      onGone();
    },
    async poll() {
      settle(() => empty);
      // The first poll only opens the connection: the client starts to send once it is answered.
      if (isFirst) {
        isFirst = false;
        return empty;
      }
      const there = take();
      if (there !== undefined) {
        if (there.kind === 'gone') onGone();
        return there;
      }
      return await new Promise<Poll>((resolve) => {
        answer = resolve;
      });
    },
    isPolled: () => answer !== undefined,
    release: () => settle(() => empty),
  };
}
