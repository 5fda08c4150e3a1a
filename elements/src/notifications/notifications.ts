import type { NotificationItem } from 'confab-client';
import type { OtherElement } from '../others/element.ts';
import {
  addEnglish,
  BaseElement,
  ConfabComments,
  createSpeaker,
  define,
  html,
  nothing,
  sheetOf,
  type TemplateResult,
  type Translate,
} from '../shared.ts';
import { notificationsEnglish } from '../texts/notifications-english.ts';
import { destinationOf } from './destination.ts';
import type { Inbox, View } from './inbox.ts';
import { listOf } from './list.ts';
import style from './notifications.css';
import { tabsOf, walkTabs } from './tabs.ts';
import { createWatching } from './watching.ts';

/**
 * `<confab-notifications>`: a bell with the number of unread notifications, and the list of them, for users who are signed
 * in; for everybody else there is nothing to see. It asks when it comes into a page, and hears of what is new from then on.
 * A notification that is opened dispatches `confab-open`, whose `detail` is the notification: a product that shows what it is
 * about by itself calls `preventDefault()`. Otherwise a comment on a page leads to the page.
 */

/** The numbers on the bell end here. */
const unreadShownMax = 99;
addEnglish(notificationsEnglish);

const sheet = sheetOf(style);
const bells = new WeakMap<OtherElement, Bell>();

export function update(element: OtherElement): void {
  let bell = bells.get(element);
  if (bell === undefined) {
    const root = element.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [ConfabComments.sheet, sheet];
    bell = document.createElement('confab-bell') as Bell;
    bell.host = element;
    bells.set(element, bell);
    root.append(bell);
  } else bell.follow();
}

/** What is inside of the element: it draws itself, in the style of the element. */
class Bell extends BaseElement {
  static override properties = ['isOpen', 'spoken', 'failed'];

