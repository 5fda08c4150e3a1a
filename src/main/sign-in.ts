import { createHmac } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { createAppComment } from '../features/comments/create.ts';
import type { FormParts } from '../features/pages/page-form.ts';
import { bindCommentPages } from '../features/pages/pages.routes.ts';
import { createVisitorNames } from '../features/visitors/visitor-names.ts';
import type { SignIn } from '../features/visitors/ways.ts';
import type { Http } from '../http/server.ts';
import { bindSignInPages } from '../http/sign-in/sign-in-pages.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { connectToMailServer } from '../net/smtp.ts';
import { startSignInMailer } from '../workers/sign-in-mailer.ts';

/** The parts of the server that signing in needs. */
type Parts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly publicUrl: () => string;
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
};

/** What creating a comment uses. */
type PartsOf = Parameters<(typeof createAppComment)['answer']>[1];

/** Starts the ways of signing in that the configuration allows. */
export async function startSignIn(
  parts: Parts,
  {
    db,
    box,
    http,
    secret,
  }: { readonly db: Db; readonly box: SecretBox; readonly http: Http; readonly secret: string },
): Promise<SignIn> {
  const { config, clock } = parts;
  const { signIn: ways, corsOrigins: origins } = config;
  const names = createVisitorNames({ db, clock });
  if (ways.length > 0) bindSignInPages(http, { ways, origins });
  if (ways.includes('email')) await startMails(parts, { db, box });
  const hasPuzzles = ways.includes('guest') && config.signInPuzzle === 'yes';
  if (!hasPuzzles) return { ways, origins, puzzles: undefined, names };
  const { createPuzzles } = await import('../features/visitors/puzzles.ts');
  const own = createHmac('sha256', secret).update('puzzles').digest('hex');
  return { ways, origins, puzzles: createPuzzles({ clock, secret: own }), names };
}

/** Binds the pages of apps that are open to visitors, on which guests may write. */
export function bindGuestPages(
  { config, publicUrl }: Parts,
  parts: Omit<FormParts, 'write' | 'storage'> & PartsOf & { readonly http: Http },
): void {
  const { http, db, links } = parts;
  const storage = { personBytesMax: config.storagePersonBytes, appBytesMax: config.storageAppBytes };
  const write: FormParts['write'] = (call) => createAppComment.answer(call, parts);
  bindCommentPages(http, { read: db.read, links, publicUrl, form: { ...parts, storage, write } });
}

async function startMails(
  { config, clock, log, metrics, publicUrl, started }: Parts,
  { db, box }: { readonly db: Db; readonly box: SecretBox },
): Promise<void> {
  const { smtpUrl, mailFrom } = config;
  if (smtpUrl === undefined || mailFrom === undefined)
    throw new Error('mail is to be sent without a mail server');
  const { createSignInMailer } = await import('../features/visitors/sign-in-mailer.ts');
  const connect = () => connectToMailServer(smtpUrl);
  const mailer = createSignInMailer({ db, box, clock, log, metrics, connect, from: mailFrom, publicUrl });
  const loop = startSignInMailer({ mailer, log });
  started.push({ name: 'mail of signing in', stop: () => loop.stop() });
}
