import type { NotificationItem } from 'confab-client';
import {
  avatar,
  html,
  nothing,
  relativeTime,
  type TemplateResult,
  type Translate,
  wholeTime,
} from '../shared.ts';
import type { Inbox } from './inbox.ts';
import { sentenceOf } from './sentence.ts';

/** The language in which the list is shown. */
type Speech = { readonly t: Translate; readonly language: string };

/** What happens when something in the list is chosen. */
type Choices = {
  reveal(): void;
  retry(): void;
  choose(item: NotificationItem): void;
};

/** The notifications of a view, with what is new, what is missing and what is older. */
export function listOf(inbox: Inbox, speech: Speech, { reveal, retry, choose }: Choices): TemplateResult {
  const { t } = speech;
  const items = inbox.items();
  const waiting = inbox.waiting();
  const none = inbox.view() === 'all' ? 'noNotifications' : 'nothingInView';
  return html`${
    waiting === 0
      ? nothing
      : html`<button class="waiting" part="button new" type="button" @click=${reveal}>
          ${t('newNotifications', { count: waiting })}
        </button>`
  }
    ${items === undefined && inbox.failure() === undefined ? html`<p class="quiet note">${t('loading')}</p>` : nothing}
    ${items?.length === 0 ? html`<p class="quiet note" part="empty">${t(none)}</p>` : nothing}
    <ul role="list" part="list">
      ${items?.map((item) => html`<li>${itemOf(item, speech, () => choose(item))}</li>`)}
    </ul>
    ${failureOf(inbox, t, retry)}
    ${
      inbox.hasMore()
        ? html`<button class="more" part="button" type="button" @click=${() => inbox.more()}>${t('moreNotifications')}</button>`
        : nothing
    }`;
}

/** Why notifications could not be read, with a button that tries again. */
function failureOf(inbox: Inbox, t: Translate, retry: () => void): TemplateResult | typeof nothing {
  const failure = inbox.failure();
  if (failure === undefined) return nothing;
  return html`<div class="note" role="alert">
    <p>${failure.message || t('notificationsFailed')}</p>
    <button part="button" type="button" @click=${retry}>${t('tryAgain')}</button>
  </div>`;
}

/** A notification in the list. */
function itemOf(item: NotificationItem, { t, language }: Speech, choose: () => void): TemplateResult {
  const { words, place, excerpt } = sentenceOf(item, t);
  const at = item.created_at;
  return html`<button class="item" part=${item.is_unread ? 'item unread' : 'item'} type="button" @click=${choose}>
    ${avatar(item.actor)}
    <span class="words">
      <span dir="auto">${words}</span>
      ${excerpt === undefined ? nothing : html`<span class="excerpt" dir="auto">${excerpt}</span>`}
      <span class="quiet"
        >${place === undefined ? nothing : html`<bdi>${place}</bdi> · `}<time datetime=${at} title=${wholeTime(at, language)}
          >${relativeTime(at, Date.now(), language) ?? t('justNow')}</time
        ></span
      >
    </span>
    ${item.is_unread ? html`<span class="dot" part="dot"><span class="hidden">${t('unread')}</span></span>` : nothing}
  </button>`;
}
