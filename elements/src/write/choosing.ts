import { html, sheetOf } from '../shared.ts';
import style from './choosing.css';
import type { Addition, Composer } from './composed.ts';
import { known } from './emoji.ts';
import type { Writing } from './writing.ts';

/** The emoji to choose from, behind a button of the toolbar. Whoever knows a name types it after `:` as well. */

const sheet = sheetOf(style);

/** The list of a composer, which lies over the page until one is chosen, Escape is pressed or the focus goes elsewhere. */
export function add(composer: Composer, { host, adopt }: Writing): Addition {
  let isOpen = false;
  adopt(sheet);

  const buttons = () => [...composer.querySelectorAll<HTMLElement>('.emojis button')];

  function close(): void {
    isOpen = false;
    void composer.redraw();
  }

  function choose(emoji: string): void {
    const { field } = composer;
    close();
    composer.replace(field.selectionStart, field.selectionEnd, emoji);
  }

  function press(event: KeyboardEvent): void {
    const { key } = event;
    const all = buttons();
    const at = all.indexOf(event.target as HTMLElement);
    if (key === 'Escape') {
      close();
      composer.field.focus();
    } else {
      const forward = getComputedStyle(composer).direction === 'rtl' ? -1 : 1;
      const top = all[0]?.offsetTop;
      const columns = all.filter((each) => each.offsetTop === top).length;
      const steps = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: columns, ArrowUp: -columns };
      const step = steps[key as keyof typeof steps];
      const next = step === undefined ? undefined : all[at + step];
      if (step === undefined) return;
      next?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    async use() {
      isOpen = !isOpen;
      await composer.redraw();
      if (isOpen) buttons()[0]?.focus();
    },

    draw() {
      if (!isOpen) return undefined;
      return html`<div
        class="emojis"
        part="popover"
        role="group"
        aria-label=${host.t('emoji')}
        @keydown=${press}
        @focusout=${({ relatedTarget }: FocusEvent) => {
          if (!buttons().includes(relatedTarget as HTMLElement)) close();
        }}
      >
        ${known.map(({ emoji }, at) => html`<button type="button" part="button" tabindex=${at === 0 ? 0 : -1} @click=${() => choose(emoji)}>${emoji}</button>`)}
      </div>`;
    },

    clear() {
      isOpen = false;
    },
  };
}
