import { replaceShaping } from '../../kernel/unseen.ts';

/** The parts of a pattern: a quotation, another escape, a class, and other text. */
const parts = /\\Q(.*?)(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|([^\\[]+)/gs;

/**
 * A pattern for texts that lack the characters nobody sees (`bareText`): the heart of a keyboard is two characters, of which
 * such a text has one. It matches every such text that the given pattern matches, and what that would match as typed.
 *
 * An empty group takes the place of each such character, so a `?` or `+` behind it repeats nothing else. Only the spelling
 * of pictures and letters changes: without its zero-width space, a pattern that looks for one in a word would match every
 * word. Classes and escapes stay: a class has the visible character as well, and who writes an escape means it.
 */
export function barePattern(pattern: string): string {
  return pattern.replace(parts, (part: string, quoted?: string, plain?: string) => {
    if (quoted !== undefined) return replaceShaping(part, String.raw`\E(?:)\Q`);
    return plain === undefined ? part : replaceShaping(plain, '(?:)');
  });
}
