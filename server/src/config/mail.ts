import { between, setting, text } from './values.ts';

/** The settings of mail about notifications (decision 0070). */
export const mailSettings = {
  smtpUrl: setting('CONFAB_SMTP_URL', {
    kind: text('an address `smtp://user:secret@host:587` or `smtps://…`', smtpUrl),
    sentence:
      'The mail server for messages about unread notifications; without it no mail is sent. With `smtp://` the connection is encrypted if the server offers it, and with `?requireTLS=true` or `smtps://` always.',
    isSecret: true,
  }),
  mailFrom: setting('CONFAB_MAIL_FROM', {
    kind: text('an address such as `Product <no-reply@example.com>`', mailAddress),
    sentence: 'The sender of these messages.',
  }),
  mailLink: setting('CONFAB_MAIL_LINK', {
    kind: text(
      'an http or https address such as `https://app.example.com/open?app={app}&id={id}`',
      linkTemplate,
    ),
    sentence:
      'The address in your application of the item that a notification is about, with the placeholders `{app}` (the uid), `{app_id}`, `{type}` and `{id}`. By default, comments are linked on their pages if CONFAB_CORS_ORIGINS lists the site, other new comments in the console, and nothing else.',
  }),
  mailDelayMinutes: setting('CONFAB_MAIL_DELAY_MINUTES', {
    kind: between(1, 1440),
    default: '10',
    sentence:
      'How many minutes a mention, a reply, a private message, or for moderators something held or a new comment, must stay unread before it is sent by mail. It is also the least time between two messages to a user.',
  }),
  mailDigestHours: setting('CONFAB_MAIL_DIGEST_HOURS', {
    kind: between(1, 168),
    default: '24',
    sentence: 'How many hours other notifications must stay unread before they are sent together by mail.',
  }),
};

function smtpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new Error('must be an address that begins with smtp:// or smtps://');
  return text;
}

function mailAddress(text: string): string {
  if (!/^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text))
    throw new Error('must be an address such as Product <no-reply@example.com>');
  return text;
}

function linkTemplate(text: string): string {
  const filled = text.replaceAll(/\{(?:app|app_id|type|id)\}/g, '1');
  const url = /[{}]/.test(filled) || !URL.canParse(filled) ? undefined : new URL(filled);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new Error('must be an http or https address with {app}, {app_id}, {type} and {id} alone in braces');
  return text;
}
