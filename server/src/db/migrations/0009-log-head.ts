import type { Migration } from './migration.ts';

/**
 * The row that a group of writes locks first where several servers share a store: the writers of all of them follow
 * each other, so the ids of events are in the order of their commits and no reader of the log can skip one.
 */
export const logHead: Migration = {
  id: 9,
  name: 'log-head',
  up: ({ integer, table }) => [
    table('log_head', `id ${integer} primary key, check (id = 1)`),
    `insert into log_head (id) values (1)`,
  ],
};
