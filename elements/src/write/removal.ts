import { type Comment, html, type TemplateResult } from '../shared.ts';
import type { Writing } from './writing.ts';

/** Removes comments in some seconds, unless their author undoes it. */

/** How long a deletion can be undone, in milliseconds. */
const undoMs = 7000;

/** Removes a comment in some seconds, or when the page is left. */
export function remove(of: Writing, { id }: Comment): void {
  const { host, removing, unfolded } = of;
  const removeIt = () => {
    if (removing.get(id) !== timer) return;
    clearTimeout(timer);
    void removeNow(of, id);
  };
  const timer = setTimeout(removeIt, undoMs);
  unfolded.delete(id);
  removing.set(id, timer);
  addEventListener('pagehide', removeIt, { once: true });
  host.announce(host.t('willBeRemoved'));
  void of.focus(`#undo-${id}`);
}

/** What is shown in place of a comment that is being removed. */
export function removed(of: Writing, { id }: Comment): TemplateResult {
  const { t } = of.host;
  return html`<p class="row">
    <span class="quiet">${t('willBeRemoved')}</span>
    <button part="button" type="button" id=${`undo-${id}`} @click=${() => of.undo(id)}>${t('undo')}</button>
  </p>`;
}

async function removeNow(of: Writing, id: number): Promise<void> {
  const { host, removing } = of;
  // A visitor has no trash, and what is held is in it.
  const isForGood = of.me()?.isVisitor === true || host.thread.get(id)?.is_held === true;
  const isGone = isForGood
    ? await of.call(`/api/comments/${id}`, undefined, 'DELETE')
    : await of.call(`/api/comments/${id}/trash`);
  const focused = host.shadowRoot?.activeElement;
  const isFocused = focused?.id === `undo-${id}`;
  const next = isFocused ? focused.closest('li')?.nextElementSibling : undefined;
  removing.delete(id);
  const comment = host.thread.get(id);
  if (isGone && comment !== undefined) {
    if (comment.reply_count === undefined) host.thread.remove(id);
    else host.thread.put(placeOf(comment));
  }
  host.redrawAll();
  if (!isFocused) return;
  const article = next?.querySelector<HTMLElement>('article');
  (article ?? of.find('textarea'))?.focus({ preventScroll: true });
}

/** What is left of a comment that is gone while comments below it are shown. */
function placeOf(comment: Comment): Comment {
  const { text: _, html: __, plain: ___, embed: ____, created_by: _____, ...rest } = comment;
  return { ...rest, is_trashed: true, attachments: [], options: [], reactions: [] };
}
