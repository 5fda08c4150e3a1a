import {
  addEnglish,
  BaseElement,
  type CommentsHost,
  define,
  html,
  nothing,
  sheetOf,
  type TemplateResult,
} from '../shared.ts';
import { enlargedEnglish } from '../texts/enlarged-english.ts';
import style from './enlarged.css';
import type { Picture } from './picture.ts';

/** A picture as large as the window, with the others of its comment before and after it. */

addEnglish(enlargedEnglish);
const sheet = sheetOf(style);

/** `<confab-enlarged>`: the dialog with the picture. It is gone when it is closed, and the focus is where it was. */
class ConfabEnlarged extends BaseElement {
  static override properties = ['at'];

  host!: CommentsHost;
  pictures: readonly Picture[] = [];
  /** Which of the pictures is shown. */
  declare at: number;

  protected override draw(): TemplateResult {
    const { host, pictures, at } = this;
    const { t } = host;
    const {
      preview_url: large,
      thumbnail_url: small,
      address,
      name,
      width,
      height,
    } = pictures[at] as Picture;
    const count = pictures.length;
    const step = (label: 'previousPicture' | 'nextPicture', by: number) =>
      html`<button type="button" part="button" class=${label} aria-label=${t(label)} ?disabled=${pictures[at + by] === undefined} @click=${() => this.#go(by)}></button>`;
    return html`<dialog class="enlarged" part="enlarged" aria-label=${name} @close=${() => this.remove()} @keydown=${this.#key} @click=${this.#click}>
      <img src=${large ?? small} alt=${name} width=${width} height=${height}>
      <div>
        ${address === undefined ? html`<span dir="auto">${name}</span>` : html`<a href=${address} target="_blank" rel="noopener noreferrer" dir="auto">${name}</a>`}
        ${
          count === 1
            ? nothing
            : html`<span role="status">${t('pictureOf', { number: at + 1, count })}</span>
              ${step('previousPicture', -1)} ${step('nextPicture', 1)}`
        }
        <button type="button" part="button" autofocus aria-label=${t('close')} @click=${this.#close}>×</button>
      </div>
    </dialog>`;
  }

  protected override drawn(): void {
    const dialog = this.#dialog;
    if (dialog !== null && !dialog.matches(':modal')) dialog.showModal();
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog');
  }

  #close = (): void => this.#dialog?.close();

  /** A click beside the picture and the bar. */
  #click = ({ target }: Event): void => {
    if (target === this.#dialog) this.#close();
  };

  #go(by: number): void {
    if (this.pictures[this.at + by] !== undefined) this.at += by;
  }

  #key = (event: KeyboardEvent): void => {
    const forward = getComputedStyle(this).direction === 'rtl' ? -1 : 1;
    const by = { ArrowRight: forward, ArrowLeft: -forward }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#go(by);
  };
}

define('confab-enlarged', ConfabEnlarged);

/** Shows one of the pictures of a comment as large as the window. */
export function enlarged(host: CommentsHost, pictures: readonly Picture[], at: number): void {
  const root = host.shadowRoot;
  if (root !== null && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  const element = document.createElement('confab-enlarged') as ConfabEnlarged;
  Object.assign(element, { host, pictures, at });
  root?.querySelector('.root')?.append(element);
}
