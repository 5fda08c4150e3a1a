import type { Migration } from './migration.ts';

/**
 * Threads that are resolved: when and by whom, in the comment that began the thread, and what an app says of it. The two
 * states have indexes of their own, so that a page of one does not read through the other, in the order of ids and, where
 * there are any, of reactions. Only shown comments are in them. An index of open threads gets each comment that begins one;
 * that of resolved ones costs nothing until something is resolved.
 */
export const resolvedThreads: Migration = {
  id: 49,
  name: 'resolved-threads',
  up: ({ integer, text }) => [
    `alter table entries add column resolved_at ${integer}`,
    `alter table entries add column resolved_by_id ${integer}`,
    `alter table apps add column resolving ${text}`,
    `alter table apps add column reopening ${text}`,
    ...threadsThatAre(
      'open',
      `root_id is null and kind <> 'post' and kind <> 'message' and resolved_at is null`,
    ),
    ...threadsThatAre('resolved', 'resolved_at is not null'),
  ],
};

function threadsThatAre(state: string, condition: string): readonly string[] {
  const isShown = `${condition} and trashed_at is null`;
  return [
    `create index entries_${state} on entries (parent_type, parent_id, id) where ${isShown}`,
    `create index entries_${state}_reactions on entries (parent_type, parent_id, reaction_count, id)
       where ${isShown} and reaction_count > 0`,
  ];
}
