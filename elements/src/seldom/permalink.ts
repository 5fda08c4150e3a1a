import { addEnglish, type CommentsHost } from '../shared.ts';
import { permalinkEnglish } from '../texts/permalink-english.ts';
import { find } from '../thread/find.ts';

/** Shows the comment that a permalink names, which the first page may not have. */

addEnglish(permalinkEnglish);

/**
 * Shows a comment at its place, with what is around it, and moves the focus there, or says why it cannot. Resolves to whether
 * the comment is there.
 */
export async function show(host: CommentsHost, id: number): Promise<boolean> {
  const { server, thread, reading } = host;
  const failure = thread.isShown(id) ? undefined : await find({ api: server.api, thread, reading }, id);
  if (failure !== undefined) {
    host.announce(host.t(failure.status === 0 ? 'away' : 'notFound'), { isShown: true });
    return false;
  }
  await allDrawn(host);
  const element = host.shadowRoot?.querySelector<HTMLElement>(`#comment-${id}`);
  for (let above = element?.parentElement?.parentElement; above; above = above.parentElement)
    if (above.localName === 'confab-comment') Object.assign(above, { isCollapsed: false });
  await allDrawn(host);
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
  return element !== undefined && element !== null;
}

/** Comments draw themselves in microtasks, one below the other. */
async function allDrawn(host: CommentsHost): Promise<void> {
  await host.redraw();
  await new Promise((resolve) => setTimeout(resolve));
}
