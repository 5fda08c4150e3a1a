import { linkAddress } from './markdown-escape.ts';
import type { InlineStyle, Link, Tag } from './markdown-inline.ts';

const strongTags = new Set(['b', 'strong']);
const emphasisTags = new Set(['em', 'i', 'cite', 'dfn', 'var']);
const strikeTags = new Set(['del', 's', 'strike']);
/** What is written as a tag, because Markdown has no marks for it. */
const keptTags = new Set(['ins', 'kbd', 'mark', 'sub', 'sup']);

/** The tags that are open around a text and change how it looks. */
export class OpenStyles {
  readonly #links: (Link | undefined)[] = [];
  readonly #tags: Tag[] = [];
  readonly #depths = { strong: 0, emphasis: 0, strike: 0 };

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'a') this.#links.push(linkOf(attributes.href));
    else if (keptTags.has(name)) this.#tags.push({ name });
    else this.#count(name, 1);
  }

  close(name: string): void {
    if (name === 'a') this.#links.pop();
    else if (keptTags.has(name)) this.#tags.pop();
    else this.#count(name, -1);
  }

  /** The style of a text at this place. */
  get current(): InlineStyle {
    return {
      isStrong: this.#depths.strong > 0,
      isEmphasised: this.#depths.emphasis > 0,
      isStruck: this.#depths.strike > 0,
      link: this.#links.at(-1),
      tag: this.#tags.at(-1),
    };
  }

  #count(name: string, step: 1 | -1): void {
    if (strongTags.has(name)) this.#depths.strong += step;
    else if (emphasisTags.has(name)) this.#depths.emphasis += step;
    else if (strikeTags.has(name)) this.#depths.strike += step;
  }
}

/** The link to an address; undefined where it is not one that may be linked to. */
export function linkOf(href: string | undefined): Link | undefined {
  const address = linkAddress(href ?? '');
  return address === undefined ? undefined : { address };
}
