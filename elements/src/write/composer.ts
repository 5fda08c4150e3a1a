import {
  BaseElement,
  type Comment,
  type CommentsHost,
  html,
  nothing,
  type TemplateResult,
} from '../shared.ts';
import type { completing } from './completing.ts';
import type { Choices, Composed, Composer, Files } from './composed.ts';
import { type Format, formatted } from './format.ts';
import { icon } from './icons.ts';
import type { pictures } from './pictures.ts';
import { writingOf } from './writing.ts';

/** The most bytes of a text (`Text` in the contract), and from how many on the rest is shown. */
const bytesMax = 64 * 1024;
const bytesShown = bytesMax - 2048;
/** How many lines the field shows before it scrolls. */
const rowsMax = 16;
const rowsMin = 3;

/** What visitors can add. */
const pictureTypes = 'image/png,image/jpeg,image/gif,image/webp';

const formats = ['bold', 'italic', 'code', 'link', 'quote', 'list', 'numbers'] as const;

/**
 * `<confab-composer>`: the field for a comment, an answer or an edit, with what belongs to it. The text field is drawn by
 * whoever draws this element, so it is there, and can be written in, before this is loaded. It is never drawn again, so
 * nothing that is typed depends on state.
 */
export class ConfabComposer extends BaseElement implements Composer {
  static override properties = [
    'host',
    'place',
    'comment',
    'isOpen',
    'choices',
    'files',
    'problem',
    'theirs',
    'shown',
  ];

  declare host: CommentsHost;
  /** Where its draft is kept: `new`, `to-12` or `edit-12`. */
  declare place: string | undefined;
  /** What is answered or edited. */
  declare comment: Comment | undefined;
  declare isOpen: boolean | undefined;
  declare choices: Choices | undefined;
  declare files: Files | undefined;
  declare problem: string | undefined;
  /** What somebody else has made of the comment meanwhile. */
  declare theirs: string | undefined;
  /** The preview: what the server has made of the text. */
  declare shown: TemplateResult | undefined;

  /** Loaded when a word could be completed. */
  #completing: ReturnType<typeof completing> | undefined;
  #pictures: ReturnType<typeof pictures> | undefined;
  #isStarted = false;
  /** The draft that it showed first. */
  #shownDraft: string | undefined;
  /** Whose text it has; undefined for somebody who had not signed in. */
  #person: number | undefined;

  get field(): HTMLTextAreaElement {
    return this.querySelector('textarea') as HTMLTextAreaElement;
  }

