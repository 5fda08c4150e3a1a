import { html, type TemplateResult } from 'lit/html.js';
import { BaseElement, define } from './base.ts';
import type { Texts } from './texts/texts.ts';

/**
 * The other elements. Most pages have none of them, so the entry defines them without what they do, which is a part of its
 * own: it is loaded when the first of them comes into a page.
 */

/** What a part does for its element. */
export type ElementPart = {
  /** Called after each change of the element: of an attribute, of a property, into the page or out of it. */
  update(element: LaterElement): void;
};

/** An element whose part is loaded later. */
export abstract class LaterElement extends BaseElement {
  static override properties = ['texts'];
  static observedAttributes = ['server', 'uid', 'href', 'comment', 'post', 'lang'];

  /** Texts that replace those of the language. */
  declare texts: Texts | undefined;
}

/** Defines an element that a part brings to life. */
export function defineLater(name: string, load: () => Promise<ElementPart>): void {
  define(
    name,
    class extends LaterElement {
      override async redraw(): Promise<void> {
        (await load()).update(this);
      }

      disconnectedCallback(): void {
        void this.redraw();
      }

      protected override draw(): TemplateResult {
        return html``;
      }
    },
  );
}
