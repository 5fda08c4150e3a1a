import { type Comment, type Extension, html, type Intent, nothing, type TemplateResult } from '../shared.ts';
import type { Composer } from './composed.ts';
import { createMentions } from './mentions.ts';
import type { Item } from './outbox.ts';
import { isPopover } from './popovers.ts';
import { walk } from './toolbar.ts';
import { type Writing, writingOf } from './writing.ts';

/** What writing adds to the comments: the forms of answers and edits, what is unsent, and what people do with a comment. */

type Drawn = TemplateResult | typeof nothing;

/** What few writers use, once it is loaded. */
let unfolding: typeof import('./unfolding.ts') | undefined;
let removal: typeof import('./removal.ts') | undefined;
let reacting: typeof import('./reacting.ts') | undefined;

export const writing: Extension = {
  isOpen(host, { id }, intent) {
    const { unfolded, open } = writingOf(host);
    const shown = unfolded.get(id);
    if (intent === 'answer') return open.has(`to-${id}`);
    return intent === 'react' ? shown === 'react' : shown !== undefined && shown !== 'react';
  },

  actions(host, comment) {
    const of = writingOf(host);
    const shown = of.unfolded.get(comment.id);
    return isPopover(shown) ? popover(of, comment, shown) : nothing;
  },

  menu: (host, comment) => more(writingOf(host), comment),

  body(host, comment) {
    const of = writingOf(host);
    const place = `edit-${comment.id}`;
    if (of.removing.has(comment.id)) return removal?.removed(of, comment);
    const edited = of.open.get(place);
    return edited === undefined
      ? undefined
      : composer(of, { place, comment: edited, text: edited.text ?? '' });
  },

  form(host, comment) {
    const of = writingOf(host);
    of.catchUp();
    const unsent = of
      .outbox()
      .items()
      .filter(({ replyTo }) => replyTo === comment?.id);
    const list = unsent.map((item) => unsentItem(of, item));
    if (comment === undefined) return html`${list}`;
    const place = `to-${comment.id}`;
    const shown = of.unfolded.get(comment.id);
    return html`${of.open.has(place) ? composer(of, { place, comment, text: '' }) : nothing} ${list}
    ${shown === 'report' || shown === 'versions' ? unfold(of, comment, shown) : nothing}`;
  },
};

function composer(
  { host }: Writing,
  { place, comment, text }: { place: string; comment: Comment; text: string },
): TemplateResult {
  const isEdit = place.startsWith('edit');
  const label = host.t(isEdit ? 'yourEdit' : 'yourAnswer');
  return html`<confab-composer
    class=${isEdit ? 'composer' : 'composer below-form'}
    part="composer"
    data-place=${place}
    .host=${host}
    .place=${place}
    .comment=${comment}
    ><textarea part="textarea" rows="3" dir="auto" aria-label=${label} placeholder=${isEdit ? '' : label} .defaultValue=${text}></textarea
  ></confab-composer>`;
}

function button(label: string, use: () => void, part = ''): TemplateResult {
  return html`<button part=${`button ${part}`} type="button" @click=${use}>${label}</button>`;
}

function unsentItem(of: Writing, item: Item): TemplateResult {
  const { host } = of;
  const { t } = host;
  const { key, text, state, message, blobs, replyTo, more } = item;
  const options = more?.options ?? [];
  const outbox = of.outbox();
  const says = {
    sending: t('sending'),
    waiting: t('sendsLater'),
    signIn: t('signInToSend'),
    refused: message || t('notSent'),
    kept: t('notSent'),
  }[state];
  const again = state === 'signIn' && of.me() === undefined ? 'signIn' : 'tryAgain';
  const edit = () => {
    outbox.discard(key);
    const place = replyTo === undefined ? 'new' : `to-${replyTo}`;
    const drafts = of.drafts();
    drafts.write(place, [drafts.read(place), text].filter(Boolean).join('\n\n'));
    const comment = replyTo === undefined ? undefined : host.thread.get(replyTo);
    if (comment !== undefined) of.answer(comment);
    else void restore(of);
  };
  return html`<article class="unsent" part="unsent" id=${`unsent-${key}`} tabindex="-1" aria-label=${t('unsent')}>
    <p dir="auto">${[createMentions().short(text), ...options.map((each) => `• ${each.text}`)].join('\n')}</p>
    <div class="row">
      <span class="quiet" role=${state === 'refused' ? 'alert' : nothing}>${says}</span>
      ${
        state === 'sending'
          ? nothing
          : html`${button(t(again), () => void outbox.send(key))}
            ${blobs.length + options.length === 0 ? button(t('edit'), edit) : nothing}
            ${button(t('discard'), () => outbox.discard(key))}`
      }
    </div>
  </article>`;
}

/** Puts the draft above the list back into its field. */
async function restore(of: Writing): Promise<void> {
  const above = of.find('confab-composer:not([data-place])') as Composer | undefined;
  if (above === undefined) return;
  const { field } = above;
  above.text = of.drafts().read('new') ?? '';
  field.focus();
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** What lies over the page below a comment: the emojis, or its menu. It closes with what is chosen in it. */
function popover(of: Writing, comment: Comment, what: 'react' | 'more'): TemplateResult {
  const { host } = of;
  const content =
    what === 'react'
      ? reacting?.emojis(of, comment)
      : html`${host.extensions.map((each) => each.menu?.(host, comment) ?? nothing)}`;
  return html`<div
    class=${`popover ${what}`}
    part="popover"
    role="group"
    aria-label=${host.t(what === 'react' ? 'react' : 'moreActions')}
    @keydown=${walk}
    @click=${() => of.closePopovers()}
  >
    ${content}
  </div>`;
}

/** Votes, reacts with an emoji, or shows those that are offered. */
export async function reactTo(
  of: Writing,
  comment: Comment,
  { intent, value }: { readonly intent: Intent; readonly value: string | number | undefined },
): Promise<void> {
  reacting = await of.load(import('./reacting.ts'));
  if (reacting === undefined) return;
  if (intent === 'vote') await reacting.vote(of, comment, Number(value));
  else if (value !== undefined) await reacting.react(of, comment, String(value));
  else of.unfold(comment, 'react');
}

/** What is in the menu of a comment. */
function more(of: Writing, comment: Comment): TemplateResult {
  const { t } = of.host;
  const me = of.me();
  const isOwn = me !== undefined && comment.created_by?.id === me.id;
  if (!isOwn) return button(t('report'), () => of.unfold(comment, 'report'));
  const hasVersions = comment.modified_at !== undefined && !me.isVisitor;
  return html`${comment.is_held ? nothing : button(t('edit'), () => void of.edit(comment))}
    ${button(t('remove'), () => void remove(of, comment), 'danger')}
    ${hasVersions ? button(t('versions'), () => of.unfold(comment, 'versions')) : nothing}`;
}

function unfold(of: Writing, comment: Comment, what: 'report' | 'versions'): Drawn {
  if (unfolding === undefined) {
    void loadUnfolding(of);
    return nothing;
  }
  of.adopt(unfolding.sheet);
  return unfolding[what](of, comment);
}

async function loadUnfolding(of: Writing): Promise<void> {
  unfolding = await of.load(import('./unfolding.ts'));
  if (unfolding !== undefined) of.host.redrawAll();
}

async function remove(of: Writing, comment: Comment): Promise<void> {
  removal = await of.load(import('./removal.ts'));
  removal?.remove(of, comment);
}
