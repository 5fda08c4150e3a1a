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
  const button = (act: 'answer' | 'react' | 'more', label: string, shown = label) => {
    const isOpen = host.extensions.some((part) => part.isOpen?.(host, comment, act));
    return html`<button class="act" part="button" type="button" data-act=${act} aria-expanded=${isOpen} aria-label=${label} title=${label} .textContent=${shown}></button>`;
  };
  const { t } = host;
  return html`${comment.is_held ? nothing : html`${button('answer', t('answer'))}${button('react', t('react'), '☺︎')}`}${button('more', t('moreActions'), '⋯')}`;
}
