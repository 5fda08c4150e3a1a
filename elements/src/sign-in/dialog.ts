import { BaseElement, type CommentsHost, html, sheetOf, type TemplateResult } from '../shared.ts';
import style from './dialog.css';

/** Dialogs inside of the comments, so that they have their style and the custom properties of the page. */

const sheet = sheetOf(style);

/** Has the comments adopt the style of dialogs and of who is signed in. */
export function adoptStyle(host: CommentsHost): void {
  const root = host.shadowRoot;
  if (root !== null && !root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

/** A modal dialog with a heading and a button that closes it. */
export abstract class DialogElement extends BaseElement {
  declare host: CommentsHost;
  /** Whether something is under way: its button waits. */
  declare isBusy: boolean | undefined;

  /** Resolves when the dialog is closed. */
  readonly closed: Promise<void>;
  #resolve!: () => void;
  #isClosed = false;

  constructor() {
    super();
    this.closed = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  protected abstract heading(): string;
  protected abstract content(): TemplateResult;

  protected override draw(): TemplateResult {
    return html`<dialog class="panel" part="dialog" aria-labelledby="panel-heading" @close=${this.#close}>
      <div class="panel-top">
        <h2 id="panel-heading" tabindex="-1" autofocus>${this.heading()}</h2>
        <button class="close" part="button" type="button" aria-label=${this.host.t('close')} @click=${this.close}>
          <span aria-hidden="true">×</span>
        </button>
      </div>
      ${this.content()}
    </dialog>`;
  }

  /** A dialog that the page has moved is no modal one any more. */
  protected override drawn(): void {
    const dialog = this.querySelector('dialog');
    if (dialog === null || this.#isClosed || dialog.matches(':modal')) return;
    dialog.removeAttribute('open');
    dialog.showModal();
  }

  /** Closes it. The focus goes back to where it was. */
  close = (): void => {
    if (this.#isClosed) return;
    this.querySelector('dialog')?.close();
    this.#close();
  };

  #close = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.remove();
    this.#resolve();
    void this.#returnFocus();
  };

  /** The button that has opened it may have gone, because somebody else is signed in now. */
  async #returnFocus(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    const root = this.host.shadowRoot;
    if (root?.activeElement === null) root.querySelector<HTMLElement>('.account button')?.focus();
  }

  /** Moves the focus to the heading, after what had it has gone. */
  protected async focusHeading(): Promise<void> {
    await this.redraw();
    this.querySelector<HTMLElement>('#panel-heading')?.focus();
  }
}

/** Opens a dialog in the comments. */
export function openDialog(host: CommentsHost, dialog: DialogElement): void {
  adoptStyle(host);
  dialog.host = host;
  host.shadowRoot?.querySelector('.root')?.append(dialog);
}
