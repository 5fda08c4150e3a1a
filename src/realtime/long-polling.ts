import type { Wire } from './wire.ts';

/** What a poll answers: the records that waited, nothing yet, or that the connection has ended. */
export type Poll = { readonly kind: 'records'; readonly bytes: Buffer } | { readonly kind: 'gone' };

/** A wire whose other side comes again and again to fetch what there is. */
export type PolledWire = Wire & {
  /** Answers as soon as there is something. A poll that comes while another waits takes its place. */
  poll(): Promise<Poll>;
  /** Whether a poll waits at the moment. */
  isPolled(): boolean;
  /** Gives the waiting poll an empty answer. */
  release(): void;
};

const empty: Poll = { kind: 'records', bytes: Buffer.alloc(0) };

/** A polled wire; `onGone` is called when it has ended and the other side has been told, or is told no more. */
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

  /** Gives the waiting poll its answer. Without one nothing is taken, so that it is there for the next. */
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
      // The first poll only opens the connection: the client begins to talk when it is answered.
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
