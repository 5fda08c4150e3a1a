import { between, setting, text } from './values.ts';

/** The settings of mail about notifications (decision 0070). */
export const mailSettings = {
  smtpUrl: setting('CONFAB_SMTP_URL', {
    kind: text('an address `smtp://user:secret@host:587` or `smtps://…`', smtpUrl),
    sentence:
      'The mail server that messages about unread notifications are sent through; without it none are sent. With `smtp://` the connection is encrypted where the server offers that, and always with `?requireTLS=true` or `smtps://`.',
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
      'The address in your application of what a notification is about, with `{app}` (the uid), `{app_id}`, `{type}` and `{id}` in the place of its parts; by default messages have no such links.',
  }),
  mailDelayMinutes: setting('CONFAB_MAIL_DELAY_MINUTES', {
    kind: between(1, 1440),
    default: '10',
    sentence:
      'How many minutes a mention, a reply or a private message waits to be read before it is sent, and the least between two messages to a user.',
  }),
  mailDigestHours: setting('CONFAB_MAIL_DIGEST_HOURS', {
    kind: between(1, 168),
    default: '24',
    sentence: 'How many hours all other notifications wait to be read before they are sent together.',
  }),
};

function smtpUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new Error('must be an address that begins with smtp:// or smtps://');
  return given;
}

function mailAddress(given: string): string {
  if (!/^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(given))
    throw new Error('must be an address such as Product <no-reply@example.com>');
  return given;
}

function linkTemplate(given: string): string {
  const filled = given.replaceAll(/\{(?:app|app_id|type|id)\}/g, '1');
  const url = /[{}]/.test(filled) || !URL.canParse(filled) ? undefined : new URL(filled);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new Error('must be an http or https address with {app}, {app_id}, {type} and {id} alone in braces');
  return given;
}
