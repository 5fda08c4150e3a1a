import type { CommentsHost } from '../shared.ts';

/** What the comments of an element show now, and where the focus is. */
export type ShownForms = ReturnType<typeof createShown>;

/** Finds what is shown in an element, and moves the focus there. */
export function createShown(host: CommentsHost) {
  const find = (selector: string) => host.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;

  /** Comments draw themselves in microtasks, one below the other. */
  async function drawn(): Promise<void> {
    host.redrawAll();
    await new Promise((resolve) => setTimeout(resolve));
  }

  return {
    find,
    drawn,
    async focus(selector: string): Promise<void> {
      await drawn();
      find(selector)?.focus();
    },
  };
}
