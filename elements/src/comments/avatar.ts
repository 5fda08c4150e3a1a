import { html, type TemplateResult } from 'lit/html.js';
import type { Author } from '../thread/comment.ts';

/** How far the colours of the initials of two people who signed up one after the other lie apart, in degrees. */
const hueStep = 137;

/** The picture of an author, or else their initials in a colour of theirs. It repeats the name, so nobody hears of it. */
export function avatar(
  author: Pick<Author, 'id' | 'display_name' | 'avatar_url'> | undefined,
): TemplateResult {
  const address = author?.avatar_url;
  if (address !== undefined)
    return html`<img class="avatar" part="avatar" src=${address} alt="" width="40" height="40" loading="lazy">`;
  return html`<span class="avatar" part="avatar" .style=${`--hue:${((author?.id ?? 0) * hueStep) % 360}`} aria-hidden="true" .textContent=${initialsOf(author?.display_name ?? '')}></span>`;
}

/** The first letters of the first and the last word; one for scripts that write names together. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '');
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(firstLetter);
  return letters.join('').toLocaleUpperCase() || '?';
}

/** The first letter of a word as a reader sees it (UAX 29); without its marks in Firefox before 125. */
function firstLetter(word = ''): string {
  const [first = ''] = word;
  return graphemes?.segment(word).containing(0)?.segment ?? first;
}
const graphemes = Intl.Segmenter && new Intl.Segmenter();
