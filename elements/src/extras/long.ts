import type { BaseElement } from '../shared.ts';

/** Long texts are shown in part, with a button for the rest. Only what is measured is cut: how long a text is depends on the page. */

/** How many lines are shown of a text that is too long, and how many it may have before it is. */
const linesShown = 20;
const linesMax = 26;

/** What follows a text, and has the button for the rest of it. */
type Following = BaseElement & { isLong: boolean | undefined; readonly isWhole: boolean | undefined };

const measured = new Set<Following>();
const heard = new WeakSet<Element>();

/** Cuts the text before an element if it is too long, once everything that has changed in this turn is drawn. */
export function cut(element: Following): void {
  if (measured.size === 0) queueMicrotask(cutAll);
  measured.add(element);
}

/** Measures all of them before it changes the first, so that the browser arranges the page once. */
function cutAll(): void {
  const found = [...measured].map((element) => {
    const text = element.previousElementSibling;
    const lines = text === null ? 0 : text.scrollHeight / lineHeightOf(text);
    return { element, text, isLong: lines > linesMax };
  });
  measured.clear();
  for (const { element, text, isLong } of found) {
    element.isLong = isLong;
    if (!(text instanceof HTMLElement)) continue;
    text.classList.toggle('cut', isLong && element.isWhole !== true);
    text.style.setProperty('--lines', `${linesShown * lineHeightOf(text)}px`);
    // A link in the rest that is reached by keyboard is seen.
    if (isLong && !heard.has(text))
      text.addEventListener('focusin', () => Object.assign(element, { isWhole: true }));
    heard.add(text);
  }
}

const lineHeightOf = (text: Element) => Number.parseFloat(getComputedStyle(text).lineHeight) || 24;
