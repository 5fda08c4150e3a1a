import type { DatabaseSync } from 'node:sqlite';
import { searchWords } from '../../kernel/search.ts';

/** Defines what statements of long reads call besides the functions of SQLite: `search_words`, the words of a text. */
export function defineFunctions(database: DatabaseSync): void {
  database.function('search_words', { deterministic: true }, (text) =>
    typeof text === 'string' ? searchWords(text) : '',
  );
}
