import type { Socket } from 'node:net';
import type { ClientLimits } from './client-limits.ts';

/** A response that its client has not read completely. */
export type UnreadAnswer = {
  readonly socket: Socket;
  /** The user it is for; undefined for API keys and anonymous callers, which have no limit of their own. */
  readonly userId: number | undefined;
  readonly bytes: number;
  isRead: boolean;
};

const tooMuchForUser = 'the user leaves too much unread';
const tooMuch = 'all clients together leave too much unread';

type Reader = { bytes: number; readonly answers: Set<UnreadAnswer> };

/**
 * Limits the bytes of unread responses, for each user and in total. Beyond a limit it closes the connection whose response
 * has waited longest, of that user or of the user with the most unread bytes. So a client that reads nothing is affected
 * before all others.
 */
export function createUnread({
  limits: { unreadUserBytesMax, unreadBytesMax },
  cut,
}: {
  limits: Pick<ClientLimits, 'unreadUserBytesMax' | 'unreadBytesMax'>;
  cut: (socket: Socket, why: string) => void;
}) {
  const readers = new Map<number | undefined, Reader>();
  // Both kinds of sets are in the order of sending, because a set keeps the order of insertion.
  const all = new Set<UnreadAnswer>();
  /** The responses that are sent in this turn. */
  let unread: UnreadAnswer[] = [];
  let total = 0;

  function remove(answer: UnreadAnswer): void {
    answer.isRead = true;
    const reader = readers.get(answer.userId);
    if (reader?.answers.delete(answer) !== true) return;
    all.delete(answer);
    reader.bytes -= answer.bytes;
    total -= answer.bytes;
    if (reader.answers.size === 0) readers.delete(answer.userId);
  }

  /** Closes the connection of the longest waiting response, but never of the newest, which had no time to be read. */
  function cutOldest(answers: ReadonlySet<UnreadAnswer>, newest: UnreadAnswer, why: string): boolean {
    const [oldest] = answers;
    if (oldest === undefined || oldest === newest) return false;
    remove(oldest);
    cut(oldest.socket, why);
    return true;
  }

  /** The responses of the user with the most unread bytes. */
  function largest(): ReadonlySet<UnreadAnswer> {
    let current: Reader | undefined;
    for (const reader of readers.values())
      if (current === undefined || reader.bytes > current.bytes) current = reader;
    return current?.answers ?? all;
  }

  function count(answer: UnreadAnswer): void {
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
  }

  function countSent(): void {
    const answers = unread;
    unread = [];
    for (const answer of answers) if (!answer.isRead) count(answer);
  }

  return {
    /**
     * Counts a response that is sent now from the next turn on, unless it has been read by then: the system takes most
     * of them whole, at once. Call `remove` when it was read or its connection has ended.
     */
    add(answer: UnreadAnswer): void {
      if (unread.push(answer) === 1) setImmediate(countSent);
    },

    /** Stops counting a response. */
    remove,
  };
}
