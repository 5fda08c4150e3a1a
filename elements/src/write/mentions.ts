/**
 * Mentions are links in what is kept and sent, `[@Ada](@u3)`, and names in the field, `@Ada`. Drafts and the outbox have the
 * links, so nothing else has to be kept for them.
 */

const link = /\[(@(?:\\.|[^\\[\]])+)\]\(@u\d+\)/g;

/** The mentions of a field. */
export type Mentions = ReturnType<typeof createMentions>;

/** Creates the mentions of a field. */
export function createMentions() {
  /** The links by the names that the field has for them. */
  const links = new Map<string, string>();

  function long(text: string): string {
    if (links.size === 0) return text;
    // A name may begin with another one.
    const names = [...links.keys()]
      .sort((a, b) => b.length - a.length)
      .map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    // Some scripts write what follows a name without a space.
    const name = `(?<![\\p{L}\\p{N}[])(?:${names.join('|')})(?![\\p{sc=Latn}\\p{sc=Cyrl}\\p{sc=Grek}\\p{N}_])`;
    return text.replace(RegExp(name, 'gu'), (found) => links.get(found) ?? found);
  }

  return {
    /** A text with the links in place of the names. */
    long,

    /** A text with names in place of the links. Links stay where their names would mean something else. */
    short(text: string): string {
      const fresh: string[] = [];
      const shorter = text.replace(link, (whole, label: string) => {
        const name = label.replace(/\\(.)/g, '$1');
        if (!links.has(name)) {
          links.set(name, whole);
          fresh.push(name);
        }
        return links.get(name) === whole ? name : whole;
      });
      if (long(shorter) === text) return shorter;
      for (const name of fresh) links.delete(name);
      return text;
    },

    /** Forgets the names, of which the field has none any more. */
    clear: () => links.clear(),
  };
}
