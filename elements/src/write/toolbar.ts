import { html, nothing, type TemplateResult } from '../shared.ts';
import type { Composer } from './composed.ts';
import { type Format, formatted } from './format.ts';
import { icon } from './icons.ts';
import { bytesMax, bytesOf, bytesShown } from './limit.ts';

const formats = ['bold', 'italic', 'strike', 'code', 'block', 'link', 'quote', 'list', 'numbers'] as const;

/** The keys that send, as they are written on the keyboard. */
const sendKeys = /Mac|iP/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl+Enter';

/** Formats what is selected in the field of a composer. */
export function format(composer: Composer, name: Format): void {
  const { value: text, selectionStart: start, selectionEnd: end } = composer.field;
  const to = formatted(name, { text, start, end });
  composer.replace(to.start, to.end, to.text, to.select);
}

/** What the buttons of a composer do; `choose` and `ask` are undefined where nobody may add files or a poll. */
type Actions = { readonly [action in 'preview' | 'cancel' | 'emoji']: () => void } & {
  readonly [action in 'choose' | 'ask']: (() => void) | undefined;
};

/** The buttons below the field. */
export function bar(composer: Composer, actions: Actions): TemplateResult {
  const { host, place, shown } = composer;
  const { t } = host;
  const left = bytesMax - bytesOf(composer.text);
  const label =
    place === undefined || place.startsWith('at') ? 'send' : place.startsWith('edit') ? 'save' : 'answer';
  return html`<div class="bar">
    ${toolbar(composer, actions)}
    ${left > bytesMax - bytesShown ? nothing : html`<span class="quiet" role="status">${t('charactersLeft', { count: left })}</span>`}
    <button class="plain" part="button" type="button" @click=${actions.preview}>${t(shown === undefined ? 'preview' : 'goOn')}</button>
    ${place === undefined ? nothing : html`<button class="plain" part="button" type="button" @click=${actions.cancel}>${t('cancel')}</button>`}
    <button class="primary" part="button send" type="button" title=${sendKeys} @click=${() => composer.send()}>${t(label)}</button>
  </div>`;
}

/** The buttons that format, and those that add something. They do nothing to a preview. */
function toolbar(composer: Composer, { emoji, choose, ask }: Actions): TemplateResult {
  const { t } = composer.host;
  const tool = (name: Format | 'emoji' | 'addFile' | 'addPoll', use: (() => void) | undefined, at = -1) =>
    use === undefined
      ? nothing
      : html`<button
      type="button"
      part="tool"
      title=${t(name)}
      aria-label=${t(name)}
      tabindex=${at === 0 ? 0 : -1}
      ?disabled=${composer.shown !== undefined}
      @click=${use}
    >
      ${icon(name)}
    </button>`;
  return html`<div class="tools" role="toolbar" aria-label=${t('formatting')} @keydown=${walk}>
    ${formats.map((each, at) => tool(each, () => format(composer, each), at))}
    ${tool('emoji', emoji)} ${tool('addFile', choose)} ${tool('addPoll', ask)}
  </div>`;
}

/** The arrow keys go from button to button, and Tab leaves the toolbar (ARIA Authoring Practices, "Toolbar"). */
export function walk(event: KeyboardEvent): void {
  const bar = event.currentTarget as HTMLElement;
  const buttons = [...bar.querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const isReversed = getComputedStyle(bar).direction === 'rtl';
  const forward = isReversed ? -1 : 1;
  const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: 1, ArrowUp: -1 }[event.key];
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
