import type { Db } from '../../db/db.ts';
import { createLease } from '../../db/lease.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { type MailConnection, MailError } from '../../net/smtp.ts';
import { nextDue, setFailed, setSent } from './mail.store.ts';
import type { MailAddresses } from './mail-lines.ts';
import { bareAddress } from './mail-message.ts';
import {
  createMailSchedule,
  type MailOptions,
  messagesMax,
  type State,
  statesToSend,
} from './mail-schedule.ts';
import { type ComposedMail, createMailWriter } from './mail-writer.ts';

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

/** The pause before the next try of a message that the server did not take; it doubles with each try. */
const retryMs = 5 * 60_000;
const retryMsMax = 6 * 60 * 60_000;
/** How often the mailer looks for new notifications and due messages. */
const pollMs = 1000;

/** Thrown by the transaction before the end of a message when another process was first. */
class Overtaken extends Error {}

/** Sends mail; its worker takes one step at a time. */
export type Mailer = ReturnType<typeof createMailer>;

/** Creates the mailer of one node. */
export function createMailer({
  db,
  clock,
  log,
  metrics,
  connect,
  links,
  options,
}: {
  db: Db;
  clock: Clock;
  log: Log;
  metrics: Metrics | undefined;
  connect: () => Promise<MailConnection>;
  links: MailAddresses;
  options: MailOptions;
}) {
  const schedule = createMailSchedule({ db, clock, options });
  const write = createMailWriter({ db, clock, links, options });
  const lease = createLease({ db, clock, name: 'mailer' });

  /** Sends a message over a connection. Throws a `MailError`. */
  async function send(
    connection: MailConnection,
    { state, newest, message, to }: ComposedMail,
  ): Promise<void> {
    const { userId, upto: before, dueAt } = state;
    await connection.send({
      from: bareAddress(options.from),
      to,
      message,
      async commit() {
        const sent = { userId, before, dueAt: dueAt ?? 0, upto: newest, at: clock.now() };
        if ((await db.write((tx) => tx.changed(setSent, sent))) === 0) throw new Overtaken();
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
  async function handleFailure({ state, newest, to }: ComposedMail, error: MailError): Promise<void> {
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
  async function compose(state: State): Promise<ComposedMail | undefined> {
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
    const states = await statesToSend(db, clock.now());
    let connection: MailConnection | undefined;
    try {
      for (const state of states) {
        if (signal.aborted) return false;
        const due = await compose(state);
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
      if (turn !== 'held') schedule.forget();
      if (turn === 'elsewhere') return pollMs;
      const hasMore = await schedule.look();
      const hasMoreDue = await sendDue(signal);
      if (hasMore || hasMoreDue) return 0;
      const next = (await db.read.get(nextDue, {}))?.dueAt ?? undefined;
      return next === undefined ? pollMs : Math.min(pollMs, Math.max(0, next - clock.now()));
    },

    /** The last notification that it has looked at; undefined while another node sends mail. */
    position: schedule.position,

    /** Releases the lease, so that another node continues. */
    release: lease.end,
  };
}
