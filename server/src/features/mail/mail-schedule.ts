import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  dueStates,
  movePosition,
  newestNotification,
  notificationsBetween,
  setDue,
  statesOf,
  storedPosition,
} from './mail.store.ts';

/** The most notification ids that one step looks at. */
const windowIdsMax = 2000;
/** The most messages of one step, so that a stopping server does not wait for more. */
export const messagesMax = 20;

/** The settings of the operator. */
export type MailOptions = {
  readonly from: string;
  /** The address in the host's application of what a notification is about, with placeholders; undefined for none. */
  readonly link: string | undefined;
  /** The origins of the sites now, to whose pages messages link where there is no `link`. */
  readonly origins: () => readonly string[];
  /** The address of the console, to which messages about new comments link where nothing else is known. */
  readonly console: () => string;
  /** How long a direct notification waits to be read, and how long all others do, in milliseconds. */
  readonly delayMs: number;
  readonly digestMs: number;
};

/** What is known of the messages to a user. */
export type State = Awaited<ReturnType<typeof statesToSend>>[number];

/** A notification whose message may become due. */
type DueCandidate = {
  readonly id: number;
  readonly userId: number;
  readonly reason: string;
  readonly createdAt: number;
  readonly appType: string;
};

const directReasons: ReadonlySet<string> = new Set(['mention', 'reply', 'new_comment', 'held']);

/**
 * Whether a notification is for its user alone, was asked for or asks for a decision: a mention, reply, private message, new
 * comment or held item.
 */
export function isDirect({
  reason,
  appType,
}: {
  readonly reason: string;
  readonly appType: string;
}): boolean {
  return directReasons.has(reason) || appType === 'private_chat';
}

/** When a notification is due to a user who got the last message at `sentAt`. */
export function sendTimeOf(
  each: Pick<DueCandidate, 'reason' | 'appType' | 'createdAt'>,
  sentAt: number | null,
  { delayMs, digestMs }: Pick<MailOptions, 'delayMs' | 'digestMs'>,
): number {
  return isDirect(each) ? Math.max(each.createdAt, sentAt ?? 0) + delayMs : each.createdAt + digestMs;
}

/** The states of the users to whom a message is due at a time. */
export async function statesToSend(db: Db, now: UnixMs) {
  return await db.read.all(dueStates, { now, top: messagesMax });
}

/**
 * Notes when the next messages are due: it reads the notifications in order from the stored position, and stores for each
 * user the time that they make due. `position` is the last notification that it has looked at.
 */
export function createMailSchedule({ db, clock, options }: { db: Db; clock: Clock; options: MailOptions }) {
  let position: number | undefined;

  /** Notes what the next notifications make due; returns whether there are more. */
  async function look(): Promise<boolean> {
    position ??= (await db.read.get(storedPosition, {}))?.id ?? 0;
    const newest = (await db.read.get(newestNotification, {}))?.id ?? 0;
    if (newest <= position) return false;
    const upto = Math.min(newest, position + windowIdsMax);
    // Older ones are from a time without a mailer.
    const from = clock.now() - options.digestMs;
    const notifications = await db.read.all(notificationsBetween, { after: position, upto, from });
    if (notifications.length > 0 || upto - position === windowIdsMax)
      await db.write(async (tx) => {
        await noteDue(tx, notifications);
        await tx.run(movePosition, { id: upto });
      });
    position = upto;
    return upto < newest;
  }

  /** Stores when the messages about some notifications are due. Doing it again changes nothing. */
  async function noteDue(tx: Tx, found: readonly DueCandidate[]): Promise<void> {
    const userIds = [...new Set(found.map(({ userId }) => userId))];
    if (userIds.length === 0) return;
    const states = new Map((await tx.all(statesOf, { userIds })).map((state) => [state.userId, state]));
    const dues = new Map<number, number>();
    for (const each of found) {
      const state = states.get(each.userId);
      if (state !== undefined && (state.choice === 'none' || each.id <= state.upto)) continue;
      if (state?.choice === 'direct' && !isDirect(each)) continue;
      const dueAt = sendTimeOf(each, state?.sentAt ?? null, options);
      const known = dues.get(each.userId) ?? state?.dueAt ?? Number.POSITIVE_INFINITY;
      if (dueAt < known) dues.set(each.userId, dueAt);
    }
    if (dues.size === 0) return;
    await tx.run(setDue, { dues: JSON.stringify([...dues].map(([userId, dueAt]) => ({ userId, dueAt }))) });
  }

  return {
    look,

    /** The last notification that it has looked at; undefined until then. */
    position: () => position,

    /** Forgets the position, because another node may move it. */
    forget(): void {
      position = undefined;
    },
  };
}
