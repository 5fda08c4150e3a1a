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

/** How long what somebody has just written is marked, in milliseconds. */
const markedMs = 2000;

/** Marks a comment. Without motion the mark stays as it is, and is gone then. */
export function mark(comment: HTMLElement): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  comment.animate([{ backgroundColor: 'color-mix(in srgb, currentColor 14%, transparent)', offset: 0 }], {
    duration: markedMs,
    easing: isStill ? 'steps(1)' : 'ease-in',
  });
}
