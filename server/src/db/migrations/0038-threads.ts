import type { Migration } from './migration.ts';

/**
 * Comments that answer others: the comment that is answered, the one that began the thread, and how many answers are shown.
 * Indexes for the threads of a parent, the answers below a comment and the answers to one, each in the order of ids and by
 * reactions. They hold what a thread shows, so that no page reads through what is in the trash; only comments that begin
 * a thread and answers are in them. `place` is what is left of a deleted comment that has answers.
 */
export const threads: Migration = {
  id: 38,
  name: 'threads',
  up: ({ integer }) => [
    `alter table entries add column reply_to_id ${integer}`,
    `alter table entries add column root_id ${integer}`,
    `alter table entries add column reply_count ${integer} not null default 0 check (reply_count >= 0)`,
    `create index entries_answers on entries (reply_to_id) where reply_to_id is not null`,
    ...shownBy('roots', 'parent_type, parent_id', `root_id is null and kind <> 'post' and kind <> 'message'`),
    ...shownBy('thread', 'root_id', 'root_id is not null'),
    ...shownBy('replies', 'reply_to_id', 'reply_to_id is not null'),
    // The same order for the lists of all comments of a parent, and of those on the posts and files of an app.
    `create index entries_parent_reactions on entries (parent_type, parent_id, kind, reaction_count, id)
       where reaction_count > 0`,
    `create index entries_below_reactions on entries (app_id, reaction_count, id)
       where parent_type <> 'app' and reaction_count > 0`,
  ],
};

function shownBy(name: string, columns: string, condition: string): readonly string[] {
  const isShown = `${condition} and (trashed_at is null or reply_count > 0)`;
  return [
    `create index entries_${name} on entries (${columns}, id) where ${isShown}`,
    `create index entries_${name}_reactions on entries (${columns}, reaction_count, id)
       where ${isShown} and reaction_count > 0`,
  ];
}
