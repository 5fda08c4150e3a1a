import { searchWords } from '../../kernel/search.ts';

/** The word that the files of one app have in the search index; U+E000 cannot come from a user's text. */
export function scopeWord(appId: number): string {
  return `\uE000fileapp${appId}`;
}

/** The words by which a file of an app is found. */
export function fileWords(appId: number, name: string): string {
  return `${scopeWord(appId)} ${searchWords(name)}`;
}
