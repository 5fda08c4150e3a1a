/** What is unfolded below a comment: its emojis or its menu, which lie over the page and of which one is open, or a form. */
export type Unfolded = 'react' | 'more' | 'report' | 'versions';

/** Whether something that is unfolded lies over the page, which forms do not. */
export function isPopover(what: Unfolded | undefined): what is 'react' | 'more' {
  return what === 'react' || what === 'more';
}

/** Closes what lies over the page when somebody clicks elsewhere or presses Escape. `close` is given whether it was Escape. */
export function closeFromOutside(close: (isEscape: boolean) => void): void {
  addEventListener('pointerdown', (event) => {
    const isInside = event
      .composedPath()
      .some((each) => each instanceof Element && each.matches('.popover, [data-act]'));
    if (!isInside) close(false);
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close(true);
  });
}
