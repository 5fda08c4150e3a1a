import { html, type TemplateResult } from 'lit/html.js';

/** How long a message is shown, in milliseconds. */
const shownMs = 6000;

/** Creates what is said to users of a screen reader, and to everybody where it `isShown`. `redraw` is called after each change. */
export function createToast(redraw: () => unknown) {
  let spoken = '';
  let isShown = false;
  let end: ReturnType<typeof setTimeout> | undefined;

  return {
    /** Says a text for some seconds, in place of the one before. */
    say(text: string, toEverybody: boolean): void {
      spoken = text;
      isShown = toEverybody;
      clearTimeout(end);
      end = setTimeout(() => {
        spoken = '';
        isShown = false;
        redraw();
      }, shownMs);
      redraw();
    },

    draw(): TemplateResult {
      return html`<p class=${isShown ? 'toast' : 'hidden'} part="toast" role="status">${spoken}</p>`;
    },
  };
}
