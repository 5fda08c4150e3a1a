import type { Migration } from './migration.ts';

/**
 * Messages and conversations. What is unread follows from two columns, the newest message of the app and how far the
 * member is, so that no message is looked at for it.
 */
export const conversations: Migration = {
  id: 4,
  name: 'conversations',
  up: ({ integer, table }) => [
    `alter table apps add column last_message_id ${integer}`,
    `alter table members add column marked_id ${integer}`,
    `alter table members add column marked_at ${integer}`,
    `alter table members add column delivered_at ${integer}`,
    `alter table members add column pinned_at ${integer}`,
    `alter table members add column wrote_id ${integer}`,

    // Two people have one private chat: the key is the two of them, the lower id first.
    table(
      'private_chats',
      `first_id ${integer} not null references users(id), second_id ${integer} not null references users(id),
       app_id ${integer} not null unique references apps(id) on delete cascade,
       primary key (first_id, second_id), check (first_id < second_id)`,
    ),
  ],
};
