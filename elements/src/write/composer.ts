import {
  BaseElement,
  type Comment,
  type CommentsHost,
  html,
  nothing,
  type TemplateResult,
} from '../shared.ts';
import { createAttaching } from './attaching.ts';
import { createCompletion } from './completion.ts';
import type { Choices, Composer, Files } from './composed.ts';
import { createDrafting } from './drafting.ts';
import { grow, keyAction, typeInto } from './field.ts';
import { bytesMax, bytesOf } from './limit.ts';
import { theirs } from './theirs.ts';
import { bar, format } from './toolbar.ts';
import { writingOf } from './writing.ts';

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

  readonly #completion = createCompletion(this);
  readonly #attaching = createAttaching(this);
  readonly #drafting = createDrafting(this);
  #isStarted = false;

  get field(): HTMLTextAreaElement {
    return this.querySelector('textarea') as HTMLTextAreaElement;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('storage', this.#drafting.followStorage);
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { field } = this;
    field.addEventListener('input', () => this.#typed());
    field.addEventListener('focus', () => this.open());
    field.addEventListener('blur', () => this.#completion.close());
    field.addEventListener('keydown', (event) => this.#pressed(event));
    this.addEventListener('paste', (event) => this.#attaching.take(event, event.clipboardData));
    this.addEventListener('drop', (event) => this.#attaching.take(event, event.dataTransfer));
    this.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
    this.#drafting.begin();
    if (field.value !== '' || field.matches(':focus') || this.place !== undefined) this.open();
    this.#grow();
  }

  disconnectedCallback(): void {
    removeEventListener('storage', this.#drafting.followStorage);
  }

  followPerson(): boolean {
    return this.#drafting.followPerson();
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
    if (!typeInto(this.field, { start, end, text })) this.#typed();
    if (select !== undefined) this.field.setSelectionRange(select[0], select[1]);
  }

  #typed(): void {
    this.isOpen = true;
    this.problem = undefined;
    this.#drafting.keep();
    this.#grow();
    void this.#completion.look();
    void this.redraw();
  }

  #grow(): void {
    grow(this.field, this.isOpen === true);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing || this.#completion.press(event)) return;
    const action = keyAction(event);
    if (action === undefined) return;
    event.preventDefault();
    if (action === 'send') this.#send();
    else if (action === 'cancel') this.#cancel();
    else format(this, action);
  }

  #send(): void {
    const text = this.field.value;
    const blobs = this.#attaching.blobs();
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
    void writingOf(this.host).send({
      composer: this,
      place: this.#drafting.place(),
      comment: this.comment,
      text,
      blobs,
    });
  }

  #cancel(): void {
    this.#drafting.forget();
    this.clear();
    if (this.place === undefined) {
      this.field.blur();
      this.isOpen = false;
      this.#grow();
    } else writingOf(this.host).close(this.place);
  }

  protected override draw(): TemplateResult {
    const { choices, files, problem, shown } = this;
    const { t } = this.host;
    this.field.hidden = shown !== undefined;
    if (this.isOpen !== true) return html``;
    return html`${choices === undefined ? nothing : this.#completion.draw(choices)}
      ${shown === undefined ? nothing : html`<div class="text" part="text" dir="auto" role="region" aria-label=${t('preview')}>${shown}</div>`}
      ${files === undefined ? nothing : this.#attaching.draw(files)}
      ${bar(this, {
        choose: this.#attaching.isAllowed() ? this.#attaching.choose : undefined,
        preview: () => this.#preview(),
        cancel: () => this.#cancel(),
        send: () => this.#send(),
      })}
      ${this.theirs === undefined ? nothing : theirs(this, this.theirs, () => this.#send())}
      ${problem === undefined ? nothing : html`<p class="problem" part="failure" role="alert">${problem}</p>`}`;
  }

  async #preview(): Promise<void> {
    if (this.shown !== undefined) {
      this.shown = undefined;
      await this.redraw();
      this.field.focus();
      return;
    }
    const answer = await writingOf(this.host).preview(this.field.value);
    if (typeof answer === 'string') this.problem = answer;
    else this.shown = answer;
  }
}
