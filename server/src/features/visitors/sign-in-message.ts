import { escapeText } from 'confab-contract/values/canonical-html.ts';
import { siteOf } from '../../kernel/web-address.ts';
import { bareAddress } from '../mail/mail-message.ts';
import type { Mailed } from './mailboxes.ts';

/** What a mail with which a visitor signs in is made of. */
type SignInMail = Mailed & {
  readonly from: string;
  readonly to: string;
  readonly origin: string;
  /** Whether a visitor who has signed in there adds the mailbox, in place of signing in by it. */
  readonly isAdded: boolean;
  /** The challenge of the page to which a link leads; undefined where there is none to go back to. */
  readonly challenge: string | undefined;
  readonly publicUrl: string;
  readonly at: number;
};

/**
 * The mail with a code and a link. It names the site that asked, so that nobody gives the code to another, and the secret
 * stands in the fragment of the link, which no server is sent.
 */
export async function composeSignInMail(mail: SignInMail): Promise<Buffer> {
  const { from, to, origin, code, secret, asker, challenge, publicUrl, at, isAdded } = mail;
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const site = siteOf(origin);
  const link = `${publicUrl}/sign-in/link#${secret}.${challenge}`;
  const stop = `${publicUrl}/sign-in/refuse#${secret}`;
  const wish = isAdded
    ? `add this address to their account at ${site}, and get what you have written there with it`
    : `sign in at ${site} with this address`;
  const intro = `Somebody wants to ${wish}. If that is you, type this code there:`;
  const life = 'It is good for 15 minutes. Never tell it to anybody, and type it nowhere but at this site.';
  // What is added is confirmed on the page where the visitor has signed in.
  const other =
    isAdded || challenge === undefined ? undefined : 'Or open this link in the browser in which you began:';
  const where = asker === undefined ? '' : `The request came from the network address ${asker}. `;
  const refusal = `${where}If you did not ask for it, you need not do anything. To get no more of these for a week:`;
  const ways = other === undefined ? [] : [`${other}\n${link}`];
  const text = [intro, code, life, ...ways, `${refusal}\n${stop}`].join('\n\n');
  const body = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>',
    '<body style="font:16px/1.5 sans-serif;max-width:36em;margin:0 auto;padding:16px">',
    `<p>${escapeText(intro)}</p>`,
    `<p style="font-size:28px;letter-spacing:4px"><strong>${code}</strong></p>`,
    `<p>${life}</p>`,
    ...(other === undefined
      ? []
      : [`<p>${other} <a href="${escapeText(link)}">sign in at ${escapeText(site)}</a></p>`]),
    `<p><small style="color:#595959">${refusal} <a href="${escapeText(stop)}">stop these mails</a></small></p>`,
    '</body></html>',
  ].join('\n');
  const domain = bareAddress(from).replace(/^.*@/, '');
  return await new MailComposer({
    from,
    to: { name: '', address: to },
    subject: `${code} is your code for ${site}`,
    text,
    html: body,
    date: new Date(at),
    messageId: `<confab.sign-in.${crypto.randomUUID()}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
