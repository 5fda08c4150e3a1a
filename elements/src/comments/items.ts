import type { Shown } from '../thread/thread.ts';
import type { Arranging } from './arrange.ts';
import { ConfabComment } from './comment.ts';
import type { CommentsHost } from './host.ts';

/** How the threads of a host, and the buttons for those between them that have not been read, become elements. */
export function threadItems(
  host: CommentsHost & { readonly now: number; readonly drawing: number },
): Arranging<Shown> {
  async function readMore(after: number): Promise<void> {
    const failure = await host.reading.threads(after);
    if (failure !== undefined) host.explain(failure);
  }

  return {
    key: (each) => ('gapAfter' in each ? -each.gapAfter : each.comment.id),
    make: (each) => document.createElement('gapAfter' in each ? 'button' : 'confab-comment'),
    update: (element, each) => {
      if (element instanceof ConfabComment && 'comment' in each) {
        const { now, drawing } = host;
        Object.assign(element, { host, place: each, now, drawing });
        element.parentElement?.setAttribute('part', 'thread');
      } else if (element instanceof HTMLButtonElement && 'gapAfter' in each)
        Object.assign(element, {
          type: 'button',
          className: 'more',
          part: 'button',
          textContent: host.t('more'),
          onclick: () => readMore(each.gapAfter),
        });
    },
  };
}
