import {
  BaseElement,
  type Comment,
  type CommentsHost,
  html,
  nothing,
  type TemplateResult,
} from '../shared.ts';
import { createAdditions } from './adding.ts';
import { createAttaching } from './attaching.ts';
import { createCompletion } from './completion.ts';
import type { Choices, Composer, Files } from './composed.ts';
import { createDrafting } from './drafting.ts';
import { grow, keyAction, typeInto } from './field.ts';
import { createMentions } from './mentions.ts';
import { composedOf } from './sending.ts';
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
  /** Draws what somebody else has made of the comment meanwhile. */
  declare theirs: Composer['theirs'];
  /** The preview: what the server has made of the text. */
  declare shown: TemplateResult | undefined;

  readonly #completion = createCompletion(this);
  readonly #attaching = createAttaching(this);
  readonly #drafting = createDrafting(this);
  readonly mentions = createMentions();
  readonly #additions = createAdditions(this);
  #isStarted = false;

  get field(): HTMLTextAreaElement {
    return this.querySelector('textarea') as HTMLTextAreaElement;
  }

  get text(): string {
    return this.mentions.long(this.field.value);
  }

  set text(text: string) {
    this.field.value = this.mentions.short(text);
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
    this.#additions.begin();
    if (field.value !== '' || field.matches(':focus') || this.place !== undefined) this.open();
    this.#grow();
  }

  disconnectedCallback(): void {
    removeEventListener('storage', this.#drafting.followStorage);
  }

  followPerson(): boolean {
    const isTaken = this.#drafting.followPerson();
    this.#additions.begin();
    return isTaken;
  }

  /** Shows the buttons. */
  open(): void {
    this.isOpen = true;
    this.#grow();
  }

  /** Empties the field, and closes it where it is the one above the list. */
  clear(): void {
    this.field.value = '';
    this.mentions.clear();
    this.#additions.clear();
    this.files = undefined;
    this.problem = undefined;
    this.isOpen = this.field.matches(':focus');
    this.#grow();
    void this.redraw();
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
    this.#additions.typed();
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
    if (action === 'send') this.send();
    else if (action === 'cancel') this.#cancel();
    else format(this, action);
  }

  send(): void {
    const composed = composedOf(this, {
      more: this.#additions.fields(),
      blobs: this.#attaching.blobs(),
      place: this.#drafting.place(),
    });
    if (composed !== undefined) void writingOf(this.host).send(composed);
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
    this.field.hidden = shown !== undefined;
    if (this.isOpen !== true) return html``;
    return html`${choices === undefined ? nothing : this.#completion.draw(choices)}
      ${shown}
      ${this.#additions.draw()}
      ${files === undefined ? nothing : this.#attaching.draw(files)}
      ${bar(this, {
        emoji: () => void this.#additions.use('emoji'),
        choose: this.#attaching.isAllowed() ? this.#attaching.choose : undefined,
        ask: this.#additions.hasPolls() ? () => void this.#additions.use('poll') : undefined,
        preview: () => void this.#additions.use('text'),
        cancel: () => this.#cancel(),
      })}
      ${this.theirs?.()}
      ${problem === undefined ? nothing : html`<p class="problem" part="failure" role="alert">${problem}</p>`}`;
  }
}
