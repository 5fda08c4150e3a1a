import { addEnglish, html, nothing, sheetOf, type TemplateResult } from '../shared.ts';
import { pollingEnglish } from '../texts/polling-english.ts';
import type { Addition, Composer } from './composed.ts';
import style from './polling.css';
import type { Writing } from './writing.ts';

/** Makes a poll of a comment, whose text is the question: loaded with the first, because few comments ask. */

addEnglish(pollingEnglish);
const sheet = sheetOf(style);

/** The fewest options that can be sent, and the most that the server takes (`optionsMax` in the contract). */
const optionsMin = 2;
const optionsMax = 50;
/** The most characters of an option (`optionCharactersMax`). */
const charactersMax = 512;

/** The options of a composer, which are kept as a draft beside its text. */
export function add(composer: Composer, { host, drafts, adopt }: Writing): Addition {
  const place = `poll-${composer.place ?? 'new'}`;
  let options: readonly string[] | undefined;
  adopt(sheet);

  const inputs = () => composer.querySelectorAll<HTMLInputElement>('.polling input');

  function change(to: readonly string[] | undefined): void {
    options = to;
    composer.problem = undefined;
    const isBlank = to === undefined || to.every((text) => text.trim() === '');
    drafts().write(place, isBlank ? '' : JSON.stringify(to));
    void composer.redraw();
  }

  /** Moves the focus to an option, which is added where it is the next one. */
  async function goTo(at: number): Promise<void> {
    const all = options ?? [];
    if (at === all.length && at < optionsMax) change([...all, '']);
    await composer.redraw();
    inputs()[at]?.focus();
  }

  async function remove(at: number): Promise<void> {
    change(options?.filter((_, each) => each !== at));
    await goTo(Math.max(0, at - 1));
  }

  function press(event: KeyboardEvent, at: number): void {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) composer.send();
    else void goTo(at + 1);
  }

  function removePoll(): void {
    change(undefined);
    composer.field.focus();
  }

  function option(text: string, at: number, all: readonly string[]): TemplateResult {
    const { t } = host;
    const label = t('pollOption', { number: at + 1 });
    const removeLabel = t('removeOption', { number: at + 1 });
    return html`<div class="option">
      <input
        type="text"
        part="textarea"
        dir="auto"
        maxlength=${charactersMax}
        aria-label=${label}
        placeholder=${label}
        .value=${text}
        @input=${({ target }: Event) => change(all.with(at, (target as HTMLInputElement).value))}
        @keydown=${(event: KeyboardEvent) => press(event, at)}
      >
      ${
        all.length <= optionsMin
          ? nothing
          : html`<button type="button" part="button" aria-label=${removeLabel} @click=${() => remove(at)}>×</button>`
      }
    </div>`;
  }

  return {
    async use() {
      const wasOpen = options !== undefined;
      const kept = wasOpen ? undefined : drafts().read(place);
      options ??= kept === undefined ? ['', ''] : JSON.parse(kept);
      composer.open();
      await composer.redraw();
      // Not where it is a draft that is shown again.
      if (kept === undefined) inputs()[0]?.focus();
    },

    draw() {
      const { t } = host;
      const all = options;
      if (all === undefined) return undefined;
      return html`<fieldset class="polling" part="poll">
        <legend>${t('poll')}</legend>
        ${all.map((text, at) => option(text, at, all))}
        <div class="row">
          <button type="button" part="button" ?disabled=${all.length >= optionsMax} @click=${() => goTo(all.length)}>
            ${t('addOption')}
          </button>
          <button type="button" part="button" @click=${removePoll}>${t('removePoll')}</button>
        </div>
      </fieldset>`;
    },

    fields() {
      if (options === undefined) return {};
      const texts = options.map((text) => text.trim()).filter((text) => text !== '');
      const isAsked = composer.text.trim() !== '';
      if (isAsked && texts.length >= optionsMin) return { options: texts.map((text) => ({ text })) };
      composer.problem = host.t(isAsked ? 'pollTooFew' : 'pollQuestion');
      if (isAsked) inputs()[texts.length]?.focus();
      else composer.field.focus();
      return undefined;
    },

    clear() {
      options = undefined;
    },
  };
}
