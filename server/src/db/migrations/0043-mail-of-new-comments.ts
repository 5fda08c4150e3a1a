import type { Migration } from './migration.ts';

/** Which moderators are told of each new comment. */
export const mailOfNewComments: Migration = {
  id: 43,
  name: 'mail-of-new-comments',
  up: ({ integer }) => [
    `alter table mail_states add column new_comments ${integer} not null default 0`,
    `create index mail_states_new_comments on mail_states (user_id) where new_comments = 1`,
  ],
};
