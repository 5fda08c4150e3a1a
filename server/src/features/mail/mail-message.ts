import { escapeText } from 'confab-contract/values/canonical-html.ts';
import { excerpt } from 'confab-contract/values/excerpt.ts';
import { timestamp } from 'confab-contract/values/time.ts';

/** One line of a message: what happened, when, and where to see it. */
export type MailLine = {
  readonly sentence: string;
  readonly at: number;
  readonly url: string | undefined;
  /** What it is about, where the sentence does not say it. */
  readonly text?: string;
  /** What the recipient can do about it, with the address of each. */
  readonly actions?: readonly { readonly label: string; readonly url: string }[];
};

/** The content and the recipient of a message. */
export type MailContent = {
  readonly from: string;
  readonly to: { readonly name: string; readonly address: string };
  /** The user and the newest notification that it covers: the same for each try, so that it is one message. */
  readonly userId: number;
  readonly upto: number;
  readonly lines: readonly MailLine[];
  /** How many more there are than lines. */
  readonly more: number;
  /** What they all are. */
  readonly kind: 'notifications' | 'comments';
  /** Where the recipient ends all mail with one request (RFC 8058). */
  readonly unsubscribeUrl: string;
  readonly at: number;
};

/** The most characters of a sentence in a subject. */
const subjectCharactersMax = 90;

function subjectOf({ lines, more, kind }: MailContent): string {
  const [first] = lines;
  const count = lines.length + more;
  if (count > 1 || first === undefined) return `${count} new ${kind}`;
  return excerpt(first.sentence, subjectCharactersMax);
}

/** A time as people write it, in UTC: `2026-11-22 17:05 UTC`. */
function timeOf(at: number): string {
  return `${timestamp(at).slice(0, 16).replace('T', ' ')} UTC`;
}

function moreOf({ more }: MailContent): string {
  return more === 0 ? '' : `And ${more} more.`;
}

const whyTexts = {
  notifications: 'You get this because you have notifications that you have not read.',
  comments: 'You get this because you asked to be told of each new comment where you moderate.',
} as const;

function textOf(content: MailContent): string {
  const lines = content.lines.map(({ sentence, at, url, text, actions = [] }) =>
    [
      sentence,
      ...(text === undefined ? [] : [text]),
      timeOf(at),
      ...(url === undefined ? [] : [url]),
      ...actions.map((action) => `${action.label}: ${action.url}`),
    ].join('\n'),
  );
  const more = moreOf(content);
  return [
    `Hello ${content.to.name},`,
    ...lines,
    ...(more === '' ? [] : [more]),
    `${whyTexts[content.kind]} Choose what you get, or stop it: ${content.unsubscribeUrl}`,
  ].join('\n\n');
}

function htmlOf(content: MailContent): string {
  const lines = content.lines.map(({ sentence, at, url, text, actions = [] }) => {
    const words = escapeText(sentence);
    const linked = url === undefined ? words : `<a href="${escapeText(url)}">${words}</a>`;
    const quoted = text === undefined ? '' : `<br>${escapeText(text)}`;
    const buttons = actions
      .map((action) => ` <a href="${escapeText(action.url)}">${action.label}</a>`)
      .join(' ·');
    return `<li style="margin:0 0 12px" dir="auto">${linked}${quoted}${buttons === '' ? '' : `<br>${buttons}`}<br><small style="color:#595959">${timeOf(at)}</small></li>`;
  });
  const more = moreOf(content);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>',
    '<body style="font:16px/1.5 sans-serif;max-width:36em;margin:0 auto;padding:16px">',
    `<p dir="auto">Hello ${escapeText(content.to.name)},</p>`,
    `<ul style="padding-left:20px">${lines.join('')}</ul>`,
    more === '' ? '' : `<p>${more}</p>`,
    `<p><small style="color:#595959">${whyTexts[content.kind]} <a href="${escapeText(content.unsubscribeUrl)}">Choose what you get, or stop it</a>.</small></p>`,
    '</body></html>',
  ].join('\n');
}

/** The address of a sender such as `Product <no-reply@example.com>`. */
export function bareAddress(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim();
}

/** The message of some content, as it is sent: plain text and HTML, with the headers of automatic mail. */
export async function composeMail(content: MailContent): Promise<Buffer> {
  const { from, to, userId, upto, unsubscribeUrl, at } = content;
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const domain = bareAddress(from).replace(/^.*@/, '');
  return await new MailComposer({
    from,
    to,
    subject: subjectOf(content),
    text: textOf(content),
    html: htmlOf(content),
    date: new Date(at),
    messageId: `<confab.${userId}.${upto}@${domain}>`,
    headers: {
      'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // Keeps answering machines from answering (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
    // Texts of users never name files or addresses to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}
