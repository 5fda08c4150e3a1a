import { createHmac } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { createAppComment } from '../features/comments/create.ts';
import type { Moderation } from '../features/moderation/moderation.ts';
import type { FormParts } from '../features/pages/page-form.ts';
import { bindCommentPages } from '../features/pages/pages.routes.ts';
import type { SiteBook } from '../features/site/site-book.ts';
import { type CommentPictures, createCommentPictures } from '../features/visitors/comment-pictures.ts';
import { createGuestCounts, type GuestCounts } from '../features/visitors/guest-counts.ts';
import { createVisitorNames } from '../features/visitors/visitor-names.ts';
import type { SignIn } from '../features/visitors/ways.ts';
import { bodyReader } from '../http/bodies/validate.ts';
import { callOf } from '../http/call.ts';
import type { Http } from '../http/server.ts';
import { bindSignInPages } from '../http/sign-in/sign-in-pages.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { connectToMailServer } from '../net/smtp.ts';
import { startLoop } from '../workers/runner.ts';
import { storageOf } from './access.ts';
import { startProviders } from './providers.ts';

/** The parts of the server that signing in needs. */
type Parts = Parameters<typeof startProviders>[0] & {
  readonly metrics: Metrics | undefined;
  readonly signInMailsEveryMs?: number;
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
    rateLimits,
    moderation,
    siteBook: { current: site, given },
  }: {
    readonly db: Db;
    readonly box: SecretBox;
    readonly http: Http;
    readonly secret: string;
    readonly rateLimits: RateLimits;
    readonly moderation: Moderation;
    readonly siteBook: SiteBook;
  },
): Promise<SignIn> {
  const { config, clock } = parts;
  const names = createVisitorNames(moderation);
  // A way that the settings leave out for good needs no part.
  const canBe = (way: string) => given.sign_in === undefined || given.sign_in.value.includes(way);
  bindSignInPages(http, site);
  if (canBe('email') && config.smtpUrl !== undefined) await startMails(parts, { db, box });
  await startProviders(parts, { db, box, http, names, rateLimits, site, canBe });
  const hasPuzzles = canBe('guest') && config.signInPuzzle === 'yes';
  const signIn = {
    site,
    names,
    mailboxSecret: ownSecret(secret, 'mailboxes'),
    pictures: config.signInPictures,
    commentPictures: config.commentsPictures,
  };
  if (!hasPuzzles) return { ...signIn, puzzles: () => undefined };
  const { createPuzzles } = await import('../features/visitors/puzzles.ts');
  const puzzles = createPuzzles({ clock, secret: ownSecret(secret, 'puzzles') });
  return { ...signIn, puzzles: () => (site().sign_in.includes('guest') ? puzzles : undefined) };
}

/** A secret for one use, from that of the store. */
function ownSecret(secret: string, use: string): string {
  return createHmac('sha256', secret).update(use).digest('hex');
}

/** What `createCommentPictures` uses that no setting says. */
type PictureParts = Omit<Parameters<typeof createCommentPictures>[0], 'which' | 'bytesMax'>;

/** Creates the parts that count guests and take the pictures of visitors, as the configuration says. */
export function visitorPartsOf(
  { guestsCountBy: by, commentsPictures: which, commentsPicturesMib }: Config,
  { secret, ...parts }: PictureParts & { readonly secret: string },
): {
  readonly guests: GuestCounts;
  readonly commentPictures: CommentPictures;
} {
  return {
    guests: createGuestCounts({ by, secret: ownSecret(secret, 'guests') }),
    commentPictures: createCommentPictures({ ...parts, which, bytesMax: commentsPicturesMib * 1024 * 1024 }),
  };
}

/** Binds the pages of apps that are open to visitors, on which guests may write. */
export function bindGuestPages(
  { config, publicUrl }: Parts,
  parts: Omit<FormParts, 'write'> & PartsOf & { readonly http: Http },
): void {
  const { http, db, links } = parts;
  const storage = storageOf(config);
  const readBody = bodyReader(createAppComment.operation);
  const write: FormParts['write'] = ({ uid, user, introduce, text, request }) =>
    createAppComment.answer(
      callOf({
        principal: { kind: 'visitor', user, storage },
        ...{ params: { app: { uid } }, query: {}, list: undefined, receive: undefined },
        ...{ body: readBody({ value: { text }, sources: {} }, { isStrict: false }), raw: request },
      }),
      parts,
      { introduce: async (tx) => ({ kind: 'visitor', user: await introduce(tx), storage }) },
    );
  bindCommentPages(http, { read: db.read, links, publicUrl, form: { ...parts, write } });
}

async function startMails(
  { config, clock, log, metrics, publicUrl, started, signInMailsEveryMs: everyMs }: Parts,
  { db, box }: { readonly db: Db; readonly box: SecretBox },
): Promise<void> {
  const { smtpUrl, mailFrom } = config;
  if (smtpUrl === undefined || mailFrom === undefined)
    throw new Error('mail is to be sent without a mail server');
  const { createSignInMailer } = await import('../features/visitors/sign-in-mailer.ts');
  const connect = () => connectToMailServer(smtpUrl);
  const from = mailFrom;
  const mailer = createSignInMailer({ db, box, clock, log, metrics, connect, from, publicUrl, everyMs });
  const loop = startLoop({ name: 'sign-in mailer', log, step: mailer.step });
  started.push({ name: 'mail of signing in', stop: () => loop.stop() });
}
