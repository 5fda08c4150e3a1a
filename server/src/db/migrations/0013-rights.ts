import type { Migration } from './migration.ts';

/**
 * Roles of members, and the user who put an item in the trash.
 *
 * A program without roles writes memberships without one; in such an app the creator manages. So existing memberships,
 * and those that a node of 0.1.0 adds on this schema, keep their meaning.
 *
 * The log tells who trashed each item in the trash: the actor of its newest trashing event.
 */
export const rights: Migration = {
  id: 13,
  name: 'rights',
  up: ({ integer, text }) => [
    `alter table members add column role ${text}`,
    `alter table entries add column trashed_by_id ${integer}`,
    `alter table files add column trashed_by_id ${integer}`,
    trashedBy('entries', {
      kind: 'entries.kind',
      actions: ['comment_trashed', 'post_trashed', 'message_trashed'],
    }),
    trashedBy('files', { kind: `'file'`, actions: ['file_trashed'] }),
  ],
};

/** One reading of the log, whatever the number of things in the trash. */
function trashedBy(
  table: 'entries' | 'files',
  { kind, actions }: { kind: string; actions: readonly string[] },
): string {
  const named = actions.map((action) => `'${action}'`).join(', ');
  return `update ${table} set trashed_by_id = events.actor_id
    from (select entity_type, entity_id, max(id) as id from events where action in (${named})
      group by entity_type, entity_id) as newest
    join events on events.id = newest.id
    where newest.entity_id = ${table}.id and newest.entity_type = ${kind} and ${table}.trashed_at is not null`;
}
