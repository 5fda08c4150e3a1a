import type { CommentsHost } from '../shared.ts';

/** Loads the parts of writing that are used seldom, and their styles. */
export function createLoading(host: CommentsHost) {
  /** Adds the style of a part, once. */
  function adopt(sheet: CSSStyleSheet): void {
    const sheets = host.shadowRoot?.adoptedStyleSheets;
    if (sheets?.includes(sheet) === false) sheets.push(sheet);
  }

  /** A part with its style, once it is loaded. Where it cannot be, it is undefined, and people are told. */
  async function load<Part extends object>(loading: Promise<Part>): Promise<Part | undefined> {
    try {
      const part = await loading;
      if ('sheet' in part && part.sheet instanceof CSSStyleSheet) adopt(part.sheet);
      return part;
    } catch {
      return void host.explain();
    }
  }

  return { adopt, load };
}