  get text(): string {
    return this.field.value;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('storage', this.#followStorage);
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { field } = this;
    field.addEventListener('input', () => this.#typed());
    field.addEventListener('focus', () => this.open());
    field.addEventListener('blur', () => this.#completing?.close());
    field.addEventListener('keydown', (event) => this.#pressed(event));
    this.addEventListener('paste', (event) => this.#take(event, event.clipboardData));
    this.addEventListener('drop', (event) => this.#take(event, event.dataTransfer));
    this.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
    const { drafts: draftsOf, me } = writingOf(this.host);
    const drafts = draftsOf();
    this.#person = me()?.id;
    this.#shownDraft = drafts.read(this.#place);
    const isTyped = field.value !== '' && field.value !== field.defaultValue;
    if (isTyped) drafts.write(this.#place, field.value);
    else if (this.#shownDraft !== undefined) field.value = this.#shownDraft;
    if (field.value !== '' || field.matches(':focus') || this.place !== undefined) this.open();
    this.#grow();
  }

  disconnectedCallback(): void {
    removeEventListener('storage', this.#followStorage);
  }

  /** Empties the field where another tab has sent or given up the text that is shown here. */
  readonly #followStorage = (): void => {
    const { text } = this;
    const isOfOther = text !== '' && text === this.#shownDraft;
    if (isOfOther && writingOf(this.host).drafts().read(this.#place) === undefined) this.clear();
  };

  get #place(): string {
    return this.place ?? 'new';
  }

  /**
   * Shows what the person who is signed in now has written here. Returns whether its text was taken away: it is of somebody
   * else, or of somebody who has signed out. Where a session has only ended, its draft is kept, and shown until then.
   */
  followPerson(): boolean {
    const { drafts, me } = writingOf(this.host);
    const [before, person] = [this.#person, me()?.id];
    if (person === before) return false;
    if (before !== undefined && person === undefined && drafts().isKept(before, this.#place)) return false;
    this.#person = person;
    if (before !== undefined) this.clear();
    const draft = this.text === '' ? drafts().read(this.#place) : undefined;
    if (draft !== undefined) {
      this.field.value = draft;
      this.open();
    }
    return before !== undefined;
  }

  /** Shows the buttons. */
  open(): void {
    this.isOpen = true;
    this.#grow();
  }

  /** Empties the field, and closes it where it is the one above the list. */
  clear(): void {
    this.field.value = '';
    this.files = undefined;
    this.problem = undefined;
    this.shown = undefined;
    this.isOpen = this.field.matches(':focus');
    this.#grow();
  }

  /** Puts a text into the field as if it were typed, so that the browser can undo it. */
  replace(start: number, end: number, text: string, select?: readonly [number, number]): void {
    const { field } = this;
    field.focus();
    field.setSelectionRange(start, end);
    // The only way that keeps what the browser can undo; where there is none, the text is set.
    const isTyped =
      text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text);
    if (!isTyped) {
      field.setRangeText(text, start, end, 'end');
      this.#typed();
    }
    if (select !== undefined) field.setSelectionRange(select[0], select[1]);
  }

  #typed(): void {
    this.isOpen = true;
    this.problem = undefined;
    const { drafts, me } = writingOf(this.host);
    this.#person = me()?.id;
    drafts().write(this.#place, this.text);
    this.#grow();
    void this.#complete();
    void this.redraw();
  }

  /** Without the part that completes, words are written to their end. */
  async #complete(): Promise<void> {
    if (this.#completing === undefined && /[@:]/.test(this.text)) {
      const part = await import('./completing.ts').catch(() => undefined);
      this.#completing ??= part?.completing(this, writingOf(this.host));
    }
    await this.#completing?.look();
  }

  /** As many lines as the text has. */
  #grow(): void {
    const { field } = this;
    field.rows = this.isOpen === true ? rowsMin : 1;
    const { lineHeight, paddingBlockStart, paddingBlockEnd } = getComputedStyle(field);
    const height =
      field.scrollHeight - Number.parseFloat(paddingBlockStart) - Number.parseFloat(paddingBlockEnd);
    const lines = Math.round(height / Number.parseFloat(lineHeight));
    if (lines > field.rows) field.rows = Math.min(lines, rowsMax);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing || this.#completing?.press(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#send();
    } else if (event.key === 'Escape' && this.text.trim() === '') {
      event.preventDefault();
      this.#cancel();
    } else if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      const format = ({ b: 'bold', i: 'italic', k: 'link' } as const)[event.key];
      if (format === undefined) return;
      event.preventDefault();
      this.#format(format);
    }
  }

  #hasFiles(): boolean {
    return writingOf(this.host).hasFeature('attachments');
  }

  /** Takes what is pasted or dropped, where it is files. */
  #take(event: Event, data: DataTransfer | null): void {
    const files = [...(data?.files ?? [])];
    if (files.length === 0 || !this.#hasFiles()) return;
    event.preventDefault();
    void this.#upload(files);
  }

  /** Lets somebody choose files. */
  #choose(): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    if (this.host.server.session.user?.way !== undefined) input.accept = pictureTypes;
    input.onchange = () => void this.#upload([...(input.files ?? [])]);
    input.click();
  }

  async #upload(files: readonly File[]): Promise<void> {
    try {
      const part = await import('./pictures.ts');
      this.#pictures ??= part.pictures(this);
      this.#pictures.take(files);
    } catch {
      this.problem = this.host.t('away');
    }
  }

  #format(format: Format): void {
    const { value: text, selectionStart: start, selectionEnd: end } = this.field;
    const to = formatted(format, { text, start, end });
    this.replace(to.start, to.end, to.text, to.select);
  }

  #send(): void {
    const { text } = this;
    const blobs = this.#pictures === undefined ? [] : this.#pictures.blobs();
    if (blobs === undefined) {
      this.problem = this.host.t('uploading');
      return;
    }
    if (text.trim() === '' && blobs.length === 0) {
      this.field.focus();
      return;
    }
    if (bytesOf(text) > bytesMax) {
      this.problem = this.host.t('tooLong');
      return;
    }
    const composed: Composed = { composer: this, place: this.#place, comment: this.comment, text, blobs };
    void writingOf(this.host).send(composed);
  }

  #cancel(): void {
    const { host, text } = this;
    writingOf(host).drafts().forget(this.#place, text);
    this.clear();
    if (this.place === undefined) {
      this.field.blur();
      this.isOpen = false;
      this.#grow();
    } else writingOf(host).close(this.place);
  }

  protected override draw(): TemplateResult {
    const { host, choices, problem, files, theirs, shown } = this;
    const { t } = host;
    this.field.hidden = shown !== undefined;
    if (this.isOpen !== true) return html``;
    const left = bytesMax - bytesOf(this.text);
    const label = this.place === undefined ? 'send' : this.place.startsWith('edit') ? 'save' : 'answer';
    return html`${choices === undefined ? nothing : this.#completing?.draw(choices)}
      ${shown === undefined ? nothing : html`<div class="text" part="text" dir="auto" role="region" aria-label=${t('preview')}>${shown}</div>`}
      ${files === undefined ? nothing : this.#pictures?.draw(files)}
      <div class="bar">
        <div class="tools" role="toolbar" aria-label=${t('formatting')} @keydown=${walk}>
          ${formats.map((each, at) => this.#tool(each, at === 0, () => this.#format(each)))}
          ${this.#hasFiles() ? this.#tool('addFile', false, () => this.#choose()) : nothing}
        </div>
        ${left > bytesMax - bytesShown ? nothing : html`<span class="quiet" role="status">${t('charactersLeft', { count: left })}</span>`}
        ${
          host.server.session.user === undefined
            ? nothing
            : html`<button class="plain" part="button" type="button" @click=${() => this.#preview()}>
              ${t(shown === undefined ? 'preview' : 'goOn')}
            </button>`
        }
        ${this.place === undefined ? nothing : html`<button class="plain" part="button" type="button" @click=${() => this.#cancel()}>${t('cancel')}</button>`}
        <button class="primary" part="button send" type="button" @click=${() => this.#send()}>${t(label)}</button>
      </div>
      ${theirs === undefined ? nothing : this.#conflict(theirs)}
      ${problem === undefined ? nothing : html`<p class="problem" part="failure" role="alert">${problem}</p>`}`;
  }

  async #preview(): Promise<void> {
    if (this.shown !== undefined) {
      this.shown = undefined;
      await this.redraw();
      this.field.focus();
      return;
    }
    const answer = await writingOf(this.host).preview(this.text);
    if (typeof answer === 'string') this.problem = answer;
    else this.shown = answer;
  }

  #conflict(theirs: string): TemplateResult {
    const { t } = this.host;
    return html`<div class="theirs" role="group" aria-label=${t('changedMeanwhile')}>
      <strong>${t('changedMeanwhile')}</strong>
      <p dir="auto">${theirs}</p>
      <div class="row">
        <button part="button" type="button" @click=${() => this.#send()}>${t('keepMine')}</button>
        <button
          part="button"
          type="button"
          @click=${() => {
            this.replace(0, this.text.length, theirs);
            this.theirs = undefined;
          }}
        >
          ${t('takeTheirs')}
        </button>
      </div>
    </div>`;
  }

  #tool(name: Format | 'addFile', isFirst: boolean, use: () => void): TemplateResult {
    const label = this.host.t(name);
    return html`<button
      type="button"
      part="tool"
      title=${label}
      aria-label=${label}
      tabindex=${isFirst ? 0 : -1}
      @click=${use}
    >
      ${icon(name)}
    </button>`;
  }
}

/** The arrow keys go from button to button, and Tab leaves the toolbar (ARIA Authoring Practices, "Toolbar"). */
function walk(event: KeyboardEvent): void {
  const bar = event.currentTarget as HTMLElement;
  const buttons = [...bar.querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const isReversed = getComputedStyle(bar).direction === 'rtl';
  const step = { ArrowRight: isReversed ? -1 : 1, ArrowLeft: isReversed ? 1 : -1 }[event.key];
  const to =
    event.key === 'Home'
      ? 0
      : event.key === 'End'
        ? buttons.length - 1
        : step === undefined
          ? undefined
          : at + step;
  const next = to === undefined ? undefined : buttons[(to + buttons.length) % buttons.length];
  if (next === undefined) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

function bytesOf(text: string): number {
  // Short texts are far from the limit, whatever they are written in.
  return text.length * 3 < bytesShown ? text.length : new TextEncoder().encode(text).length;
}
