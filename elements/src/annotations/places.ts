import { type Anchor, anchorOfPoint, anchorOfQuote, pointOf, quoteOf, type Root } from './anchors.ts';
import { createBreathing } from './breathing.ts';
import { type Folded, fold } from './folded.ts';
import { makeQuote, placeQuotes, quoteMax } from './place.ts';
import { positionOfElement, positionsOf, rangeAt, readWords, type Words } from './words.ts';

/** Where threads are in the page: at words of the content, or at elements that have a key. */

/** The place of a thread. Neither a range nor an element: it is gone. */
export type Spot = {
  readonly range?: Range | undefined;
  readonly element?: Element | undefined;
  /** The point of a picture, from 0 to 1. */
  readonly point?: { readonly x: number; readonly y: number } | undefined;
  /** Its position in the text of the content, by which threads are in order. Measuring boxes instead took seconds. */
  readonly at?: number | undefined;
};

/** The attribute of elements to which threads can belong. */
export const keyAttribute = 'data-confab-anchor';

/** How long the content has to stay as it is before it is read again, in milliseconds. */
const settleMs = 300;

export type Places = ReturnType<typeof createPlaces>;

/** Creates the places of threads in a content, whose name is its own key. `changed` is called when they are known anew. */
export function createPlaces(content: Element, key: string, changed: () => void) {
  let words: Words | undefined;
  let folded: Folded | undefined;
  let spots = new Map<number, Spot>();
  let run = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let roots: readonly Root[] = [];
  let isPlaced = false;
  let placing = Promise.resolve();

  const elements = () => [...content.querySelectorAll(`[${keyAttribute}]`)];

  async function place(): Promise<void> {
    run += 1;
    const own = run;
    const breathe = createBreathing();
    words ??= readWords(content);
    const now = words;
    const byKey = new Map(elements().map((each) => [each.getAttribute(keyAttribute), each]));
    const found = new Map<number, Spot>();
    const quoted = roots.filter((root) => root.anchor?.key === key && quoteOf(root) !== undefined);
    const quotes = quoted.flatMap((root) => quoteOf(root) ?? []);
    const at = await placeQuotes(now.text, quotes, breathe);
    if (own !== run) return;
    for (const root of roots) {
      const element = byKey.get(root.anchor?.key ?? '');
      const spot = element && { element, point: pointOf(root), at: positionOfElement(now, element) };
      found.set(root.id, spot ?? {});
    }
    for (const [index, root] of quoted.entries()) {
      const part = at[index];
      const range = part && rangeAt(now, part.start, part.end);
      found.set(root.id, range === undefined ? {} : { range, at: part?.start });
    }
    spots = found;
    isPlaced = true;
    changed();
  }

  const observer = new MutationObserver(() => {
    words = undefined;
    folded = undefined;
    clearTimeout(timer);
    timer = setTimeout(() => {
      placing = place();
    }, settleMs);
  });
  observer.observe(content, {
    childList: true,
    characterData: true,
    subtree: true,
    attributes: true,
    attributeFilter: [keyAttribute],
  });

  return {
    content,
    elements,

    /** Whether the places are known. */
    isPlaced: () => isPlaced,

    /** Resolves when the places are known of all threads that were given. */
    placed: () => placing,

    /** Where a thread is. */
    spot: (id: number): Spot | undefined => spots.get(id),

    /** Finds the places of threads. What is known of them stays until then. */
    follow(next: readonly Root[]): void {
      const placesOf = (of: readonly Root[]) => JSON.stringify(of.map(({ id, anchor }) => [id, anchor]));
      const isSame = isPlaced && placesOf(next) === placesOf(roots);
      roots = next;
      if (isSame) changed();
      else placing = place();
    },

    /** What a comment about a range of the content is about; undefined where nothing of it is a text, or it is too long. */
    anchorOf(range: Range): Anchor | 'long' | undefined {
      words ??= readWords(content);
      const part = positionsOf(words, range);
      if (part === undefined) return undefined;
      if (part.end - part.start > quoteMax) return 'long';
      folded ??= fold(words.text);
      return anchorOfQuote(key, makeQuote(words.text, part.start, part.end, folded));
    },

    /** What a comment about an element with a key is about, or about a point of it. */
    anchorOfElement(element: Element, point?: Spot['point']): Anchor {
      const own = element.getAttribute(keyAttribute) ?? '';
      return point === undefined ? { key: own } : anchorOfPoint(own, point);
    },

    end(): void {
      run += 1;
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}

/** Whether an element shows a picture, on which points can be commented. */
export const isPicture = (element: Element) => /^(?:img|picture|svg|video|canvas)$/.test(element.localName);
