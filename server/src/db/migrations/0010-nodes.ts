import type { Migration } from './migration.ts';

/**
 * The shared state of several nodes on one store. `nodes` has the nodes with live connections, each with an expiry that
 * the node renews while it runs; `presence` has the users of these connections, and is deleted with the row of the node.
 * `leases` has the work that one node does for all; any node takes over a lease that is free.
 */
export const nodes: Migration = {
  id: 10,
  name: 'nodes',
  up: ({ integer, text, table }) => [
    table('nodes', `id ${text} primary key, until ${integer} not null`),
    table(
      'presence',
      `node_id ${text} not null references nodes(id) on delete cascade,
       user_id ${integer} not null references users(id), primary key (node_id, user_id)`,
    ),
    `create index presence_by_user on presence (user_id)`,
    table('leases', `name ${text} primary key, holder ${text}, until ${integer} not null default 0`),
    `insert into leases (name) values ('notifier')`,
    // The servers of an earlier schema know of no rows in presence.
    `update users set is_active = 0 where is_active = 1`,
  ],
};
