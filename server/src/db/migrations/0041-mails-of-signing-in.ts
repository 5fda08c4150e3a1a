import type { Migration } from './migration.ts';

/**
 * The mails with which visitors sign in: when one that the mail server put off is due again, and by what the mails to a
 * mailbox are counted. Refusals that were kept under a hash without a secret go, because an address can be guessed from it.
 */
export const mailsOfSigningIn: Migration = {
  id: 41,
  name: 'mails-of-signing-in',
  up: ({ blob, integer }) => [
    `alter table sign_in_requests add column attempts ${integer} not null default 0`,
    `alter table sign_in_requests add column due_at ${integer} not null default 0`,
    `alter table sign_in_requests add column mailbox_hash ${blob}`,
    `alter table sign_in_requests add column asker_hash ${blob}`,
    `drop index sign_in_requests_unsent`,
    `create index sign_in_requests_unsent on sign_in_requests (attempts, due_at) where email is not null and sent_at is null`,
    `create index sign_in_requests_mailbox on sign_in_requests (mailbox_hash, created_at) where mailbox_hash is not null`,
    `delete from refused_mailboxes`,
  ],
};
