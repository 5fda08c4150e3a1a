import { html, nothing, type TemplateResult } from '../shared.ts';
import type { Desk, Selecting } from './desk.ts';
import { begin, show } from './opening.ts';
import { keyAttribute } from './places.ts';

/**
 * How a reader chooses what to comment on: by selecting text, after which a button lies near it, or by the keyboard alone,
 * with which parts of the content are walked.
 */

/** The parts that the keyboard walks. */
const parts = `p, li, h1, h2, h3, h4, h5, h6, blockquote, pre, td, th, dt, dd, figcaption, [${keyAttribute}]`;
/** How long a selection has to stay as it is before the button is shown, in milliseconds. */
const settleMs = 150;
/** How the keys are written on the keyboard. */
const keys = /Mac|iP/.test(navigator.platform) ? '⌘ ⌥ M' : 'Ctrl+Alt+M';

/** Creates the choice of what to comment on in a content. */
export function createSelecting(desk: Desk, content: Element): Selecting {
  let range: Range | undefined;
  let isChoosing = false;
  let at = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leaving = new AbortController();
  const { signal } = leaving;

  function selected(): Range | undefined {
    const selection = getSelection();
    if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
    const found = selection.getRangeAt(0);
    const { commonAncestorContainer: around } = found;
    return content.contains(around) ? found.cloneRange() : undefined;
  }

  function follow(): void {
    const before = range;
    range = desk.roots?.isWritable() ? selected() : undefined;
    if (range === undefined && before === undefined) return;
    if (range !== undefined && before === undefined) desk.spoken = desk.t('annotateKeys', { keys });
    void desk.redraw();
  }

  document.addEventListener(
    'selectionchange',
    () => {
      clearTimeout(timer);
      timer = setTimeout(follow, settleMs);
    },
    { signal },
  );

  const all = () =>
    [...content.querySelectorAll<HTMLElement>(parts)].filter((each) => each.offsetParent !== null);

  function choosePart(index: number): void {
    const found = all();
    at = Math.max(0, Math.min(index, found.length - 1));
    const part = found[at];
    if (part === undefined) return;
    getSelection()?.selectAllChildren(part);
    if (getSelection()?.isCollapsed) getSelection()?.setBaseAndExtent(part, 0, part, part.childNodes.length);
    part.scrollIntoView({ block: 'center' });
    desk.spoken = (
      part.textContent ||
      (part as Partial<HTMLImageElement>).alt ||
      part.getAttribute(keyAttribute) ||
      ''
    ).trim();
    void desk.redraw();
  }

  /** Shift with an arrow key chooses words of the part: from its beginning on, and then more or less of them. */
  function chooseWords(by: 'forward' | 'backward'): void {
    const selection = getSelection();
    const part = all()[at];
    if (selection === null || part === undefined) return;
    if (selection.toString().trim() === (part.textContent ?? '').trim()) {
      if (by === 'forward') selection.collapse(part, 0);
      else selection.setBaseAndExtent(part, 0, part, part.childNodes.length);
    }
    selection.modify('extend', by, 'word');
    desk.spoken = selection.toString().trim();
  }

  const selecting = {
    /** Comments on what is selected. */
    use(): void {
      const found = selected() ?? range;
      if (found === undefined || !desk.roots?.isWritable()) return;
      isChoosing = false;
      range = undefined;
      begin(desk, { range: found });
    },

    /** Lets the keyboard walk the parts of the content. */
    choose(): void {
      isChoosing = true;
      desk.view = undefined;
      const visible = all().findIndex((each) => each.getBoundingClientRect().top >= 0);
      choosePart(Math.max(0, visible));
      void desk
        .redraw()
        .then(() => desk.root.querySelector<HTMLElement>('.chooser')?.focus({ preventScroll: true }));
    },

    hide(): void {
      isChoosing = false;
      range = undefined;
    },

    press(event: KeyboardEvent): void {
      const isBack = getComputedStyle(content).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
      const isOn = isBack === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
      const { key, shiftKey } = event;
      if (key === 'Escape') {
        isChoosing = false;
        getSelection()?.removeAllRanges();
        void show(desk, { list: true });
      } else if (key === 'Enter') selecting.comment();
      else if (shiftKey && key === isOn) chooseWords('forward');
      else if (shiftKey && key === isBack) chooseWords('backward');
      else if (key === 'ArrowDown' || key === isOn) choosePart(at + 1);
      else if (key === 'ArrowUp' || key === isBack) choosePart(at - 1);
      else if (key === 'Home') choosePart(0);
      else if (key === 'End') choosePart(Number.MAX_SAFE_INTEGER);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },

    /** Comments on the part that was chosen, which may be an element with a key. */
    comment(): void {
      const part = all()[at];
      if (part?.hasAttribute(keyAttribute)) {
        isChoosing = false;
        begin(desk, { element: part });
      } else selecting.use();
    },

    draw(): TemplateResult | typeof nothing {
      const { t } = desk;
      if (isChoosing)
        return html`<div class="chooser" part="chooser" role="application" aria-label=${t('annotatePart')} tabindex="0" @keydown=${selecting.press}>
          <p>${t('annotatePartKeys')}</p>
          <button class="primary" part="button primary" type="button" @click=${() => selecting.comment()}>${t('annotate')}</button>
        </div>`;
      if (range === undefined || desk.view !== undefined) return nothing;
      return html`<button class="annotate" part="button annotate" type="button" aria-keyshortcuts="Control+Alt+M" title=${keys} @pointerdown=${(event: Event) => event.preventDefault()} @click=${() => selecting.use()}>${t('annotate')}</button>`;
    },

    /** Puts the button at the end of the selection, within the window. */
    drawn(): void {
      const button = desk.root.querySelector<HTMLElement>('.annotate');
      if (button === null || range === undefined) return;
      const last =
        [...range.getClientRects()].findLast(({ width }) => width > 0) ?? range.getBoundingClientRect();
      const { width, height } = button.getBoundingClientRect();
      const isReversed = getComputedStyle(content).direction === 'rtl';
      const left = isReversed ? last.left : last.right - width;
      const top =
        last.bottom + height + marginPx > innerHeight ? last.top - height - marginPx : last.bottom + marginPx;
      button.style.setProperty(
        'left',
        `${Math.max(marginPx, Math.min(left, innerWidth - width - marginPx))}px`,
      );
      button.style.setProperty('top', `${Math.max(marginPx, top)}px`);
    },

    end(): void {
      clearTimeout(timer);
      leaving.abort();
    },
  };
  return selecting;
}

/** How far the button is from what is selected and from the edge of the window, in pixels. */
const marginPx = 8;
