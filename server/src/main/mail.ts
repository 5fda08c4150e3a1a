import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { BlobLinks } from '../features/blobs/blob-links.ts';
import { bindMailPages } from '../features/mail/mail.routes.ts';
import { createMailLinks } from '../features/mail/mail-links.ts';
import { createMailer } from '../features/mail/mailer.ts';
import { createDecisionLinks } from '../features/reports/decision-links.ts';
import { bindDecisionPages } from '../features/reports/decisions.routes.ts';
import { createRemovalLinks } from '../features/reports/removal-links.ts';
import { bindRemovalPages } from '../features/reports/removals.routes.ts';
import type { SiteBook } from '../features/site/site-book.ts';
import type { Http } from '../http/server.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { connectToMailServer } from '../net/smtp.ts';
import { startMailer } from '../workers/mailer.ts';
import { measureReader } from './metrics.ts';

/** The parts of the server that mail needs. */
type Parts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly publicUrl: () => string;
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
};

/**
 * Binds the pages at which users stop mail, because their addresses are in messages that were sent before, and starts to
 * send mail if a mail server is configured.
 */
export function startMail(
  { config, clock, log, metrics, publicUrl, started }: Parts,
  {
    db,
    http,
    secret,
    links: blobLinks,
    siteBook,
  }: {
    readonly db: Db;
    readonly http: Http;
    readonly secret: string;
    readonly links: BlobLinks;
    readonly siteBook: SiteBook;
  },
): void {
  const links = createMailLinks({ db, clock, secret, publicUrl });
  bindMailPages(http, links);
  const decisions = createDecisionLinks({ db, clock, secret, publicUrl, links: blobLinks });
  bindDecisionPages(http, decisions);
  const removals = createRemovalLinks({ db, clock, secret, publicUrl, links: blobLinks });
  bindRemovalPages(http, removals);
  const { smtpUrl, mailFrom, mailLink, mailDelayMinutes, mailDigestHours } = config;
  if (smtpUrl === undefined || mailFrom === undefined) return;
  const mailer = createMailer({
    db,
    clock,
    log,
    metrics,
    connect: () => connectToMailServer(smtpUrl),
    links: { toUser: links.toUser, toReport: decisions.toReport, toComment: removals.toComment },
    options: {
      from: mailFrom,
      link: mailLink,
      origins: siteBook.origins,
      console: () => `${publicUrl()}/console`,
      delayMs: mailDelayMinutes * 60_000,
      digestMs: mailDigestHours * 3_600_000,
    },
  });
  const { position } = mailer;
  measureReader({ db, clock, metrics }, { reader: 'mail', what: 'notifications', position });
  const loop = startMailer({ mailer, log });
  db.onCommit('events', loop.nudge);
  started.push({ name: 'mail', stop: () => loop.stop() });
}