  host!: OtherElement;
  declare isOpen: boolean | undefined;
  /** What users of a screen reader hear. */
  declare spoken: string | undefined;
  t!: Translate;
  language = 'en';
  readonly #speaker = createSpeaker(this, () => void this.redraw());
  readonly #watching = createWatching({
    changed: (added) => {
      // While its language is loaded, there is nothing to say it in.
      const speech = this.#speaker.speech(this.host.texts);
      if (added > 0 && speech !== undefined) this.spoken = speech.t('newNotifications', { count: added });
      void this.redraw();
    },
    personChanged: () => this.follow(),
  });
  #leaving = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    this.follow();
    const close = (event: Event) => {
      if (!event.composedPath().includes(this)) this.#close(false);
    };
    this.#leaving = new AbortController();
    addEventListener('pointerdown', close, { signal: this.#leaving.signal });
  }

  disconnectedCallback(): void {
    this.#watching.end();
    this.#leaving.abort();
    this.isOpen = false;
  }

  get #inbox(): Inbox | undefined {
    return this.#watching.inbox();
  }

  /** Begins anew where another server or person is meant. */
  follow(): void {
    if (!this.isConnected) return;
    if (this.#watching.follow(this.host.getAttribute('server'))) this.isOpen = false;
    void this.redraw();
  }

  protected override draw(): TemplateResult {
    const speech = this.#speaker.speech(this.host.texts);
    const inbox = this.#inbox;
    if (inbox === undefined || speech === undefined) return html``;
    this.language = speech.language;
    this.t = speech.t;
    const unread = inbox.unread();
    return html`<div class="root" @keydown=${this.#key} @focusout=${this.#focusLeft}>
      <button
        class="bell"
        part="bell"
        type="button"
        aria-haspopup="dialog"
        aria-expanded=${this.isOpen === true}
        @click=${() => (this.isOpen ? this.#close(true) : this.#open())}
      >
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path d="M6 10a6 6 0 0 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7zM10 20.5a2.2 2.2 0 0 0 4 0" />
        </svg>
        ${unread === 0 ? nothing : html`<span class="badge" part="badge" aria-hidden="true">${countText(unread, this.language)}</span>`}
        <span class="hidden">${unread === 0 ? this.t('notifications') : this.t('unreadNotifications', { count: unread })}</span>
      </button>
      ${this.isOpen ? this.#panel(inbox) : nothing}
      <p class="hidden" role="status">${this.spoken}</p>
    </div>`;
  }

  #panel(inbox: Inbox): TemplateResult {
    const { t } = this;
    const view = inbox.view();
    // Everything is marked, so it is offered where everything is shown. Elsewhere it keeps its room.
    const marking = view === 'all' ? 'plain' : 'plain absent';
    return html`<div class="panel" part="panel" role="dialog" aria-labelledby="heading" tabindex="-1" data-side=${sideOf(this)}>
      <header>
        <h2 id="heading" part="heading">${t('notifications')}</h2>
        ${
          inbox.unread() === 0 || inbox.items() === undefined
            ? nothing
            : html`<button class=${marking} part="button" type="button" @click=${this.#markAll}>${t('markAllRead')}</button>`
        }
      </header>
      ${tabsOf(view, t, (to: View) => void inbox.show(to))}
      <div
        id="view"
        class="view"
        role="tabpanel"
        aria-labelledby=${`view-${view}`}
        aria-busy=${inbox.isChanging()}
        ?inert=${inbox.isChanging()}
      >
        ${listOf(inbox, this, {
          reveal: this.#reveal,
          choose: (item) => void this.#choose(item),
          retry: () => void this.#retry(inbox),
        })}
      </div>
    </div>`;
  }

  async #retry(inbox: Inbox): Promise<void> {
    this.#focusPanel();
    await (inbox.items() === undefined ? inbox.open() : inbox.refresh());
  }

  async #open(): Promise<void> {
    this.isOpen = true;
    await this.redraw();
    this.#focusPanel();
    await this.#inbox?.open();
  }

  #focusPanel(): void {
    this.root.querySelector<HTMLElement>('.panel')?.focus();
  }

  #close(isFocusReturned: boolean): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#inbox?.close();
    if (isFocusReturned) this.root.querySelector<HTMLElement>('.bell')?.focus();
  }

  #markAll = async (): Promise<void> => {
    this.#focusPanel();
    await this.#inbox?.markAllRead();
  };

  #reveal = (): void => {
    this.#focusPanel();
    this.#inbox?.reveal();
  };

  #key = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.isOpen) {
      event.stopPropagation();
      this.#close(true);
    } else if (this.isOpen && !walkTabs(event))
      walk(event, [...this.root.querySelectorAll<HTMLElement>('.item')]);
  };

  #focusLeft = ({ relatedTarget: to }: FocusEvent): void => {
    if (to instanceof Node && !this.contains(to)) this.#close(false);
  };

  async #choose(item: NotificationItem): Promise<void> {
    const inbox = this.#inbox;
    const server = this.#watching.server();
    if (inbox === undefined || server === undefined) return;
    const marked = inbox.markRead(item.id);
    if (isOpenedByPage(this.host, item)) return this.#close(false);
    const address = await destinationOf(item, server.api);
    // The page is left: what was marked has to arrive.
    await marked;
    if (address === undefined) return;
    this.#close(false);
    location.assign(address);
  }
}

/** The number on the bell. */
function countText(unread: number, language: string): string {
  const format = new Intl.NumberFormat(language);
  return unread > unreadShownMax ? `${format.format(unreadShownMax)}+` : format.format(unread);
}

/** Asks the page whether it shows by itself what a notification is about. */
function isOpenedByPage(host: OtherElement, item: NotificationItem): boolean {
  const init = { detail: item, bubbles: true, composed: true, cancelable: true };
  return !host.dispatchEvent(new CustomEvent('confab-open', init));
}

/** The side of the bell at which the panel begins: where there is more room. */
function sideOf(bell: Bell): 'start' | 'end' {
  const { left, right } = bell.host.getBoundingClientRect();
  const isRight = left + right > document.documentElement.clientWidth;
  const isRightToLeft = getComputedStyle(bell).direction === 'rtl';
  return isRight === isRightToLeft ? 'start' : 'end';
}

/** The arrow keys, Home and End go from notification to notification. */
function walk(event: KeyboardEvent, items: readonly HTMLElement[]): void {
  const at = items.indexOf(event.target as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined || items.length === 0) return;
  event.preventDefault();
  items[Math.max(0, Math.min(to, items.length - 1))]?.focus();
}

define('confab-bell', Bell);
