import { randomUUID } from 'node:crypto';
import type { AnswerOrder, ConfirmedOrder } from '../../kernel/reference-client.ts';

/** How long one response waits for the other to be requested, in milliseconds. */
const patienceMsDefault = 300;
/** The least time between the two responses, in milliseconds. A busy browser kept the order even with 1 ms. */
const marginMs = 20;

/** Messages to and from the other nodes about the order of responses. */
type PeerMessages = {
  send(topic: 'answer-order', text: string): void;
  onMessage(topic: 'answer-order', listener: (text: string) => void): void;
};

/**
 * The reference client requests the app, the caller and the features at once, and creates its editor as soon as it has
 * the app and the caller. An editor created before the features arrive never offers mentions, so the response about the
 * caller is sent last. Each response about the caller is matched with one about the features for the same user,
 * whichever is requested first.
 *
 * A load balancer may send the two requests to two nodes. A node that holds a response about the caller notifies its
 * peers (`wait`), and the node that sends the features, or has sent them without a match, releases it (`go`). Each
 * response about the features belongs to one node, so it releases one response about the caller. A lost message delays
 * the caller by the patience and has no other effect.
 */
export function createAnswerOrder(peers?: PeerMessages, patienceMs = patienceMsDefault): AnswerOrder {
  const waiting = createLines<() => void>();
  const featuresSent = createLines<symbol>();
  /** The responses that this node holds, by number. */
  const queue = new Map<number, () => void>();
  const node = randomUUID();
  let numbers = 0;

  function send(kind: 'wait' | 'go', userId: number, answer: string): void {
    peers?.send('answer-order', `${kind} ${userId} ${answer}`);
  }

  /** Releases the response that has waited longest for the features, or the next one that waits. */
  function match(userId: number): void {
    const release = waiting.take(userId);
    if (release !== undefined) {
      release();
      return;
    }
    const mark = Symbol();
    featuresSent.add(userId, mark);
    afterwards(patienceMs, () => featuresSent.remove(userId, mark));
  }

  peers?.onMessage('answer-order', (text) => {
    const [kind, user, answer = ''] = text.split(' ');
    const userId = Number(user);
    const [holder, number] = answer.split('/');
    if (kind === 'go') {
      if (holder !== node) return;
      const release = queue.get(Number(number));
      // It was already released, so the features are free to match another response.
      return release === undefined ? match(userId) : release();
    }
    const release = () => send('go', userId, answer);
    if (featuresSent.take(userId) !== undefined) return release();
    waiting.add(userId, release);
    afterwards(patienceMs, () => waiting.remove(userId, release));
  });

  return {
    featuresSent: match,
    async afterFeatures(userId) {
      if (featuresSent.take(userId) === undefined) {
        numbers += 1;
        const number = numbers;
        const { promise, resolve } = Promise.withResolvers<void>();
        const release = () => {
          queue.delete(number);
          waiting.remove(userId, release);
          resolve();
        };
        queue.set(number, release);
        waiting.add(userId, release);
        send('wait', userId, `${node}/${number}`);
        afterwards(patienceMs, release);
        await promise;
      }
      await new Promise<void>((resolve) => afterwards(marginMs, resolve));
    },
  };
}

/** Matches each response once, when `confirmed` knows that it is the one that is sent. */
export function onceConfirmed(
  order: AnswerOrder,
  confirmed: (() => Promise<void>) | undefined,
): ConfirmedOrder {
  return {
    async featuresSent(userId) {
      await confirmed?.();
      order.featuresSent(userId);
    },
    async afterFeatures(userId) {
      await confirmed?.();
      await order.afterFeatures(userId);
    },
  };
}

/** A queue for each user, oldest first. Empty queues are removed. */
function createLines<T>() {
  const lines = new Map<number, T[]>();
  function keep(userId: number, line: T[]): void {
    if (line.length === 0) lines.delete(userId);
    else lines.set(userId, line);
  }
  return {
    add(userId: number, item: T): void {
      keep(userId, [...(lines.get(userId) ?? []), item]);
    },
    take(userId: number): T | undefined {
      const [first, ...rest] = lines.get(userId) ?? [];
      keep(userId, rest);
      return first;
    },
    remove(userId: number, item: T): void {
      keep(
        userId,
        (lines.get(userId) ?? []).filter((other) => other !== item),
      );
    },
  };
}

function afterwards(ms: number, work: () => void): void {
  setTimeout(work, ms).unref();
}
