import type { Socket } from 'node:net';
import type { ClientLimits } from './client-limits.ts';

/** An answer of which the client has not taken every byte. */
export type UnreadAnswer = {
  readonly socket: Socket;
  /** The user it is for; undefined for API keys and strangers, who have no limit of their own. */
  readonly userId: number | undefined;
  readonly bytes: number;
};

const tooMuchForUser = 'the user leaves too much unread';
const tooMuch = 'all clients together leave too much unread';

type Reader = { bytes: number; readonly answers: Set<UnreadAnswer> };

/**
 * Counts the bytes of answers that wait for their readers and keeps them within bounds: the bound of one user, then the
 * bound of all. Beyond a bound the connection whose answer has waited longest is cut, of that user or of whoever holds
 * most. So a client that reads nothing pays before anyone else does.
 */
export function createUnread({
  limits: { unreadUserBytesMax, unreadBytesMax },
  cut,
}: {
  limits: Pick<ClientLimits, 'unreadUserBytesMax' | 'unreadBytesMax'>;
  cut: (socket: Socket, why: string) => void;
}) {
  const readers = new Map<number | undefined, Reader>();
  // Both kinds of sets are in the order of sending, because that is how a set keeps its members.
  const all = new Set<UnreadAnswer>();
  let total = 0;

  function remove(answer: UnreadAnswer): void {
    const reader = readers.get(answer.userId);
    if (reader?.answers.delete(answer) !== true) return;
    all.delete(answer);
    reader.bytes -= answer.bytes;
    total -= answer.bytes;
    if (reader.answers.size === 0) readers.delete(answer.userId);
  }

  /** Cuts the connection of the answer that has waited longest, but never that of the newest: it had no time yet. */
  function cutOldest(answers: ReadonlySet<UnreadAnswer>, newest: UnreadAnswer, why: string): boolean {
    const [oldest] = answers;
    if (oldest === undefined || oldest === newest) return false;
    remove(oldest);
    cut(oldest.socket, why);
    return true;
  }

  /** The answers of whoever holds the most bytes. */
  function largest(): ReadonlySet<UnreadAnswer> {
    let found: Reader | undefined;
    for (const reader of readers.values())
      if (found === undefined || reader.bytes > found.bytes) found = reader;
    return found?.answers ?? all;
  }

  return {
    /** Counts an answer that is about to be sent. Call `remove` when it has left or its connection has ended. */
    add(answer: UnreadAnswer): void {
      const reader = readers.get(answer.userId) ?? { bytes: 0, answers: new Set() };
      readers.set(answer.userId, reader);
      reader.answers.add(answer);
      all.add(answer);
      reader.bytes += answer.bytes;
      total += answer.bytes;
      let isCut = answer.userId !== undefined;
      while (isCut && reader.bytes > unreadUserBytesMax)
        isCut = cutOldest(reader.answers, answer, tooMuchForUser);
      isCut = true;
      while (isCut && total > unreadBytesMax)
        isCut = cutOldest(largest(), answer, tooMuch) || cutOldest(all, answer, tooMuch);
    },

    /** Ends the count of an answer. */
    remove,
  };
}
