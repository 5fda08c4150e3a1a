/**
 * The texts of a page as plain text: one line without markup and characters that nobody sees. It stays inert in a client that
 * inserts it into a page unescaped, because no `<` is left that could begin a tag.
 */
import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { visibleCharacters } from '../../kernel/unseen.ts';

// Tags, comments and declarations. `[^<>]` cannot run past the next `<`, so the time is linear.
const markup = /<[a-z!/?][^<>]*>/gi;
const opening = /<(?=[a-z!/?])/gi;
const parting = /[\p{Cc}\p{White_Space}\u200b]+/gu;

/** `text` as one line of at most `charactersMax` code points, or undefined when nothing is left of it. */
export function plainText(text: string | undefined, charactersMax: number): string | undefined {
  if (text === undefined) return undefined;
  // Far more than is kept, and far less than a page could send.
  const start = beginningOf(text, charactersMax * 8).toWellFormed();
  // A space replaces a tag, so that the text around it does not form another one: `<<b>i>`.
  const inert = visibleCharacters(start.replace(parting, ' ')).replace(markup, ' ').replace(opening, '< ');
  const plain = inert.replace(/ +/g, ' ').trim();
  if (plain === '') return undefined;
  if (beginningOf(plain, charactersMax) === plain) return plain;
  return `${beginningOf(plain, charactersMax - 1).trimEnd()}…`;
}
