import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { type MailConnection, MailError, type Outgoing } from '../../net/smtp.ts';
import { bareAddress } from '../mail/mail-message.ts';
import { type Mailed, mailBinding } from './mailboxes.ts';
import { composeSignInMail } from './sign-in-message.ts';
import { dueRequests, putOffMail, setMailSent } from './sign-in-requests.store.ts';

/**
 * Sends the mails with which visitors sign in, the longest due first. A mail is on its way or not in the store, whatever a
 * process that dies was doing: the transaction that notes it commits before the mail server is told that it ends. It is
 * never sent twice, and one that could not be sent is tried again until it would be of no use.
 *
 * No mail holds up those of others. One that fails is put off for a time that doubles, and those that were put off less
 * often go first. Only a connection that fails ends a step.
 */

/** The most mails of one step, so that a stopping server does not wait for more. */
const mailsMax = 20;
/** How often new ones are looked for by default, and the pause after a connection that failed, in milliseconds. */
const defaultEveryMs = 500;
const pauseMs = 5000;
/** The pause before the second try of a mail, which doubles with each: seven tries while it is of use. */
const retryMs = 15_000;

type Due = Awaited<ReturnType<typeof dueAt>>[number];

/** Thrown by the transaction before the end of a mail when another process was first. */
class Overtaken extends Error {}

async function dueAt(db: Db, now: UnixMs) {
  return await db.read.all(dueRequests, { now, top: mailsMax });
}

/** Creates what sends these mails. */
export function createSignInMailer({
  db,
  box,
  clock,
  log,
  metrics,
  connect,
  from,
  publicUrl,
  everyMs = defaultEveryMs,
}: {
  readonly db: Db;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly connect: () => Promise<MailConnection>;
  readonly from: string;
  readonly publicUrl: () => string;
  readonly everyMs?: number | undefined;
}) {
  async function settle(hash: Uint8Array, at: UnixMs): Promise<boolean> {
    return (await db.write((tx) => tx.changed(setMailSent, { hash, at }))) > 0;
  }

  /** Writes the mail of a request. Throws an Error where its seal does not open. */
  async function write({ email, origin, sealed, userId, returnTo, challenge }: Due) {
    const mailed = JSON.parse(box.open(sealed ?? '', mailBinding)) as Mailed;
    const to = email ?? '';
    const message = await composeSignInMail({
      from,
      to,
      origin,
      isAdded: userId !== null,
      challenge: returnTo === null ? undefined : challenge,
      ...mailed,
      publicUrl: publicUrl(),
      at: clock.now(),
    });
    return { from: bareAddress(from), to, message };
  }

  async function putOff({ hash, sealed, attempts }: Due, sentAt: UnixMs | null): Promise<void> {
    const again = clock.now() + retryMs * 2 ** attempts;
    await db.write((tx) => tx.run(putOffMail, { hash, sealed: sealed ?? '', dueAt: again, sentAt }));
  }

  /** The mail of a request; undefined for one that cannot be written now, and is put off. */
  async function compose(due: Due) {
    try {
      return await write(due);
    } catch (error) {
      metrics?.count('confab_mails_total', { outcome: 'failed' });
      log.error({ err: error }, 'a mail with which a visitor signs in could not be written');
      await putOff(due, null);
      return undefined;
    }
  }

  async function connected(): Promise<MailConnection | undefined> {
    try {
      return await connect();
    } catch (error) {
      metrics?.count('confab_mails_total', { outcome: 'failed' });
      log.warn({ err: error }, 'the mail server cannot be reached to sign visitors in');
      return undefined;
    }
  }

  /** Sends a mail, or puts it off. Resolves to whether it went, and where not, whether the connection is at fault. */
  async function deliver(
    connection: MailConnection,
    due: Due,
    outgoing: Omit<Outgoing, 'commit'>,
  ): Promise<'sent' | 'unsent' | 'broken'> {
    const { hash } = due;
    let sentAt: UnixMs | null = null;
    const commit = async () => {
      const at = clock.now();
      if (!(await settle(hash, at))) throw new Overtaken();
      sentAt = at;
    };
    try {
      await connection.send({ ...outgoing, commit });
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      if (error.cause instanceof Overtaken) return 'unsent';
      metrics?.count('confab_mails_total', { outcome: error.isRefusal ? 'refused' : 'failed' });
      log.warn({ err: error }, 'a mail with which a visitor signs in was not sent');
      if (error.isRefusal) await settle(hash, clock.now());
      else if (!error.isUnknown) await putOff(due, sentAt);
      return error.isAnswer ? 'unsent' : 'broken';
    }
    metrics?.count('confab_mails_total', { outcome: 'sent' });
    return 'sent';
  }

  return {
    /** Sends what is due; returns the milliseconds until the next step. */
    async step(signal: AbortSignal): Promise<number> {
      const due = await dueAt(db, clock.now());
      let connection: MailConnection | undefined;
      try {
        for (const each of due) {
          if (signal.aborted) return everyMs;
          if (each.expiresAt <= clock.now()) {
            await settle(each.hash, clock.now());
            continue;
          }
          const outgoing = await compose(each);
          if (outgoing === undefined) continue;
          connection ??= await connected();
          if (connection === undefined) return pauseMs;
          const outcome = await deliver(connection, each, outgoing);
          // What is due is read again, because those that came meanwhile go before those that were put off.
          if (outcome !== 'sent') return outcome === 'broken' ? pauseMs : 0;
        }
      } finally {
        connection?.close();
      }
      return due.length === mailsMax ? 0 : everyMs;
    },
  };
}
