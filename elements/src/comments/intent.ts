import { html, nothing, type TemplateResult } from 'lit/html.js';
import { parts } from '../later.ts';
import type { Comment } from '../thread/comment.ts';
import type { CommentsHost, Intent } from './host.ts';

/** What a reader sees of writing. The part that writes is loaded when one of these is used, and goes on from there. */

/** Loads what writes, and does what somebody wants. `value` is the emoji or the id of an option. */
export async function intend(
  host: CommentsHost,
  intent: Intent,
  comment?: Comment,
  value?: string | number,
): Promise<void> {
  try {
    const { begin } = await parts.writer();
    begin(host, { intent, comment, value });
  } catch {
    host.explain();
  }
}

/** The field for a comment. What writes takes it over as it is, with its text and the focus. */
export function composer(host: CommentsHost): TemplateResult {
  const label = host.t('write');
  return html`<confab-composer class="composer" part="composer" .host=${host}
    ><textarea
      part="textarea"
      rows="1"
      dir="auto"
      aria-label=${label}
      placeholder=${label}
      @focus=${() => intend(host, 'write')}
    ></textarea
  ></confab-composer>`;
}

/** The buttons below a comment. The list hears their clicks, because a listener each would be most of what they cost. */
export function intents(host: CommentsHost, comment: Comment): TemplateResult | typeof nothing {
  if (!host.reading.isWritable()) return nothing;
  const { t } = host;
  const isOpen = (intent: Intent) => host.extensions.some((part) => part.isOpen?.(host, comment, intent));
  const more = html`<button class="act" part="button" type="button" data-act="more" aria-expanded=${isOpen('more')} aria-label=${t('moreActions')}>⋯</button>`;
  return comment.is_held
    ? more
    : html`<button class="act" part="button" type="button" data-act="answer" aria-expanded=${isOpen('answer')} .textContent=${t('answer')}></button>
      <button class="act" part="button" type="button" data-act="react" aria-expanded=${isOpen('react')} .textContent=${t('react')}></button>
      ${more}`;
}
