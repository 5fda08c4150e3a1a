/** The texts of a Weavy server: Markdown, in which a mention is a link to `@u` and the id of a user. */

const mention = /(\[(?:\\.|[^\\[\]])*\])\(\s*<?@u(\d+)>?\s*\)/g;

/** The ids of the users whom a text mentions. */
export function mentionedIn(text: string): string[] {
  return [...text.matchAll(mention)].map(([, , id = '']) => id);
}

/** The text with the ids that users have here. A mention of a user who is not here becomes their name. */
export function withMentions(text: string, idOf: (id: string) => number | undefined): string {
  return text.replaceAll(mention, (_whole, label: string, id: string) => {
    const here = idOf(id);
    return here === undefined ? label.slice(1, -1) : `${label}(@u${here})`;
  });
}
