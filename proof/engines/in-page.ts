import { computeAccessibleName, getRole } from 'dom-accessibility-api';

/** What the suite does in a page: it finds elements as a reader finds them, through open shadow roots. */

/** What elements are looked for by. */
type Sought =
  | { readonly by: 'selector'; readonly selector: string }
  | { readonly by: 'role'; readonly role: string; readonly name?: string; readonly exact?: boolean }
  | { readonly by: 'label'; readonly name: string; readonly exact?: boolean }
  | { readonly by: 'text'; readonly text: string };
/** One step on the way to an element. */
export type Step = Sought | { readonly by: 'with text'; readonly text: string } | { readonly by: 'first' };

// The elements of a page, of which the types of this folder know nothing.
type Element = any;
const { document } = globalThis as any;

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

function matches(text: string, sought: string, exact = false): boolean {
  const [found, wanted] = [plain(text), plain(sought)];
  return exact ? found === wanted : found.toLowerCase().includes(wanted.toLowerCase());
}

/** The elements below a root, with those of the open shadow roots in it, in the order of the page. */
function* below(root: Element): Generator<Element> {
  for (const child of root.shadowRoot ? [...root.shadowRoot.children, ...root.children] : root.children) {
    yield child;
    yield* below(child);
  }
}

function parentOf(element: Element): Element {
  return element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
}

function textOf(element: Element): string {
  const nodes = element.shadowRoot
    ? [...element.shadowRoot.childNodes, ...element.childNodes]
    : element.childNodes;
  return [...nodes]
    .map((node: any) => (node.nodeType === 1 ? textOf(node) : (node.nodeValue ?? '')))
    .join('');
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

/** Whether a program that reads the page to people finds an element. */
function isTold(element: Element): boolean {
  if (!element.checkVisibility({ visibilityProperty: true })) return false;
  for (let each = element; each !== null; each = parentOf(each))
    if (each.getAttribute('aria-hidden') === 'true' || each.inert === true) return false;
  return true;
}

const says = (element: Element, text: string) => matches(textOf(element), text);

function isMeant(element: Element, step: Sought): boolean {
  const isNamed = (name: string, exact?: boolean) => matches(computeAccessibleName(element), name, exact);
  if (step.by === 'selector') return element.matches(step.selector);
  if (step.by === 'label') return element.matches(labelled) && isNamed(step.name, step.exact);
  if (step.by === 'role') {
    const isOfRole = getRole(element) === step.role && isTold(element);
    return isOfRole && (step.name === undefined || isNamed(step.name, step.exact));
  }
  // The innermost one that has the text.
  return says(element, step.text) && ![...below(element)].some((child) => says(child, step.text));
}

const labelled = 'input, textarea, select, button, [aria-label], [aria-labelledby]';

function follow(elements: readonly Element[], step: Step): Element[] {
  if (step.by === 'first') return elements.slice(0, 1);
  if (step.by === 'with text') return elements.filter((each) => says(each, step.text));
  const found = new Set(elements.flatMap((each) => [...below(each)]));
  return [...found].filter((each) => isMeant(each, step));
}

function find(steps: readonly Step[]): Element[] {
  return steps.reduce<Element[]>(follow, [document]);
}

/** The innermost element at a point of the window. */
function elementAt(x: number, y: number): Element {
  let root = document;
  for (;;) {
    const found = root.elementFromPoint(x, y);
    if (found?.shadowRoot == null || found.shadowRoot.elementFromPoint(x, y) === found) return found;
    root = found.shadowRoot;
  }
}

/** The place to press at, or why an element cannot be pressed at this moment. */
function target(element: Element): { x: number; y: number } | string {
  if (!isSeen(element)) return 'it is not seen';
  if (element.disabled === true) return 'it is disabled';
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const middle = (box: any) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  let point = middle(element.getBoundingClientRect());
  let hit = elementAt(point.x, point.y);
  const isOwn = () => {
    for (let each = hit; each !== null; each = parentOf(each)) if (each === element) return true;
    return false;
  };
  if (!isOwn()) {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    point = middle(element.getBoundingClientRect());
    hit = elementAt(point.x, point.y);
  }
  if (isOwn()) aimed = { element };
  return isOwn() ? point : `${hit?.outerHTML.slice(0, 200)} is above it`;
}

/** What is about to be pressed. A page that moves at that moment gets nothing pressed that was not meant. */
let aimed: { readonly element: Element; isHit?: boolean } | undefined;
for (const kind of ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click'])
  (globalThis as any).addEventListener(
    kind,
    (event: any) => {
      if (aimed === undefined || !event.isTrusted) return;
      aimed.isHit ??= event.composedPath().includes(aimed.element);
      if (aimed.isHit) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true, passive: false },
  );

/** Whether what was pressed last was missed. */
function isMissed(): boolean {
  const missed = aimed?.isHit === false;
  aimed = undefined;
  return missed;
}

function choose(list: Element, value: string): void {
  list.value = value;
  for (const kind of ['input', 'change']) {
    const event = new (globalThis as any).Event(kind, { bubbles: true, composed: kind === 'input' });
    list.dispatchEvent(event);
  }
}

// Counts what the browser has drawn, so that the suite knows when a place stands still.
let frames = 0;
const count = () => {
  frames += 1;
  (globalThis as any).requestAnimationFrame(count);
};
count();

Object.assign(globalThis, {
  confabSuite: { find, isSeen, target, isMissed, choose, textOf, frames: () => frames },
});
