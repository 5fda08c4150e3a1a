import { html, nothing, relativeTime, type TemplateResult } from '../shared.ts';
import { quoteOf, type Root } from './anchors.ts';
import type { Desk, Filter, View } from './desk.ts';
import { close, open, show, step } from './opening.ts';
import { markShown, shownOf, spotShown } from './shown.ts';

/** What opens beside the text, or in a sheet: the list of threads, or those of one place. */

const filters: readonly Filter[] = ['open', 'resolved', 'all'];
const filterTexts = { open: 'openThreads', resolved: 'resolvedThreads', all: 'allThreads' } as const;

export function panel(desk: Desk, view: View): TemplateResult {
  const { t } = desk;
  return html`<div class="panel" part="panel" role="dialog" aria-labelledby="heading" tabindex="-1" @keydown=${(event: KeyboardEvent) => press(desk, event)} @begun=${() => desk.redraw()}>
    <header part="header">
      <h2 id="heading" part="heading">${t('annotations')}</h2>
      ${stepButton(desk, -1)} ${stepButton(desk, 1)}
      <button class="close" part="button" type="button" aria-label=${t('close')} title=${t('close')} @click=${() => close(desk)}><span aria-hidden="true">×</span></button>
    </header>
    ${'list' in view ? list(desk) : thread(desk, view)}
  </div>`;
}

function stepButton(desk: Desk, by: 1 | -1): TemplateResult | typeof nothing {
  const label = desk.t(by > 0 ? 'nextThread' : 'previousThread');
  return shownOf(desk).length === 0
    ? nothing
    : html`<button class="step" part="button" type="button" aria-label=${label} title=${label} aria-keyshortcuts=${by > 0 ? 'Control+Alt+N' : 'Control+Alt+P'} @click=${() => step(desk, by)}>
      <span aria-hidden="true">${by > 0 ? '↓' : '↑'}</span>
    </button>`;
}

/** Escape closes the panel, unless what is open in it takes it. */
function press(desk: Desk, event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  event.stopPropagation();
  close(desk);
}

function thread(desk: Desk, view: Exclude<View, { list: true }>): TemplateResult {
  const { t, roots } = desk;
  const first = roots?.get(view.thread.ids[0] ?? 0);
  const anchor = first ?? { anchor: view.thread.anchor };
  const quote = quoteOf(anchor)?.exact;
  const spot = spotShown(desk);
  const isGone =
    first !== undefined &&
    desk.places?.isPlaced() === true &&
    spot?.range === undefined &&
    spot?.element === undefined;
  return html`<button class="plain" part="button" type="button" @click=${() => show(desk, { list: true })}>${t('backToThreads')}</button>
    ${quote === undefined ? nothing : html`<blockquote part="quote" dir="auto">${quote}</blockquote>`}
    ${isGone ? html`<p class="quiet gone" part="gone">${t('placeGone')}</p>` : nothing}
    ${view.thread}`;
}

function list(desk: Desk): TemplateResult {
  const { t, roots, filter = 'open' } = desk;
  const shown = shownOf(desk);
  const failure = roots?.failure();
  return html`<div class="row">
      <select part="filter" aria-label=${t('showThreads')} @change=${(event: Event) => {
        desk.filter = (event.target as HTMLSelectElement).value as Filter;
        markShown(desk);
        void desk.redraw();
      }}>
        ${filters.map((each) => html`<option value=${each} ?selected=${each === filter}>${t(filterTexts[each])}</option>`)}
      </select>
      ${
        roots?.isWritable()
          ? html`<button part="button" type="button" @click=${() => desk.selecting?.choose()}>${t('annotatePart')}</button>`
          : nothing
      }
    </div>
    ${failure === undefined ? nothing : html`<p role="alert" part="failure">${failure.message || t('away')} <button part="button" type="button" @click=${() => roots?.read()}>${t('tryAgain')}</button></p>`}
    ${shown.length === 0 ? html`<p class="quiet" part="empty">${t('noThreads')} ${roots?.isWritable() ? t('annotateHint') : nothing}</p>` : nothing}
    <ul role="list" part="list">${shown.map((root) => item(desk, root))}</ul>`;
}

function item(desk: Desk, root: Root): TemplateResult {
  const { t, language, places } = desk;
  const { created_by: author, created_at: at, resolved_at: resolvedAt, reply_count: replies = 0 } = root;
  const spot = places?.spot(root.id);
  const isGone = spot?.range === undefined && spot?.element === undefined;
  const quote = quoteOf(root)?.exact;
  return html`<li>
    <button class="item" part="item" type="button" @click=${() => open(desk, [root.id])}>
      ${quote === undefined ? nothing : html`<q class="excerpt" dir="auto">${quote}</q>`}
      <span class="words" dir="auto">${root.text}</span>
      <span class="quiet"
        ><bdi>${author?.display_name ?? t('unknown')}</bdi> · ${relativeTime(at, Date.now(), language) ?? t('justNow')}${replies === 0 ? nothing : ` · ${t('answers', { count: replies })}`}${resolvedAt === undefined ? nothing : ` · ${t('resolved')}`}</span
      >
      ${isGone ? html`<span class="quiet gone">${t('placeGone')}</span>` : nothing}
    </button>
  </li>`;
}

/** How wide the panel is, and how far from the text, in pixels of the page. */
const gapPx = 16;
const phone = '(width < 40rem)';

/** Puts the panel beside the text where there is room, at the height of what it is about. */
export function placePanel(desk: Desk): void {
  const element = desk.root.querySelector<HTMLElement>('.panel');
  const content = desk.places?.content;
  if (element === null || content === undefined) return;
  const { style } = element;
  for (const name of ['left', 'right', 'top']) style.removeProperty(name);
  if (matchMedia(phone).matches) return;
  const { left, right } = content.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const isReversed = getComputedStyle(content).direction === 'rtl';
  const beside = isReversed ? left - gapPx - width : right + gapPx;
  if (beside >= 0 && beside + width <= document.documentElement.clientWidth) {
    style.setProperty('left', `${beside}px`);
    style.setProperty('right', 'auto');
  }
  const spot = spotShown(desk);
  const top = (spot?.range ?? spot?.element)?.getBoundingClientRect().top ?? gapPx;
  style.setProperty('top', `${Math.max(gapPx, Math.min(top, innerHeight - height - gapPx))}px`);
}
