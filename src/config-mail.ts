import { between, setting } from './config-values.ts';

/** The settings of mail about notifications (decision 0070). */
export const mailSettings = {
  smtpUrl: setting(
    'CONFAB_SMTP_URL',
    {
      sentence:
        'The mail server that messages about unread notifications are sent through; without it none are sent. With `smtp://` the connection is encrypted where the server offers that, and always with `?requireTLS=true` or `smtps://`.',
      values: 'an address `smtp://user:secret@host:587` or `smtps://…`',
      isSecret: true,
    },
    smtpUrl,
  ),
  mailFrom: setting(
    'CONFAB_MAIL_FROM',
    {
      sentence: 'The sender of these messages.',
      values: 'an address such as `Product <no-reply@example.com>`',
    },
    mailAddress,
  ),
  mailLink: setting(
    'CONFAB_MAIL_LINK',
    {
      sentence:
        'The address in your application of what a notification is about, with `{app}` (the uid), `{app_id}`, `{type}` and `{id}` in the place of its parts; by default messages have no such links.',
      values: 'an http or https address such as `https://app.example.com/open?app={app}&id={id}`',
    },
    linkTemplate,
  ),
  mailDelayMinutes: setting(
    'CONFAB_MAIL_DELAY_MINUTES',
    {
      sentence:
        'How many minutes a mention, a reply or a private message waits to be read before it is sent, and the least between two messages to a user.',
      values: '1 to 1440',
    },
    between(1, 1440, 10),
  ),
  mailDigestHours: setting(
    'CONFAB_MAIL_DIGEST_HOURS',
    {
      sentence: 'How many hours all other notifications wait to be read before they are sent together.',
      values: '1 to 168',
    },
    between(1, 168, 24),
  ),
};

function smtpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new Error('must be an address that begins with smtp:// or smtps://');
  return text;
}

function mailAddress(text: string | undefined): string | undefined {
  if (text !== undefined && !/^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text))
    throw new Error('must be an address such as Product <no-reply@example.com>');
  return text;
}

function linkTemplate(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const filled = text.replaceAll(/\{(?:app|app_id|type|id)\}/g, '1');
  const url = /[{}]/.test(filled) || !URL.canParse(filled) ? undefined : new URL(filled);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new Error('must be an http or https address with {app}, {app_id}, {type} and {id} alone in braces');
  return text;
}
