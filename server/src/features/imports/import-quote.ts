/** Writes the beginning of a comment above a reply to it, as a quotation. */
import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { escapeWord } from 'confab-importers/markdown-escape.ts';
import { renderMarkdown } from '../markdown/markdown.ts';

/** As much as fits into one or two lines of a page. */
const charactersMax = 120;

/** Enough Markdown for that much text, unless it is full of addresses of links. */
const markdownCharactersMax = 2000;

/** The reply below one quoted line: the name of the author of `parent`, and the beginning of the words. */
export function quotedAbove(
  reply: string,
  parent: { readonly text: string; readonly author: string },
): string {
  const { plain } = renderMarkdown(beginningOf(parent.text, markdownCharactersMax));
  const words = plain.replace(/\s+/g, ' ').trim();
  const shown = beginningOf(words, charactersMax);
  const start = shown === words ? words : `${shown.replace(/\s+\S{0,30}$/, '')} …`;
  return `> **${escaped(parent.author)}:** ${escaped(start)}\n\n${reply}`;
}

function escaped(text: string): string {
  return text.split(' ').map(escapeWord).join(' ');
}
