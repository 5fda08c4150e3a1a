import { userOf } from '../../access/user/user.sql.ts';
import type { Db, Tx } from '../../db/db.ts';
import { createLease } from '../../db/lease.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { type MailConnection, MailError } from '../../net/smtp.ts';
import { sentenceOf } from '../notifications/notice.ts';
import {
  dueStates,
  mailUser,
  movePosition,
  newestNotification,
  nextDue,
  notificationsBetween,
  setDue,
  setFailed,
  setNextDue,
  setSent,
  statesOf,
  storedPosition,
  unreadAfter,
} from './mail.store.ts';
import { refusalsMax } from './mail.ts';
import { bareAddress, composeMail, type MailLine } from './mail-message.ts';

/**
 * The mailer reads the notifications in order from a stored position and notes for each user when the next message is
 * due: soon after what is meant for this user alone, and once a digest's time has passed since anything else. When a
 * message is due, it covers everything that the user has not read by then and that no earlier message covered. A user who
 * has read everything elsewhere gets none.
 *
 * No message is sent twice, whenever the process dies and however many nodes run: the transaction that records it
 * commits when the mail server has all of the message but its end, changes the row only from the state from which the
 * message was written, and the server keeps nothing of a message without an end. A process that dies between the commit
 * and the end, which follows at once, has lost the message; what it was about stays unread in the application.
 */

/** The most notification ids that one step looks at. */
const windowIdsMax = 2000;
/** The most messages of one step, so that a stopping server does not wait for more. */
const messagesMax = 20;
/** The most notifications that a message reads, and the most that it lists. */
const unreadMax = 200;
const linesMax = 20;
/** The pause before the next try of a message that the server did not take; it doubles with each try. */
const retryMs = 5 * 60_000;
const retryMsMax = 6 * 60 * 60_000;
/** How often the mailer looks for new notifications and due messages. */
const pollMs = 1000;

/** The settings of the operator. */
export type MailOptions = {
  readonly from: string;
  /** The address in the host's application of what a notification is about, with placeholders; undefined for none. */
  readonly link: string | undefined;
  /** How long a direct notification waits to be read, and how long all others do, in milliseconds. */
  readonly delayMs: number;
  readonly digestMs: number;
};

type State = Awaited<ReturnType<typeof dueStatesAt>>[number];
type Unread = Awaited<ReturnType<typeof unreadOf>>[number];

/** A message to write and send: the unread notifications that it covers, up to `newest`. */
type Due = { readonly state: State; readonly newest: number; readonly message: Buffer; readonly to: string };

/** Thrown by the transaction before the end of a message when another process was first. */
class Overtaken extends Error {}

async function dueStatesAt(db: Db, now: UnixMs) {
  return await db.read.all(dueStates, { now, top: messagesMax });
}

async function unreadOf(db: Db, { userId, upto }: State) {
  return await db.read.all(unreadAfter, { userId, after: upto, top: unreadMax });
}

/** Whether a notification is meant for its user alone: a mention, a reply or a private message. */
function isDirect({ reason, appType }: { readonly reason: string; readonly appType: string }): boolean {
  return reason === 'mention' || reason === 'reply' || appType === 'private_chat';
}

