import { randomUUID } from 'node:crypto';
import type { AnswerOrder } from '../kernel/reference-client.ts';

/** The longest that one answer waits for the other to be asked for, in milliseconds. */
const patienceMsDefault = 300;
/** How far apart the two answers leave, in milliseconds: with 1 ms a busy browser took them in the right order as well. */
const marginMs = 20;

/** The other nodes, as far as the order of answers needs them. */
type OtherNodes = {
  tell(matter: 'answer-order', text: string): void;
  onTold(matter: 'answer-order', listener: (text: string) => void): void;
};

/**
 * The reference client asks for the app, the caller and the features at once, and makes its editor when it knows app
 * and caller. An editor that is made before the features are known never offers mentions, so the caller is told last.
 * Each answer about the caller is matched with one about the features to the same user, whichever is asked for first.
 *
 * A balancer may send the two requests to two nodes. A node that holds back an answer about the caller tells the others
 * (`wait`), and the one that tells the features, or has told them without a match, releases it (`go`). Each answer about
 * the features is at one node at a time, so it releases one answer about the caller. A message that is lost costs the
 * caller the patience and nothing else.
 */
export function createAnswerOrder(others?: OtherNodes, patienceMs = patienceMsDefault): AnswerOrder {
  const waiting = createLines<() => void>();
  const told = createLines<symbol>();
  /** The answers that this node holds back, by their numbers. */
  const held = new Map<number, () => void>();
  const node = randomUUID();
  let numbers = 0;

  function tell(word: 'wait' | 'go', userId: number, answer: string): void {
    others?.tell('answer-order', `${word} ${userId} ${answer}`);
  }

  /** Releases the answer that has waited longest for the features, or the next one that will. */
  function match(userId: number): void {
    const release = waiting.take(userId);
    if (release !== undefined) {
      release();
      return;
    }
    const mark = Symbol();
    told.add(userId, mark);
    afterwards(patienceMs, () => told.remove(userId, mark));
  }

  others?.onTold('answer-order', (text) => {
    const [word, user, answer = ''] = text.split(' ');
    const userId = Number(user);
    const [holder, number] = answer.split('/');
    if (word === 'go') {
      if (holder !== node) return;
      const release = held.get(Number(number));
      // One that was released meanwhile leaves the features to another.
      return release === undefined ? match(userId) : release();
    }
    const release = () => tell('go', userId, answer);
    if (told.take(userId) !== undefined) return release();
    waiting.add(userId, release);
    afterwards(patienceMs, () => waiting.remove(userId, release));
  });

  return {
    featuresSent: match,
    async afterFeatures(userId) {
      if (told.take(userId) === undefined) {
        numbers += 1;
        const number = numbers;
        const { promise, resolve } = Promise.withResolvers<void>();
        const release = () => {
          held.delete(number);
          waiting.remove(userId, release);
          resolve();
        };
        held.set(number, release);
        waiting.add(userId, release);
        tell('wait', userId, `${node}/${number}`);
        afterwards(patienceMs, release);
        await promise;
      }
      await new Promise<void>((resolve) => afterwards(marginMs, resolve));
    },
  };
}

/** A line for each user, oldest first; a user with an empty line takes no room. */
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
