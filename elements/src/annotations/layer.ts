import { html, nothing, type TemplateResult } from '../shared.ts';
import type { Root } from './anchors.ts';
import type { Desk } from './desk.ts';
import { boxesOf, hasHighlights, markKinds } from './marking.ts';
import { begin, open } from './opening.ts';
import { isPicture, type Places } from './places.ts';
import { shownOf } from './shown.ts';

/** What lies above the page: pins on pictures, numbers at elements, and boxes where the browser has no highlights. */

/** The threads of an element, or those of one point of it. */
type Pin = {
  readonly element: Element;
  readonly roots: readonly Root[];
  readonly x: number;
  readonly y: number;
};

export function layer(desk: Desk, places: Places): TemplateResult {
  const { left = 0, top = 0 } = desk.root.querySelector('.layer')?.getBoundingClientRect() ?? {};
  const from = new DOMRect(left, top);
  return html`<div class="layer">
    ${
      hasHighlights
        ? nothing
        : markKinds.map((kind) =>
            boxesOf(desk.marks.get(kind) ?? [], from).map(
              (box) => html`<i class=${kind} .style=${at(box.left, box.top, box)}></i>`,
            ),
          )
    }
    ${pinsOf(desk, places).map((pin) => pinButton(desk, pin, from))}
    ${
      desk.roots?.isWritable()
        ? unusedOf(desk, places).map((element) => addButton(desk, element, from))
        : nothing
    }
  </div>`;
}

function at(left: number, top: number, size?: DOMRect): string {
  const place = `left:${left}px;top:${top}px`;
  return size === undefined ? place : `${place};width:${size.width}px;height:${size.height}px`;
}

/** The threads at elements that are shown: each point of a picture is one, and all of another element are one. */
function pinsOf(desk: Desk, places: Places): Pin[] {
  const pins: Pin[] = [];
  const byElement = new Map<Element, Root[]>();
  for (const root of shownOf(desk)) {
    const { element, point } = places.spot(root.id) ?? {};
    if (element === undefined) continue;
    if (point !== undefined) pins.push({ element, roots: [root], ...point });
    else byElement.set(element, [...(byElement.get(element) ?? []), root]);
  }
  for (const [element, roots] of byElement) pins.push({ element, roots, x: cornerOf(element), y: 0 });
  const { view } = desk;
  if (view && 'thread' in view && view.thread.ids.length === 0 && view.spot.element !== undefined)
    pins.push({
      element: view.spot.element,
      roots: [],
      ...(view.spot.point ?? { x: cornerOf(view.spot.element), y: 0 }),
    });
  return pins;
}

const cornerOf = (element: Element) => (getComputedStyle(element).direction === 'rtl' ? 0 : 1);

function pinButton(desk: Desk, { element, roots, x, y }: Pin, from: DOMRect): TemplateResult {
  const { left, top, width, height } = element.getBoundingClientRect();
  const style = at(left - from.left + x * width, top - from.top + y * height);
  const [first] = roots;
  if (first === undefined)
    return html`<span class="pin current" part="pin" .style=${style} aria-hidden="true"></span>`;
  const name = first.created_by?.display_name ?? desk.t('unknown');
  const label = isPicture(element)
    ? desk.t('pinBy', { name })
    : desk.t('annotationsCount', { count: roots.length });
  return html`<button class="pin" part="pin" type="button" .style=${style} aria-label=${label} title=${label} @click=${() =>
    open(
      desk,
      roots.map(({ id }) => id),
    )}>
    <span aria-hidden="true">${roots.length}</span>
  </button>`;
}

/** The elements that have nothing yet; those that have show it. */
function unusedOf(desk: Desk, places: Places): Element[] {
  const used = new Set(shownOf(desk).map(({ id }) => places.spot(id)?.element));
  return places.elements().filter((element) => !isPicture(element) && !used.has(element));
}

/** The button of an element without comments, which is seen when it has the focus or the pointer is near. */
function addButton(desk: Desk, element: Element, from: DOMRect): TemplateResult {
  const { left, top, width } = element.getBoundingClientRect();
  const style = at(left - from.left + cornerOf(element) * width, top - from.top);
  const label = desk.t('annotateElement');
  return html`<button class="pin add" part="pin" type="button" .style=${style} aria-label=${label} title=${label} aria-description=${(element.textContent ?? '').trim().slice(0, describedMax)} @click=${() => begin(desk, { element })}>
    <span aria-hidden="true">+</span>
  </button>`;
}

/** How much of an element is read with its button, in characters. */
const describedMax = 80;
