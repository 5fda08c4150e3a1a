/**
 * Marks ranges of the page without changing it: by highlights of the browser (the CSS Custom Highlight API), or where there
 * are none by boxes that lie above the page.
 */

type Highlights = Map<string, unknown> & { delete(name: string): boolean };
type HighlightClass = new (...ranges: AbstractRange[]) => unknown;

const highlights = (globalThis.CSS as unknown as { highlights?: Highlights }).highlights;
const { Highlight } = globalThis as unknown as { Highlight?: HighlightClass };

/** Whether the browser has highlights; the boxes are drawn where it has none. */
export const hasHighlights = highlights !== undefined && Highlight !== undefined;

/** The kinds of marks: what has comments, what has resolved ones, and what is looked at. */
export const markKinds = ['open', 'resolved', 'current'] as const;
export type MarkKind = (typeof markKinds)[number];

const style = `::highlight(confab-open) { background-color: var(--confab-highlight-color, rgb(255 205 40 / 0.36)); }
::highlight(confab-resolved) { text-decoration: underline dotted; }
::highlight(confab-current) { background-color: var(--confab-current-color, rgb(255 170 0 / 0.6)); }
@media (forced-colors: active) {
  ::highlight(confab-open) { text-decoration: underline; }
  ::highlight(confab-current) { background-color: Highlight; color: HighlightText; }
}`;
let sheet: CSSStyleSheet | undefined;

/** The marks that each owner has; the highlights of the page have those of all of them. */
const owners = new Map<object, ReadonlyMap<MarkKind, readonly Range[]>>();

/** Marks the ranges of an owner in the root that they are in, in place of those before. */
export function mark(
  owner: object,
  root: Document | ShadowRoot,
  marks: ReadonlyMap<MarkKind, readonly Range[]>,
): void {
  owners.set(owner, marks);
  if (highlights === undefined || Highlight === undefined) return;
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  show();
}

/** Takes the marks of an owner away. */
export function unmark(owner: object): void {
  owners.delete(owner);
  show();
}

function show(): void {
  if (highlights === undefined || Highlight === undefined) return;
  for (const kind of markKinds) {
    const ranges = [...owners.values()].flatMap((marks) => [...(marks.get(kind) ?? [])]);
    if (ranges.length === 0) highlights.delete(`confab-${kind}`);
    else {
      const highlight = new Highlight(...ranges) as { priority: number };
      highlight.priority = kind === 'current' ? 2 : kind === 'open' ? 1 : 0;
      highlights.set(`confab-${kind}`, highlight);
    }
  }
}

/** The boxes of ranges, from the corner of what they are drawn in, in pixels. */
export function boxesOf(ranges: readonly Range[], from: DOMRect): DOMRect[] {
  return ranges.flatMap((range) =>
    [...range.getClientRects()]
      .filter(({ width }) => width > 0)
      .map(({ left, top, width, height }) => new DOMRect(left - from.left, top - from.top, width, height)),
  );
}

/** Whether a point of the window lies in a range. */
export function isIn(range: Range, x: number, y: number): boolean {
  return [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
  );
}
