import { html, type TemplateResult, type Translate } from '../shared.ts';
import { type View, views } from './inbox.ts';

const names = {
  all: 'viewAll',
  mentions: 'viewMentions',
  threads: 'viewThreads',
  resolved: 'viewResolved',
} as const;
const inOrder = Object.keys(views) as readonly View[];

/** The tabs of the views, of which Tab reaches the chosen one alone. */
export function tabsOf(chosen: View, t: Translate, choose: (view: View) => void): TemplateResult {
  return html`<div class="tabs" part="tabs" role="tablist" aria-labelledby="heading">
    ${inOrder.map(
      (view) => html`<button
        id=${`view-${view}`}
        part=${view === chosen ? 'tab chosen' : 'tab'}
        type="button"
        role="tab"
        aria-selected=${view === chosen}
        aria-controls="view"
        tabindex=${view === chosen ? 0 : -1}
        @click=${() => choose(view)}
      >${t(names[view])}</button>`,
    )}
  </div>`;
}

/**
 * The left and right arrow keys, Home and End go from tab to tab and choose it. Returns false for an event that is about
 * something else.
 */
export function walkTabs(event: KeyboardEvent): boolean {
  const tab = event.target as HTMLElement;
  if (tab.role !== 'tab') return false;
  const tabs = [...(tab.parentElement?.children ?? [])] as HTMLElement[];
  const forward = getComputedStyle(tab).direction === 'rtl' ? -1 : 1;
  const at = tabs.indexOf(tab) + tabs.length;
  const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: tabs.length - 1 }[event.key];
  const next = to === undefined ? undefined : tabs[to % tabs.length];
  if (next === undefined) return false;
  event.preventDefault();
  next.focus();
  next.click();
  return true;
}
