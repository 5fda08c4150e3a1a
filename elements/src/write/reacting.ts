import { addEnglish, type Comment, html, sheetOf, type TemplateResult } from '../shared.ts';
import { reactingEnglish } from '../texts/reacting-english.ts';
import style from './reacting.css';
import { offered, ownReaction, withReaction } from './reactions.ts';
import type { Writing } from './writing.ts';

/** Reacts to comments and votes in polls: loaded with the first. */

addEnglish(reactingEnglish);
/** How the emojis look. */
export const sheet = sheetOf(style);

/** The emojis that are offered. */
export function emojis(of: Writing, comment: Comment): TemplateResult {
  const { t } = of.host;
  return html`
    ${offered.map(
      (emoji) =>
        html`<button part="button" type="button" aria-label=${t('reactWith', { emoji })} @click=${() => react(of, comment, emoji)}>
          ${emoji}
        </button>`,
    )}`;
}

/** Reacts with an emoji, or takes it back where it is the own one. The counts change at once, and back where it is refused. */
export async function react(of: Writing, { id }: Comment, emoji: string): Promise<void> {
  const { host } = of;
  if (of.unfolded.delete(id)) void of.focus(`#comment-${id} [data-act=react]`);
  if (!(await of.isSignedIn())) return;
  const me = of.me();
  const comment = host.thread.get(id);
  if (me === undefined || comment === undefined) return;
  const own = ownReaction(comment, me);
  const to = own === emoji ? undefined : emoji;
  host.thread.put(withReaction(comment, me, to));
  const path = `/api/comments/${id}/reactions`;
  const isTaken =
    to === undefined ? await of.call(path, undefined, 'DELETE') : await of.call(path, { content: to });
  const now = host.thread.get(id);
  if (!isTaken && now !== undefined) host.thread.put(withReaction(now, me, own));
}

/** Votes for an option, or takes the vote back. */
export async function vote(of: Writing, { id }: Comment, option: number): Promise<void> {
  if (await of.call(`/api/options/${option}/vote`)) await of.reread(id);
}
