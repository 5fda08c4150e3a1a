import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { type MailConnection, MailError } from '../../net/smtp.ts';
import { bareAddress } from '../mail/mail-message.ts';
import { type Mailed, mailBinding } from './mailboxes.ts';
import { composeSignInMail } from './sign-in-message.ts';
import { setMailSent, unsentRequests } from './sign-in-requests.store.ts';

/**
 * Sends the mails with which visitors sign in, the oldest first. A mail is on its way or not in the store, whatever a
 * process that dies was doing: the transaction that notes it commits before the mail server is told that it ends. It is
 * never sent twice, and one that could not be sent is tried again until it would be of no use.
 */

/** The most mails of one step, so that a stopping server does not wait for more. */
const mailsMax = 20;
/** How often new ones are looked for, and the pause after a failure, in milliseconds. */
const pollMs = 500;
const pauseMs = 5000;

type Unsent = Awaited<ReturnType<typeof unsentOf>>[number];

class Overtaken extends Error {}

async function unsentOf(db: Db) {
  return await db.read.all(unsentRequests, { top: mailsMax });
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
}: {
  readonly db: Db;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly connect: () => Promise<MailConnection>;
  readonly from: string;
  readonly publicUrl: () => string;
}) {
  async function settle(hash: Uint8Array): Promise<boolean> {
    return (await db.write((tx) => tx.run(setMailSent, { hash, at: clock.now() }))) > 0;
  }

  async function send(
    connection: MailConnection,
    { hash, email, origin, sealed, userId }: Unsent,
  ): Promise<void> {
    const mailed = JSON.parse(box.open(sealed ?? '', mailBinding)) as Mailed;
    const to = email ?? '';
    const message = await composeSignInMail({
      from,
      to,
      origin,
      isAdded: userId !== null,
      ...mailed,
      publicUrl: publicUrl(),
      at: clock.now(),
    });
    await connection.send({
      from: bareAddress(from),
      to,
      message,
      async commit() {
        if (!(await settle(hash))) throw new Overtaken();
      },
    });
    metrics?.count('confab_mails_total', { outcome: 'sent' });
  }

  /** Sends what waits; returns whether the mail server can take more now. */
  async function sendAll(unsent: readonly Unsent[], signal: AbortSignal): Promise<boolean> {
    let connection: MailConnection | undefined;
    try {
      for (const each of unsent) {
        if (signal.aborted) return true;
        if (each.expiresAt <= clock.now()) {
          await settle(each.hash);
          continue;
        }
        try {
          connection ??= await connect();
          await send(connection, each);
        } catch (error) {
          connection?.close();
          connection = undefined;
          if (error instanceof MailError && error.cause instanceof Overtaken) continue;
          metrics?.count('confab_mails_total', { outcome: 'failed' });
          log.warn({ err: error }, 'a mail with which a visitor signs in was not sent');
          if (!(error instanceof MailError) || !error.isRefusal) return false;
          await settle(each.hash);
        }
      }
    } finally {
      connection?.close();
    }
    return true;
  }

  return {
    /** Sends what waits; returns the milliseconds until the next step. */
    async step(signal: AbortSignal): Promise<number> {
      const unsent = await unsentOf(db);
      if (!(await sendAll(unsent, signal))) return pauseMs;
      return unsent.length === mailsMax ? 0 : pollMs;
    },
  };
}
