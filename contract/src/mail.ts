import Type from 'typebox';
import { boolean, described, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** The mail settings of a user. */
export const MailChoice = Type.Unsafe<'all' | 'direct' | 'none'>({
  type: 'string',
  enum: ['all', 'direct', 'none'],
  description:
    '`all`: everything that the user has not read; `direct`: only mentions, replies, private messages and, for moderators, what waits for approval and the comments of `new_comments`; `none`: nothing.',
});

const newComments =
  'Whether the user is told of each new comment by others in the apps that they moderate, by a notification and by mail. Without effect for users who moderate nothing.';

const MailSettings = Type.Object(
  {
    address: o(
      string('The address that messages go to: the `email` of the user. Absent when there is none.'),
    ),
    is_refused: boolean(
      'Whether the mail server refused mail to this address three times in a row. No mail is sent until the address changes.',
    ),
    mail: MailChoice,
    new_comments: boolean(newComments),
    sent_at: o(described(Timestamp, 'When the last message was sent.')),
  },
  { $id: 'MailSettings', description: 'The mail settings of a user.' },
);

const MailPatch = Type.Object(
  {
    mail: o(MailChoice),
    new_comments: o(
      boolean(
        `${newComments} True sets a \`mail\` of \`none\` to \`direct\`, and \`none\` sets this to false.`,
      ),
    ),
  },
  { $id: 'MailPatch', description: 'The settings of mail to change.' },
);

export const mailOperations = operationsOf('Users', {
  getMail: {
    method: 'GET',
    path: '/api/user/mail',
    summary: 'Gets the mail settings of the caller.',
    description:
      'Mail is sent only by a server with `CONFAB_SMTP_URL`, and only to users with an `email`. The choice is stored in any case.',
    caller: 'user',
    on: 'caller',
    effect: 'read',
    success: { 200: MailSettings },
    errors: [401],
  },
  updateMail: {
    method: 'PATCH',
    path: '/api/user/mail',
    summary: 'Changes the mail settings of the caller.',
    caller: 'user',
    on: 'caller',
    effect: 'change',
    body: MailPatch,
    neverNull: ['mail', 'new_comments'],
    success: { 200: MailSettings },
    errors: [400, 401, 422],
    example: { mail: 'direct' },
  },
});
