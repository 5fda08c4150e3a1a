import { type BaseElement, html, nothing, type TemplateResult } from '../shared.ts';

/** The most characters of a name; the server refuses more. */
const nameCharactersMax = 60;

/** A field for a name, with what is wrong with it. */
export function nameField(field: {
  readonly label: string;
  readonly hint: string;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly value?: string;
}): TemplateResult {
  const { label, hint, problem, isBusy, value = '' } = field;
  return html`<p class="field">
    <label for="panel-name">${label}</label>
    <input
      id="panel-name"
      name="name"
      part="field"
      dir="auto"
      autocomplete="nickname"
      maxlength=${nameCharactersMax}
      .defaultValue=${value}
      ?readonly=${isBusy}
      aria-invalid=${problem !== undefined}
      aria-describedby="panel-name-hint panel-name-problem"
    />
    <span class="quiet" id="panel-name-hint">${hint}</span>
    ${problem === undefined ? nothing : html`<span class="problem" id="panel-name-problem">${problem}</span>`}
  </p>`;
}

/** Moves the focus to a field of an element, after it is drawn. */
export async function focusField(element: BaseElement, name: string): Promise<void> {
  await element.redraw();
  element.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
}
