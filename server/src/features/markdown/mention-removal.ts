import { mentionTag, withoutBoxes } from 'confab-contract/values/canonical-html.ts';
import { renderMarkdown } from './markdown.ts';

const entities: { readonly [entity: string]: string } = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** The html of a text with `words` in place of each mention of a user. */
export function htmlWithoutMention(html: string, userId: number, words: string): string {
  const start = mentionTag(userId);
  return html
    .split(start)
    .map((part, index) => (index === 0 ? part : `${words}${part.slice(part.indexOf('</span>') + 7)}`))
    .join('');
}

/** The html of a text with each mention as the words of its label alone. */
export function labelsOfMentions(html: string): string {
  return html.replaceAll(/<span class="mention" data-user-id="[0-9]+">(.*?)<\/span>/gs, '$1');
}

/**
 * The Markdown of a text with `words` in place of each mention of a user. A mention that is not written as one link,
 * such as by a reference to an address elsewhere in the text, costs the text its markup. `words` need no escaping.
 */
export function textWithoutMention(text: string, userId: number, words: string): string {
  // A label without an opening bracket, so that each character is read once.
  const link = new RegExp(String.raw`!?\[(?:\\.|[^\\[\]])*\]\(\s*<?@u${userId}>?(?:\s[^()]*)?\)`, 'g');
  const replaced = text.replace(link, words);
  const { html } = renderMarkdown(replaced);
  if (!html.includes(mentionTag(userId))) return replaced;
  return withoutBoxes(htmlWithoutMention(html, userId, words))
    .replace(/<(?:br|hr) \/>|<\/(?:p|h[1-6]|li|pre|tr|summary)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity)
    .trim();
}
