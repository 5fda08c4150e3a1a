import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Failure } from '../api.ts';
import type { Translate } from '../texts/texts.ts';
import type { Order } from '../thread/roots.ts';
import type { ConfabComment } from './comment.ts';
import type { CommentsHost, Intent } from './host.ts';
import { composer, intend } from './intent.ts';

/** What is drawn around the threads. */

/** The orders that a reader can choose. */
export const orders: readonly Order[] = ['newest', 'oldest', 'liked'];

/** The element, as far as this is drawn of it. */
type Framed = CommentsHost & { readonly total: number | undefined };

/** The header, the field for a comment, the button for new ones, and the list that is filled with the threads. */
export function list(host: Framed, choose: (event: Event) => void): TemplateResult {
  const { t, thread } = host;
  const waiting = thread.waitingCount();
  return html`${header(host, choose)}
    ${host.reading.isWritable() ? composer(host) : host.reading.isMissing() ? nothing : html`<p class="quiet" part="closed">${t('closed')}</p>`}
    ${host.extensions.map((each) => each.form?.(host, undefined) ?? nothing)}
    ${
      waiting === 0
        ? nothing
        : html`<button class="waiting" part="button new" type="button" @click=${() => thread.reveal()}>
          ${t('newComments', { count: waiting })}
        </button>`
    }
    ${thread.shown().length === 0 && waiting === 0 ? html`<p class="empty quiet" part="empty">${t('empty')}</p>` : nothing}
    <ol class="threads" part="threads" role="list" @click=${(event: Event) => act(host, event)}></ol>`;
}

/** Does what a button below a comment is for. */
export function act(host: CommentsHost, { target }: Event): void {
  const button = (target as Element).closest<HTMLElement>('[data-act]');
  const of = button?.closest<ConfabComment>('confab-comment');
  if (of) void intend(host, button?.dataset['act'] as Intent, of.place.comment);
}

/** The heading with the number of comments, who is here, the account and the order. */
function header(host: Framed, choose: (event: Event) => void): TemplateResult {
  const { t, total } = host;
  const headers = host.extensions.flatMap((each) => each.header?.(host) ?? []);
  const heading = total ? t('comments', { count: total }) : t('heading');
  return html`<header class="top" part="header">
    <h2 part="heading">${heading}</h2>
    ${host.presence?.()}
    ${headers.length > 0 ? headers : signInButton(host)}
    <select part="sort" aria-label=${t('sort')} @change=${choose}>
      ${orders.map((each) => html`<option value=${each} ?selected=${each === host.thread.order}>${t(each)}</option>`)}
    </select>
  </header>`;
}

/** Until the part with the account is loaded, which has its own. */
function signInButton(host: CommentsHost): TemplateResult | typeof nothing {
  return host.server.session.source || !host.reading.isWritable()
    ? nothing
    : html`<button part="button" type="button" @click=${() => host.signIn().catch(() => host.explain())}>
        ${host.t('signIn')}
      </button>`;
}

/** What is shown until the first comments are there. */
export function skeleton(t: Translate): TemplateResult {
  return html`<div class="skeleton" part="skeleton">
    <span class="hidden">${t('loading')}</span>
    ${[1, 2, 3, 4].map(() => html`<div aria-hidden="true"><i></i><b></b><b></b></div>`)}
  </div>`;
}

/** Why the comments could not be read, with a button that tries again. */
export function failed(t: Translate, { message }: Failure, again: () => void): TemplateResult {
  const text = message || t(navigator.onLine ? 'away' : 'offline');
  return html`<div class="failed" part="failure" role="alert">
    <p>${text}</p>
    <button part="button" type="button" @click=${again}>${t('tryAgain')}</button>
  </div>`;
}
