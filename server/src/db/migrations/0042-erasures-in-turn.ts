import type { Migration } from './migration.ts';

/**
 * What bounds erasures: the newest ids at moments of the past, so that a walk ends where the user was not there yet; the
 * order of erasures and the time at which one that failed is tried again; and the indexes that find the rest.
 */
export const erasuresInTurn: Migration = {
  id: 42,
  name: 'erasures-in-turn',
  up: ({ id, integer, table }) => [
    table(
      'newest_ids',
      `${id}, users ${integer} not null, entries ${integer} not null, reactions ${integer} not null,
       revisions ${integer} not null, events ${integer} not null, notifications ${integer} not null,
       kept_answers ${integer} not null`,
    ),
    `create index newest_ids_users on newest_ids (users)`,
    `alter table erasures add column rank ${integer} not null default 0`,
    `alter table erasures add column failures ${integer} not null default 0`,
    `alter table erasures add column due_at ${integer} not null default 0`,
    `create index erasures_heir on erasures (heir_id) where heir_id is not null`,
    // Entries that may mention a user who came later than they did.
    `create index entries_edited on entries (id) where coalesce(modified_at, 0) > 0`,
    `create index reports_noted on reports (resolved_by_id) where note is not null`,
  ],
};
