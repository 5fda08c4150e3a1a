import type { Migration } from './migration.ts';

const indexes = ['entry', 'app', 'user', 'public_user', 'file', 'directory', 'webhook'];

/**
 * The words of each search index, for the beginnings of words (`matches` in dialect.ts), and the entries with a tag in the
 * order of their ids.
 */
export const wordsOfIndexes: Migration = {
  id: 18,
  name: 'words-of-indexes',
  up: ({ searchTerms }) => [
    ...indexes.flatMap((index) => searchTerms(`${index}_search`)),
    `create index entry_tags_tag on entry_tags (tag, entry_id)`,
  ],
};
