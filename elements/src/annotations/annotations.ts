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
import { annotationsEnglish } from '../texts/annotations-english.ts';
import style from './annotations.css';
import type { Desk, Filter, View } from './desk.ts';
import { createFollowing } from './following.ts';
import { layer } from './layer.ts';
import { close, followHash, show, step } from './opening.ts';
import { panel, placePanel } from './panel.ts';

/**
 * `<confab-annotations>`: comments on places of a page. Attributes: `for` (a CSS selector of the text, such as `#content`), and
 * `server`, `app`, `uid` and `token-url` as `<confab-comments>` has them. It marks what has comments, and opens them beside
 * the text or in a sheet. The content is never changed: what is drawn lies above it.
 */

addEnglish(annotationsEnglish);
const sheet = sheetOf(style);
const desks = new WeakMap<OtherElement, ConfabDesk>();

export function update(element: OtherElement): void {
  let desk = desks.get(element);
  if (desk === undefined) {
    const root = element.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [ConfabComments.sheet, sheet];
    desk = document.createElement('confab-annotation-desk') as ConfabDesk;
    desk.host = element;
    desks.set(element, desk);
    root.append(desk);
  } else desk.follow();
}

/** What is inside of the element. It draws itself, in the style of the element. */
class ConfabDesk extends BaseElement implements Desk {
  static override properties = ['view', 'filter', 'spoken'];

  host!: OtherElement;
  declare view: View | undefined;
  declare filter: Filter | undefined;
  declare spoken: string | undefined;
  t!: Translate;
  language = 'en';
  roots: Desk['roots'];
  places: Desk['places'];
  selecting: Desk['selecting'];
  opener: Desk['opener'];
  marks: Desk['marks'] = new Map();
  readonly #speaker = createSpeaker(this, () => void this.redraw());
  readonly #following = createFollowing(this);
  #leaving = new AbortController();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leaving = new AbortController();
    const { signal } = this.#leaving;
    addEventListener('hashchange', () => void followHash(this), { signal });
    addEventListener('resize', () => void this.redraw(), { signal });
    // What is drawn above the page goes with what it belongs to, also in a part that scrolls by itself.
    document.addEventListener('scroll', () => void this.redraw(), { signal, capture: true, passive: true });
    document.addEventListener('keydown', this.#pressed, { signal });
    this.follow();
  }

  disconnectedCallback(): void {
    this.#leaving.abort();
    this.#following.end();
  }

  follow(): void {
    this.#following.follow();
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const { code, ctrlKey, metaKey, altKey } = event;
    if (!altKey || !(ctrlKey || metaKey)) return;
    const act = {
      KeyM: () => this.selecting?.use(),
      KeyN: () => step(this, 1),
      KeyP: () => step(this, -1),
    }[code];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  protected override draw(): TemplateResult {
    const speech = this.#speaker.speech(this.host.texts);
    const { roots, places } = this;
    if (speech === undefined || roots === undefined || places === undefined) return html``;
    this.language = speech.language;
    this.t = speech.t;
    const count = roots.all().filter(({ resolved_at: at }) => at === undefined).length;
    const isUsed = roots.all().length > 0 || roots.isWritable();
    return html`<div class="root" part="root">
      ${layer(this, places)}
      ${
        !isUsed
          ? nothing
          : html`<button class="opener" part="button opener" type="button" aria-haspopup="dialog" aria-expanded=${this.view !== undefined} @click=${() => (this.view ? close(this) : show(this, { list: true }))}>
            <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M4 5h16v11H11l-5 4v-4H4z" /></svg>
            ${count === 0 ? html`<span class="hidden">${this.t('annotations')}</span>` : html`<span class="hidden">${this.t('annotationsCount', { count })}</span><span aria-hidden="true">${count}</span>`}
          </button>`
      }
      ${this.selecting?.draw()}
      ${this.view === undefined ? nothing : panel(this, this.view)}
      <p class="hidden" role="status">${this.spoken}</p>
    </div>`;
  }

  protected override drawn(): void {
    placePanel(this);
    this.selecting?.drawn();
  }
}

define('confab-annotation-desk', ConfabDesk);
