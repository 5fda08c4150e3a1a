import { html, nothing, type TemplateResult } from 'lit/html.js';
import { loadWriter } from '../parts.ts';
import type { Comment } from '../thread/comment.ts';
import type { CommentsHost } from './host.ts';

/** What a reader sees of writing. The part that writes is loaded when one of these is used, and goes on from there. */

/** What somebody wants to do: write, answer a comment, react to it with an emoji, vote for an option, or do something else. */
export type Intent = 'write' | 'answer' | 'react' | 'vote' | 'more';

/** Loads what writes, and does what somebody wants. `value` is the emoji or the id of an option. */
export async function intend(
  host: CommentsHost,
  intent: Intent,
  comment?: Comment,
  value?: string | number,
): Promise<void> {
  try {
    const { begin } = await loadWriter();
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

/** The buttons below a comment. */
export function intents(host: CommentsHost, comment: Comment): TemplateResult | typeof nothing {
  if (!host.reading.isWritable()) return nothing;
  const all = comment.is_held ? (['more'] as const) : (['answer', 'react', 'more'] as const);
  return html`${all.map(
    (each) =>
      html`<button class="act" part="button" type="button" data-act=${each} aria-expanded=${host.extensions.some((part) => part.isOpen?.(host, comment, each))} @click=${() => intend(host, each, comment)}>
        ${host.t(each === 'more' ? 'moreActions' : each)}
      </button>`,
  )}`;
}