/** The address of what a notification is about. */
function addressOf(template: string, { linkType, linkId, appId, appUid }: Unread): string {
  const values: { readonly [name: string]: string } = {
    app: appUid,
    app_id: String(appId),
    type: linkType,
    id: String(linkId),
  };
  return template.replaceAll(/\{(app|app_id|type|id)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}

/** Sends mail; its worker takes one step at a time. */
export type Mailer = ReturnType<typeof createMailer>;

/** Creates the mailer of one node. */
export function createMailer({
  db,
  clock,
  log,
  metrics,
  connect,
  toUser,
  options,
}: {
  db: Db;
  clock: Clock;
  log: Log;
  metrics: Metrics | undefined;
  connect: () => Promise<MailConnection>;
  /** The address at which a user stops mail. */
  toUser: (userId: number) => string;
  options: MailOptions;
}) {
  const { delayMs, digestMs } = options;
  const lease = createLease({ db, clock, name: 'mailer' });
  let position: number | undefined;

  /** Notes what the next notifications make due; returns whether there are more. */
  async function look(): Promise<boolean> {
    position ??= (await db.read.get(storedPosition, {}))?.id ?? 0;
    const newest = (await db.read.get(newestNotification, {}))?.id ?? 0;
    if (newest <= position) return false;
    const upto = Math.min(newest, position + windowIdsMax);
    // Older ones are from a time without a mailer.
    const from = clock.now() - digestMs;
    const found = await db.read.all(notificationsBetween, { after: position, upto, from });
    if (found.length > 0 || upto - position === windowIdsMax)
      await db.write(async (tx) => {
        await noteDue(tx, found);
        await tx.run(movePosition, { id: upto });
      });
    position = upto;
    return upto < newest;
  }

  type Found = {
    readonly id: number;
    readonly userId: number;
    readonly reason: string;
    readonly createdAt: number;
    readonly appType: string;
  };

  /** Stores when the messages about some notifications are due. Doing it again changes nothing. */
  async function noteDue(tx: Tx, found: readonly Found[]): Promise<void> {
    const userIds = [...new Set(found.map(({ userId }) => userId))];
    if (userIds.length === 0) return;
    const states = new Map((await tx.all(statesOf, { userIds })).map((state) => [state.userId, state]));
    const dues = new Map<number, number>();
    for (const each of found) {
      const state = states.get(each.userId);
      if (state !== undefined && (state.choice === 'none' || each.id <= state.upto)) continue;
      if (state?.choice === 'direct' && !isDirect(each)) continue;
      const dueAt = dueOf(each, state?.sentAt ?? null);
      const known = dues.get(each.userId) ?? state?.dueAt ?? Number.POSITIVE_INFINITY;
      if (dueAt < known) dues.set(each.userId, dueAt);
    }
    if (dues.size === 0) return;
    await tx.run(setDue, { dues: JSON.stringify([...dues].map(([userId, dueAt]) => ({ userId, dueAt }))) });
  }

  /** When a notification is due to a user who got the last message at `sentAt`. */
  function dueOf(each: Pick<Found, 'reason' | 'appType' | 'createdAt'>, sentAt: number | null): number {
    return isDirect(each) ? Math.max(each.createdAt, sentAt ?? 0) + delayMs : each.createdAt + digestMs;
  }

  /** Writes the message of a state; undefined when there is nothing to send yet, which is then recorded. */
  async function write(state: State): Promise<Due | undefined> {
    const row = await db.read.get(mailUser, { id: state.userId });
    const user = row === undefined ? undefined : userOf(row);
    const isReachable =
      user !== undefined &&
      user.email !== null &&
      user.suspendedAt === null &&
      user.trashedAt === null &&
      !(state.refusedAddress === user.email && state.refusals >= refusalsMax);
    const unread = isReachable && state.choice !== 'none' ? await unreadOf(db, state) : [];
    const told = unread.filter((each) => each.isShown === 1 && (state.choice === 'all' || isDirect(each)));
    const newest = unread[0]?.id ?? state.upto;
    const { userId, upto: before } = state;
    const from = { userId, before, dueAt: state.dueAt ?? 0 };
    if (!isReachable || told.length === 0) {
      await db.write((tx) => tx.run(setNextDue, { ...from, upto: newest, next: null }));
      return undefined;
    }
    // What made this message due may have been read or trashed since, and the rest still has time. Of more than can be
    // read here, the oldest are not known.
    const next = Math.min(...told.map((each) => dueOf(each, state.sentAt)));
    if (next > clock.now() && unread.length < unreadMax) {
      await db.write((tx) => tx.run(setNextDue, { ...from, upto: before, next }));
      return undefined;
    }
    const inOrder = told.reverse().sort((one, other) => Number(isDirect(other)) - Number(isDirect(one)));
    const lines = inOrder.slice(0, linesMax).map(lineOf);
    const address = user.email ?? '';
    const message = await composeMail({
      from: options.from,
      to: { name: user.displayName, address },
      userId,
      upto: newest,
      lines,
      more: told.length - lines.length,
      unsubscribeUrl: toUser(userId),
      at: clock.now(),
    });
    return { state, newest, message, to: address };
  }

  function lineOf(unread: Unread): MailLine {
    return {
      sentence: sentenceOf({ template: unread.template, args: JSON.parse(unread.args) as string[] }),
      at: unread.createdAt,
      url: options.link === undefined ? undefined : addressOf(options.link, unread),
    };
  }

  /** Sends a message over a connection. Throws a `MailError`. */
  async function send(connection: MailConnection, { state, newest, message, to }: Due): Promise<void> {
    const { userId, upto: before, dueAt } = state;
    await connection.send({
      from: bareAddress(options.from),
      to,
      message,
      async commit() {
        const sent = { userId, before, dueAt: dueAt ?? 0, upto: newest, at: clock.now() };
        if ((await db.write((tx) => tx.run(setSent, sent))) === 0) throw new Overtaken();
      },
    });
    metrics?.count('confab_mails_total', { outcome: 'sent' });
  }

  /** Records that a message is tried again later, the later the more often it was. */
  async function putOff(state: State): Promise<void> {
    const waitMs = Math.min(retryMs * 2 ** state.tries, retryMsMax);
    const again = { ...state, dueAt: clock.now() + waitMs, tries: state.tries + 1 };
    await db.write((tx) => tx.run(setFailed, again));
  }

  /** Records that the server did not take a message; throws the error when the connection is at fault. */
  async function handleFailure({ state, newest, to }: Due, error: MailError): Promise<void> {
    const { userId } = state;
    if (error.cause instanceof Overtaken) return;
    metrics?.count('confab_mails_total', { outcome: error.isRefusal ? 'refused' : 'failed' });
    if (error.isUnknown) {
      log.warn({ err: error, user: userId }, 'it is not known whether the mail server took a message');
      return;
    }
    if (error.isRefusal) {
      log.info({ err: error, user: userId }, 'the mail server refused a message');
      const refusals = state.refusedAddress === to ? state.refusals + 1 : 1;
      const refused = { ...state, upto: newest, dueAt: null, tries: 0, refusals, refusedAddress: to };
      await db.write((tx) => tx.run(setFailed, refused));
      return;
    }
    await putOff(state);
    if (!error.isAnswer) throw error;
  }

  /** The message of a state, as `write` gives it. One that cannot be written is tried again later, and holds up no other. */
  async function written(state: State): Promise<Due | undefined> {
    try {
      return await write(state);
    } catch (error) {
      // Where the store is away, this fails as well and ends the step.
      await putOff(state);
      metrics?.count('confab_mails_total', { outcome: 'failed' });
      log.error({ err: error, user: state.userId }, 'a message could not be written');
      return undefined;
    }
  }

  /** Sends the messages that are due; returns whether there may be more. */
  async function sendDue(signal: AbortSignal): Promise<boolean> {
    const states = await dueStatesAt(db, clock.now());
    let connection: MailConnection | undefined;
    try {
      for (const state of states) {
        if (signal.aborted) return false;
        const due = await written(state);
        if (due === undefined) continue;
        connection ??= await connect();
        try {
          await send(connection, due);
        } catch (error) {
          // The state of the connection is unknown, so the next message gets another.
          connection.close();
          connection = undefined;
          if (!(error instanceof MailError)) throw error;
          await handleFailure(due, error);
        }
      }
    } finally {
      connection?.close();
    }
    return states.length === messagesMax;
  }

  return {
    /** Looks for new notifications and sends what is due; returns the milliseconds until the next step. */
    async step(signal: AbortSignal): Promise<number> {
      const turn = await lease.take();
      if (turn !== 'held') position = undefined;
      if (turn === 'elsewhere') return pollMs;
      const hasMore = await look();
      const hasMoreDue = await sendDue(signal);
      if (hasMore || hasMoreDue) return 0;
      const next = (await db.read.get(nextDue, {}))?.dueAt ?? undefined;
      return next === undefined ? pollMs : Math.min(pollMs, Math.max(0, next - clock.now()));
    },

    /** The last notification that it has looked at; undefined while another node sends mail. */
    position: () => position,

    /** Releases the lease, so that another node continues. */
    release: lease.end,
  };
}
