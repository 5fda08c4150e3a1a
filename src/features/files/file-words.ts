import { searchWords } from '../../kernel/search.ts';

/** The word that the files of one app have in the search index; U+E000 cannot come from anyone's text. */
export function scopeWord(appId: number): string {
  return `\uE000fileapp${appId}`;
}

/** The words that a file of an app is found by. */
export function fileWords(appId: number, name: string): string {
  return `${scopeWord(appId)} ${searchWords(name)}`;
}
